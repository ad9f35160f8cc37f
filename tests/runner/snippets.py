"""The C code in the pages: the pieces of a page, each as a function, are one file that compiles; a whole
program is a file of its own."""

import os
import re
import textwrap

from . import pages

FENCE = r"^```c\n(?P<fence>(?:(?!```).*\n)*)```"
INDENT = r"^\n(?P<indent>(?:    .*\n|\n)+)"
BLOCK = re.compile(f"{FENCE}|{INDENT}", re.MULTILINE)
CODE = re.compile(r"\bhn_\w+[^\n]*;")  # C, and no program's output
BESIDE = re.compile(r"^int main\(void\) +(?=int main)", re.MULTILINE)
INCLUDE = re.compile(r"^#include", re.MULTILINE)
PROGRAM = re.compile(r"^int main\(", re.MULTILINE)
FUNCTION = re.compile(r"^\w[^;{}=\n]*(?:\n +[^;{}=\n]*)?\)\n\{\n.*?^\}\n", re.MULTILINE | re.DOTALL)


def pieces(page):
    """(line, C code) of each piece in a page."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    for block in BLOCK.finditer(text):
        part = "fence" if block["fence"] else "indent"
        code = right(textwrap.dedent(block[part]))
        if CODE.search(code):
            yield text[:block.start(part)].count("\n") + 1, code


def right(code):
    """Of two programs beside each other, as in docs/pvm.md, ours; other code as it is."""
    beside = BESIDE.search(code)
    if not beside:
        return code
    lines = [line[len(beside[0]):] for line in code[beside.start():].splitlines()]
    end = lines.index("}") + 1
    return "\n".join(lines[:end]) + "\n"


def as_function(place, line, code):
    """A piece as it compiles: functions in it as they are, the rest inside of one."""
    at = f'#line {line} "{place}"\n'
    if INCLUDE.search(code):
        return at + code
    functions = "".join(FUNCTION.findall(code))
    rest = FUNCTION.sub(lambda function: "\n" * function[0].count("\n"), code)
    name = f"int piece_{line}(void)"
    return f"{at}{functions}{name};\n{name}\n{{\n{at}{rest}return 0;\n}}\n"


def files(source, directory):
    """Writes C files for each page that has code; yields the name of the page (with the line, for a whole
    program, which is a file of its own) and the file's."""
    for page in pages.pages(source):
        name = os.path.relpath(page, source)
        path = os.path.join(directory, name.replace("/", "-"))
        together = ""
        for line, code in pieces(page):
            if PROGRAM.search(code):
                yield f"{name}:{line}", written(f"{path}-{line}.c", as_function(name, line, code))
            else:
                together += as_function(name, line, code)
        if together:
            yield name, written(f"{path}.c", together)


def written(path, code):
    with open(path, "w", encoding="utf-8") as file:
        file.write(("" if INCLUDE.search(code) else '#include "snippets.h"\n') + code)
    return path
