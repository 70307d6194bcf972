"""The PyPI package PyJWT, as it is: tokens are checked with nothing but the keys that are published."""

import json
import unittest
import urllib.parse
import urllib.request

import jwt

from server import URL


def document(path):
    with urllib.request.urlopen(URL + path) as answer:
        return json.load(answer)


def service_token():
    """With the call that the documentation of the API shows: a form, and nothing else."""
    fields = {
        "grant_type": "client_credentials",
        "client_id": "robot",
        "client_secret": "the robot's secret: +&%",
    }
    body = urllib.parse.urlencode(fields).encode()
    with urllib.request.urlopen(URL + "/oidc/token", body) as answer:
        return json.load(answer)["access_token"]


class Tokens(unittest.TestCase):
    def setUp(self):
        self.metadata = document("/.well-known/openid-configuration")
        self.keys = jwt.PyJWKClient(self.metadata["jwks_uri"])

    def read(self, token, **rules):
        key = self.keys.get_signing_key_from_jwt(token)
        rules = {"audience": "account", "issuer": self.metadata["issuer"], **rules}
        return jwt.decode(token, key, algorithms=["RS256"], **rules)

    def test_a_token_is_verified_from_the_published_keys(self):
        token = service_token()
        self.assertEqual(jwt.get_unverified_header(token)["typ"], "at+jwt")
        claims = self.read(token)
        self.assertEqual(claims["sub"], "robot")
        self.assertEqual(claims["client_id"], "robot")
        self.assertEqual(claims["admin"], "true")
        self.assertEqual(claims["exp"] - claims["iat"], 3600)
        self.assertNotEqual(claims["jti"], self.read(service_token())["jti"])

    def test_what_was_changed_or_is_for_others_is_not(self):
        head, claims, signature = service_token().split(".")
        other = service_token().split(".")
        for token in [".".join([head, claims, other[2]]), ".".join([head, other[1], signature])]:
            with self.assertRaises(jwt.InvalidSignatureError):
                self.read(token)
        for rule in [{"audience": "others"}, {"issuer": "https://other.example"}]:
            with self.assertRaises(jwt.InvalidTokenError):
                self.read(service_token(), **rule)


if __name__ == "__main__":
    unittest.main()
