"""Parses the option table of a tool from the output of -help (runtime/base/options.c)."""

import dataclasses
import re
import subprocess

COLUMN = 26  # column of the descriptions: options_help()


@dataclasses.dataclass
class Option:
    names: list  # without dashes
    argument: str  # "": it takes no value
    text: str


@dataclasses.dataclass
class Tool:
    name: str
    usage: list  # lines
    about: str
    options: list
    rest: list  # lines after the options

    def named(self, name):
        return next((option for option in self.options if name in option.names), None)


def read(program):
    """Returns the Tool; raises an exception if the output does not have the form of options_help()."""
    run = subprocess.run([program, "-help"], capture_output=True, text=True, check=True, timeout=60)
    return parse(program.rsplit("/", 1)[-1], run.stdout)


def parse(name, text):
    lines = text.splitlines()
    if not lines or not lines[0].startswith("usage: ") or "" not in lines:
        raise ValueError(f"{name} -help: no usage, about and options as options_help() prints them")
    blank = lines.index("")
    usage = [lines[0].removeprefix("usage: ")] + [line.removeprefix("       ") for line in lines[1:blank - 1]]
    tool = Tool(name, usage, lines[blank - 1], [], [])
    at = blank + 1
    while at < len(lines) and lines[at].startswith("  "):
        add_line(tool, lines[at])
        at += 1
    tool.rest = lines[at:]
    return tool


def add_line(tool, line):
    if line.startswith("  other names: "):
        for alias, name in re.findall(r"-(\S+) \(-(\S+)\)", line):
            tool.named(name).names.append(alias)
    elif line.startswith(" " * COLUMN):
        tool.options[-1].text += " " + line.strip()
    elif line.startswith("  -h, -help "):
        tool.options.append(Option(["help", "h"], "", line[COLUMN:]))
    else:
        tool.options.append(Option(*row(line)))


def row(line):
    """Two spaces, a name, an argument if it has one, at least one space, the text."""
    left, text = line[2:COLUMN].rstrip(), line[COLUMN:]
    if len(line) >= COLUMN and line[COLUMN - 1] != " ":  # too long for its column
        name, argument, text = line.split(maxsplit=2)
        left = f"{name} {argument}"
    name, _, argument = left.partition(" ")
    return [name.removeprefix("-")], argument.strip(), text.strip()
