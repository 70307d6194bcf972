"""The OpenAPI documents that the server gives: valid, complete, and the same as the committed ones."""

import json
import pathlib
import unittest
import urllib.request

from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from server import API_KEY, URL

COMMITTED = pathlib.Path(__file__).parent.parent.parent / "fixtures" / "openapi"


def fetch(path):
    with urllib.request.urlopen(URL + path, timeout=120) as response:
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
        self.assertEqual(fetch("/api-docs.json")[1], document)

    def test_every_path_has_what_people_look_for(self):
        _, document = fetch("/api/openapi.json")
        self.assertEqual(document["info"]["license"]["identifier"], "Apache-2.0")
        tags = {tag["name"] for tag in document["tags"]}
        self.assertGreaterEqual(len(document["paths"]), 50)
        for path, operations in document["paths"].items():
            with self.subTest(path=path):
                self.assertEqual(set(operations), {"get", "post"})
                for operation in operations.values():
                    self.assertEqual(len(operation["tags"]), 1)
                    self.assertIn(operation["tags"][0], tags)

    def test_schemas_are_valid_and_tell_answers_apart(self):
        _, document = fetch("/api/openapi.json")
        schemas = document["components"]["schemas"]
        for name, schema in schemas.items():
            with self.subTest(schema=name):
                OAS31Validator.check_schema(schema)

        def fits(name, answer):
            schema = {**schemas[name], "components": document["components"]}
            return OAS31Validator(schema).is_valid(answer)

        _, done = fetch(f"/api/1.3.1/checkToken?apikey={API_KEY}")
        _, refused = fetch(f"/api/1.3.1/getText?padID=nowhere&apikey={API_KEY}")
        self.assertTrue(fits("CheckTokenAnswer", done))
        self.assertTrue(fits("GetTextAnswer", refused))
        self.assertTrue(fits("CheckTokenSuccess", done) and not fits("WrongParameters", done))
        self.assertTrue(fits("WrongParameters", refused) and not fits("GetTextSuccess", refused))
        self.assertFalse(fits("CheckTokenAnswer", {**done, "data": {}}))

    def test_an_unknown_version_is_said_to_be_unknown(self):
        with self.assertRaises(urllib.error.HTTPError) as raised:
            fetch("/api/9.9/openapi.json")
        with raised.exception as answer:
            self.assertEqual(answer.code, 404)
            self.assertEqual(json.load(answer)["code"], 3)


if __name__ == "__main__":
    unittest.main()
