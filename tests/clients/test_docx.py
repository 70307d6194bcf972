"""Exported DOCX files, read by python-docx as other programs read them: each kind of formatting."""

import io
import json
import unittest
import urllib.parse
import urllib.request
import uuid

import docx
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.shared import Pt, RGBColor

from server import API_KEY, URL

WORD = "word"

# The HTML of a line, and what a run of its text has.
RUNS = {
    "<b>word</b>": lambda run: run.bold,
    "<i>word</i>": lambda run: run.italic,
    "<u>word</u>": lambda run: run.underline,
    "<s>word</s>": lambda run: run.font.strike,
    '<span class="color:red">word</span>': lambda run: run.font.color.rgb == RGBColor(0xC5, 0x22, 0x1F),
    '<span class="font-size:20">word</span>': lambda run: run.font.size == Pt(15),
    '<span style="font-family:serif">word</span>': lambda run: run.font.name == "Times New Roman",
    '<span style="font-family:monospace">word</span>': lambda run: run.font.name == "Courier New",
}

# By the attributes of the pad, and what the paragraph is.
PARAGRAPHS = {
    "<h1>word</h1>": lambda line: line.style.name == "Heading 1",
    "<h6>word</h6>": lambda line: line.style.name == "Heading 6",
    "<blockquote>word</blockquote>": lambda line: line.style.name == "Quote",
    "<pre>word</pre>": lambda line: line.style.name == "Code",
    '<p align="center">word</p>': lambda line: line.alignment == WD_ALIGN_PARAGRAPH.CENTER,
    '<p align="right">word</p>': lambda line: line.alignment == WD_ALIGN_PARAGRAPH.RIGHT,
    '<p align="justify">word</p>': lambda line: line.alignment == WD_ALIGN_PARAGRAPH.JUSTIFY,
    "<ul><li>word</li></ul>": lambda line: line._p.pPr.numPr is not None,
    "<p><sub>word</sub></p>": lambda line: line.runs[0].font.subscript,
    "<p><sup>word</sup></p>": lambda line: line.runs[0].font.superscript,
    "<p><code>word</code></p>": lambda line: line.runs[0].style.name == "Verbatim Char",
    '<p><a href="https://a.b/">word</a></p>': lambda line: line.hyperlinks[0].address == "https://a.b/",
}


def call(function, version="1.3.1", **arguments):
    form = urllib.parse.urlencode({"apikey": API_KEY, **arguments}).encode()
    with urllib.request.urlopen(f"{URL}/api/{version}/{function}", form) as answer:
        body = json.load(answer)
    assert body["code"] == 0, body
    return body["data"]


def exported(pad):
    with urllib.request.urlopen(f"{URL}/p/{pad}/export/docx") as answer:
        return docx.Document(io.BytesIO(answer.read()))


def import_html(pad, html):
    """As the page does: the file with all that a browser shows of it."""
    edge = uuid.uuid4().hex
    head = 'Content-Disposition: form-data; name="file"; filename="a.html"'
    body = f"--{edge}\r\n{head}\r\n\r\n{html}\r\n--{edge}--\r\n".encode()
    request = urllib.request.Request(f"{URL}/p/{pad}/import", body)
    request.add_header("Content-Type", f"multipart/form-data; boundary={edge}")
    with urllib.request.urlopen(request) as answer:
        assert json.load(answer)["code"] == 0


class Docx(unittest.TestCase):
    def test_every_kind_of_formatting_is_read_by_python_docx(self):
        pad = "docx-" + uuid.uuid4().hex
        call("createPad", padID=pad, text="x")
        lines = [f"<p>{html}</p>" for html in RUNS] + list(PARAGRAPHS)
        import_html(pad, "<html><body>" + "\n".join(lines) + "</body></html>")
        paragraphs = [line for line in exported(pad).paragraphs if line.text]
        self.assertEqual(len(paragraphs), len(lines))
        for line in paragraphs:
            self.assertEqual(line.text, WORD)
        for (html, has), line in zip(RUNS.items(), paragraphs):
            self.assertTrue(has(line.runs[0]), html)
        for (html, has), line in zip(PARAGRAPHS.items(), paragraphs[len(RUNS) :]):
            self.assertTrue(has(line), html)

    def test_the_title_is_that_of_the_document(self):
        pad = "docx-" + uuid.uuid4().hex
        call("createPad", padID=pad, text="x")
        call("setTitle", version="2.0.0", padID=pad, title="Minutes & more")
        self.assertEqual(exported(pad).core_properties.title, "Minutes & more")


if __name__ == "__main__":
    unittest.main()
