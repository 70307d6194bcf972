"""The code of docs/integration.md, as it stands there: each language makes its way from a user and a
group to a session that opens the pad, and all of them mean the same pad."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

from server import API_KEY, URL

GUIDE = pathlib.Path(__file__).parents[2] / "docs" / "integration.md"
HEADINGS = {
    "With curl": ("sh", ["sh", "-eu"]),
    "In Python": ("python", [sys.executable]),
    "In JavaScript": ("js", ["node"]),
}


def code_below(heading, language):
    """The one block of a language below a heading."""
    section = GUIDE.read_text().split(f"### {heading}\n")[1].split("\n##")[0]
    (block,) = re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)
    return block


def status_of(address, cookie):
    request = urllib.request.Request(address, headers={"cookie": cookie})
    try:
        with urllib.request.urlopen(request) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code


class Guide(unittest.TestCase):
    def run_code(self, heading):
        language, program = HEADINGS[heading]
        ending = {"js": "mjs", "python": "py"}.get(language, language)
        with tempfile.NamedTemporaryFile("w", suffix="." + ending) as file:
            file.write(code_below(heading, language))
            file.flush()
            environment = {**os.environ, "PADS": URL, "KEY": API_KEY}
            done = subprocess.run(
                [*program, file.name],
                env=environment,
                capture_output=True,
                text=True,
                timeout=300,
            )
        self.assertEqual(done.returncode, 0, done.stderr)
        found = re.fullmatch(
            r"Set-Cookie: (sessionID=s\.\w{16}); Path=/; Secure; SameSite=None\n"
            r'<iframe src="(\S+)"></iframe>\n',
            done.stdout,
        )
        self.assertTrue(found, done.stdout)
        return found.groups()

    def test_every_language_opens_the_same_pad(self):
        pads = set()
        # Twice: what is there already is no hindrance.
        for heading in [*HEADINGS, *HEADINGS]:
            with self.subTest(heading):
                cookie, pad = self.run_code(heading)
                pads.add(pad)
                export = pad + "/export/txt"
                self.assertEqual(status_of(export, cookie), 200)
        self.assertEqual(len(pads), 1)
        self.assertNotEqual(status_of(export, "sessionID=s.0123456789abcdef"), 200)


if __name__ == "__main__":
    unittest.main()
