"""Checks the English of pages (*.md) and public headers, as far as a program can.

A sentence has at most 25 words, a table cell at most 12, a line at most 100 columns (but for table rows and
code).  One sentence in twenty may be longer, up to 40 words: some facts do not come apart.  Phrases and names
that a reader would have to learn are refused, with what to write instead.
"""

import os
import re

from .pages import pages

SENTENCE, LONGEST, EXCEPTIONS = 25, 40, 20  # words; words of an exception; one sentence in so many
CELL = 12  # words
COLUMNS = 100
HEADERS = ("runtime/hnow.h", "runtime/hnow_checked.h", "probe/hnow_net.h", "coll/hnow_coll.h", "coll/hnow_coll_checked.h")

# What is refused, and what to write instead.
PHRASES = {
    r"\bhears? of\b": "is notified",
    r"\bknows? of\b": "records, has",
    r"\bhas come\b|\bhave come\b|\bcomes? to stand\b": "has arrived",
    r"\bgoes on\b|\bgo on\b": "continues",
    r"\bstands? (?:in|for|at|behind|beside|before|there)\b": "is in, is defined in",
    r"\bfor nothing\b|\bas good as\b": "at no cost, in vain",
    r"(?:^|[.:] )Wh(?:o|oever)\b[^?.]*\.": "If a member ..., it ...",
    r"\bis told\b|\bare told\b": "is notified",
    r"\bnudges?\b": "tail probe",
    r"\bbells?\b": "doorbell",
    r"\bfarewells?\b": "termination notice",
    r"\bdear\b|\bhaste\b|\brivals?\b|\bcontests?\b": "expensive, deadline, candidates, selection",
    r"\bstrays?\b": "early message",
    r"\bin parts\b": "in pieces",
}
ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|Fig|No|pp?|St)\.")


def blocks(lines):
    """(number, text) of each paragraph, list item and table cell of a page; code is left out."""
    paragraph, began, fenced = [], 0, False
    for number, line in enumerate([*lines, ""], 1):
        if line.startswith("```"):
            fenced = not fenced
        is_prose = not fenced and line.strip() and not re.match(r"```|#|\||!\[|    |<", line)
        if paragraph and (not is_prose or re.match(r"\s*(?:[*-]|\d+\.) ", line)):
            yield began, " ".join(paragraph)
            paragraph = []
        if is_prose or paragraph and line.startswith("    ") and line.strip():
            began = began if paragraph else number
            paragraph.append(line.strip())


def plain(text):
    """Without marks; a piece of code or a link counts as one word."""
    text = re.sub(r"`[^`]*`", "code", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return ABBREVIATION.sub("abbreviation", re.sub(r"[*_]{1,2}(\S[^*_]*)[*_]{1,2}", r"\1", text))


def sentences(text):
    """Parts that end with a full stop, question mark or colon; so do items of lists with semicolons."""
    return [part for part in re.split(r"(?<=[.!?:;])\s+(?=[\W]*[A-Z0-9a-z])", plain(text)) if part.strip()]


def words(text):
    return [word for word in text.split() if re.search(r"\w", word)]


def of_sentences(found):
    """Problems with (number, text) pieces; first what is said, then how long the sentences are."""
    parts = [(number, sentence) for number, text in found for sentence in sentences(text)]
    long = [(number, len(words(part))) for number, part in parts if len(words(part)) > SENTENCE]
    for number, count in sorted(long, key=lambda one: -one[1])[:max(0, len(long) - len(parts) // EXCEPTIONS)]:
        yield number, f"a sentence of {count} words: at most {SENTENCE}"
    for number, count in long:
        if count > LONGEST:
            yield number, f"a sentence of {count} words: never more than {LONGEST}"
    for number, text in found:
        for phrase, better in PHRASES.items():
            for match in re.finditer(phrase, plain(text)):
                yield number, f"\"{match[0][:40]}\": write: {better}"


def cells(lines):
    fenced = False
    for number, line in enumerate(lines, 1):
        fenced ^= line.startswith("```")
        if line.startswith("|") and not fenced:
            for cell in re.split(r"(?<!\\)\|", re.sub(r"`[^`]*`", "code", line))[1:-1]:
                if len(words(plain(cell))) > CELL:
                    yield number, f"a table cell of {len(words(plain(cell)))} words: at most {CELL}"


def wide(lines):
    fenced = False
    for number, line in enumerate(lines, 1):
        fenced ^= line.startswith("```")
        if len(line) > COLUMNS and not fenced and not re.match(r"\||    |!\[", line):
            yield number, f"{len(line)} columns: at most {COLUMNS}"


def comments(text):
    """(number, text) of each comment of a header, paragraph by paragraph."""
    for comment in re.finditer(r"/\*.*?\*/", text, re.DOTALL):
        number = text[:comment.start()].count("\n") + 1
        body = re.sub(r"^ ?\* ?", "", comment[0][2:-2], flags=re.MULTILINE)
        for paragraph in re.finditer(r"(?:.+\n?)+", body):
            rows = [row for row in paragraph[0].splitlines() if not row.startswith("    ")]
            yield number + body[:paragraph.start()].count("\n"), " ".join(row.strip() for row in rows)


def problems(path):
    """(line, what is wrong) of a page or header."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    lines = text.splitlines()
    if path.endswith(".h"):
        return sorted(of_sentences(list(comments(text))))
    return sorted([*of_sentences(list(blocks(lines))), *cells(lines), *wide(lines)])


def found(source):
    """A line for each problem, in pages and public headers that are not in tests/language.todo."""
    with open(f"{source}/tests/language.todo", encoding="utf-8") as file:
        later = {line.strip() for line in file if line.strip() and not line.startswith("#")}
    report = ""
    for path in [*pages(source), *(f"{source}/{header}" for header in HEADERS)]:
        name = os.path.relpath(path, source)
        wrong = problems(path)
        if name not in later:
            report += "".join(f"{name}:{line}: {what}\n" for line, what in wrong)
        elif not wrong:
            report += f"{name} is as it should be: take it out of tests/language.todo\n"
    return report
