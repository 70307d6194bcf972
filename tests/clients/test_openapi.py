"""The OpenAPI documents that the server gives: valid, complete, and the same as the committed ones."""

import json
import pathlib
import unittest
import urllib.request

from openapi_spec_validator import OpenAPIV31SpecValidator

from server import URL

COMMITTED = pathlib.Path(__file__).parent.parent.parent / "fixtures" / "openapi"


def fetch(path):
    with urllib.request.urlopen(URL + path, timeout=20) as response:
        return response.headers, json.load(response)


class OpenApi(unittest.TestCase):
    def test_documents_of_all_versions_are_valid(self):
        files = sorted(COMMITTED.glob("*.json"))
        self.assertGreaterEqual(len(files), 15)
        for file in files:
            with self.subTest(version=file.stem):
                headers, document = fetch(f"/api/{file.stem}/openapi.json")
                self.assertEqual(headers["access-control-allow-origin"], "*")
                self.assertEqual(document, json.loads(file.read_text(encoding="utf-8")))
                OpenAPIV31SpecValidator(document).validate()

    def test_the_one_without_a_version_is_the_latest(self):
        _, current = fetch("/api")
        _, document = fetch("/api/openapi.json")
        self.assertEqual(document["info"]["version"], current["currentVersion"])

    def test_an_unknown_version_is_said_to_be_unknown(self):
        with self.assertRaises(urllib.error.HTTPError) as raised:
            fetch("/api/9.9/openapi.json")
        with raised.exception as answer:
            self.assertEqual(answer.code, 404)
            self.assertEqual(json.load(answer)["code"], 3)


if __name__ == "__main__":
    unittest.main()
