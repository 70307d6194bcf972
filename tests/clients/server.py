"""The server under test: its address and key, handed in through the environment."""

import os

URL = os.environ["PADSVC_URL"].rstrip("/")
API_KEY = os.environ["PADSVC_APIKEY"]
