"""The client that openapi-generator makes of the OpenAPI document for Python: made, compiled and used."""

import compileall
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

from server import API_KEY, URL

PACKAGE = "padsvc_generated"
# Longer than it should take.
PATIENCE_SECONDS = 300


class Generated(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        generator = pathlib.Path(sys.executable).with_name("openapi-generator-cli")
        arguments = ["generate", "--generator-name", "python", "--package-name", PACKAGE]
        arguments += ["--input-spec", f"{URL}/api/openapi.json", "--output", folder.name]
        made = subprocess.run(
            [generator, *arguments], capture_output=True, text=True, timeout=PATIENCE_SECONDS
        )
        if made.returncode != 0:
            raise AssertionError(made.stdout[-4000:] + made.stderr[-4000:])
        if not compileall.compile_dir(folder.name, quiet=2):
            raise AssertionError("what was generated does not compile")
        sys.path.insert(0, folder.name)
        cls.addClassCleanup(sys.path.remove, folder.name)

    def setUp(self):
        import padsvc_generated as generated

        self.generated = generated
        configuration = generated.Configuration(host=f"{URL}/api/1.3.1")
        configuration.api_key["apiKey"] = API_KEY
        self.client = generated.ApiClient(configuration)

    def ask(self, answer):
        """What a call gave, which must be a success."""
        self.assertEqual(answer.actual_instance.code, 0, answer)
        return answer.actual_instance.data

    def test_a_user_gets_into_a_pad_of_a_group(self):
        generated = self.generated
        groups, authors = generated.GroupsApi(self.client), generated.AuthorsApi(self.client)
        sessions, content = generated.SessionsApi(self.client), generated.PadContentApi(self.client)
        group = self.ask(groups.create_group_using_post()).group_id
        author = self.ask(authors.create_author_using_get(name="Ada")).author_id
        arguments = generated.CreateGroupPadArguments(groupID=group, padName="plan", text="Hello")
        pad = self.ask(groups.create_group_pad_using_post(arguments)).pad_id
        until = int(time.time()) + 3600
        arguments = generated.CreateSessionArguments(
            groupID=group, authorID=author, validUntil=until
        )
        session = self.ask(sessions.create_session_using_post(arguments)).session_id
        info = self.ask(sessions.get_session_info_using_get(session_id=session))
        self.assertEqual((info.author_id, info.valid_until), (author, until))
        # No data: only the code tells success from failure.
        arguments = generated.SetTextArguments(padID=pad, text="Bye", authorId=author)
        self.assertIsNone(self.ask(content.set_text_using_post(arguments)))
        text = self.ask(content.get_text_using_get(pad_id=pad)).text
        self.assertTrue(text.startswith("Bye"), text)
        self.assertIsNone(self.ask(groups.delete_group_using_get(group_id=group)))

    def test_what_is_refused_says_why(self):
        content = self.generated.PadContentApi(self.client)
        answer = content.get_text_using_get(pad_id="no such pad").actual_instance
        self.assertEqual((answer.code, answer.message), (1, "padID does not exist"))
        self.assertIsInstance(answer, self.generated.WrongParameters)


if __name__ == "__main__":
    unittest.main()
