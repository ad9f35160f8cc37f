"""Man pages of the public functions, made from the comments of the headers: one page for each part.

A part begins with a comment like `/* ---- messages ---- */`. Within a part, a comment describes the
declarations that follow it until the next comment.
"""

import dataclasses
import re

import roff

PART = re.compile(r"/\* -{2,} (.+?) -{2,}\s*(?:\*/)?\s*$", re.MULTILINE)
COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)

# Parameters that have the same meaning in all functions.
COMMON = {
    "tid": "A task of the job.",
    "to": "The receiver, or a list of receivers.",
    "from": "The sender.",
    "tag": "A number from 0 on that sender and receiver agree upon.",
    "data": "The elements, or room for them.",
    "count": "The number of elements.",
    "type": "The type of an element, such as HN_INT or HN_DOUBLE.",
    "group": "The group; the caller is a member.",
    "root": "The rank, in the group, at which the operation begins or ends.",
    "op": "The operator.",
    "n": "The number of entries of a list.",
    "info": "Gets the sender, the tag, the type and the count of a message.",
    "request": "The request; a function that begins something stores a new one here.",
    "in": "The caller's contribution.",
    "out": "Gets the result.",
    "send": "The caller's contribution.",
    "recv": "Gets the result.",
    "net": "The network model.",
    "path": "The name of a file.",
    "host": "A host, by its number in the network model.",
    "rank": "A rank in the group.",
    "index": "Gets a place in the list.",
    "milliseconds": "The longest time to wait.",
    "bytes": "The size of a message.",
    "subnet": "A subnet, by its number in the network model.",
    "buffer": "The message buffer.",
    "name": "The name, of a host, a group or an entry.",
    "file": "The source file of a call.",
    "line": "The line of a call.",
    "signo": "The number of a signal.",
    "send_tag": "The tag of the message to be sent.",
    "recv_tag": "The tag of the message to be received, or HN_ANY.",
    "in_count": "The number of elements for each member, or of the caller's contribution.",
    "out_count": "The number of elements to be sent.",
    "in_type": "The type of the elements in `in`.",
    "out_type": "The type of the elements in `out`.",
    "counts": "The number of elements of each member, by rank.",
    "displs": "Where the elements of each member begin, in elements.",
    "in_counts": "As counts, of the caller's contribution.",
    "in_displs": "As displs, of the caller's contribution.",
    "in_places": "Where each contribution begins, in bytes.",
    "in_types": "The type of the elements of each contribution.",
    "text": "A text that ends with a 0 byte.",
    "length": "The length of a text, in bytes.",
    "parent": "The group of which the new one has members.",
    "smaller": "Gets the new group.",
    "flags": "The sum of the flags above; 0: none.",
    "multicast": "1: one datagram reaches all members of the subnet; 0: it does not.",
    "near": "The names at one end.",
    "nears": "Their number.",
    "far": "The names at the other end.",
    "fars": "Their number.",
    "here": "A time of the caller's clock, in nanoseconds.",
    "messages": "The messages, the same list at all members.",
    "from_count": "Gets the number of neighbours that send to the caller.",
    "to_count": "Gets the number of neighbours to which the caller sends.",
    "coords": "A coordinate for each dimension.",
    "forecast": "Gets what the model predicts.",
}


@dataclasses.dataclass
class Function:
    name: str
    text: str  # the declaration, on one line
    parameters: list
    behind: str  # the comment after it


@dataclasses.dataclass
class Part:
    header: str
    title: str
    items: list  # str (a comment), or Function

    def functions(self):
        return [item for item in self.items if isinstance(item, Function)]

    def page(self):
        """hn-messages: the first words of the title."""
        words = re.sub(r"\(.*?\)|[^a-z ]", "", self.title.lower()).split()
        return "-".join(["hn", *(word for word in words if word not in ("the", "its", "a", "of", "that", "and"))][:4])

    def paragraphs(self):
        """Returns (comment, the functions that it describes), and (comment after a function, None)."""
        done = []
        for item in self.items:
            if isinstance(item, str):
                done.append((item, []))
            elif done:
                done[-1][1].append(item)
            else:
                done.append(("", [item]))
        return done


def spoken(comment):
    """A comment's text without its stars; lines that are indented further stay lines."""
    lines = [re.sub(r"^\s*\* ?", "", line).rstrip() for line in comment.strip().splitlines()]
    return "\n".join(lines).strip()


def parameters(declaration):
    """Returns the names of the parameters; "" for one without a name."""
    inside = declaration[declaration.index("(") + 1:declaration.rindex(")")]
    inside = re.sub(r"\(\*(\w+)\)\([^)]*\)", r"\1", inside)  # a pointer to a function
    found = []
    for one in inside.split(","):
        one = re.sub(r"\[[^\]]*\]", "", one.strip())
        if one in ("void", "..."):
            continue
        words = re.findall(r"\w+", one)
        found.append(words[-1] if len(words) > 1 else "")
    return found


def function(declaration, behind):
    text = " ".join(COMMENT.sub("", declaration).split())
    text = re.sub(r"\s*__attribute__\s*\(\(.*?\)\)", "", text)
    name = re.search(r"(\w+)\s*\(", text)[1]
    return Function(name, text, parameters(text), behind)


def read(path):
    """Returns the Parts of a header."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    marks = list(PART.finditer(text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    return [part(path.rsplit("/", 1)[-1], mark[1].strip(), text[mark.end():end])
            for mark, end in zip(marks, ends)]


def unplaced(path):
    """Returns the functions before the first part, which would get no page."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    mark = PART.search(text)
    found = part(path.rsplit("/", 1)[-1], "", text[:mark.start() if mark else len(text)])
    return [f"{found.header}: {one.name} is in no part of the header: /* ---- part ---- */" for one in found.functions()]


def part(header, title, text):
    """Returns the comments outside of declarations in their order, and the functions after them."""
    made = Part(header, title, [])
    pattern = re.compile(r"^/\*(.*?)\*/|^HN_API\s+([^;]*);([^\n]*)", re.DOTALL | re.MULTILINE)
    for found in pattern.finditer(text):
        if found[1] is not None:
            made.items.append(spoken(found[1]))
            continue
        behind = comment_behind(text, found.start(3))
        made.items.append(function(found[2], behind))
    return made


def comment_behind(text, at):
    """A comment that begins on the line of a declaration."""
    line = text[at:text.find("\n", at)]
    if "/*" not in line:
        return ""
    begin = text.index("/*", at)
    return spoken(text[begin + 2:text.index("*/", begin)])


def missing(part_):
    """Returns a message for each parameter that has no name or no description."""
    everything = "\n".join(item if isinstance(item, str) else item.behind for item in part_.items)
    for one in part_.functions():
        for name in one.parameters:
            if not name:
                yield f"{part_.header}: {one.name}: a parameter has no name"
            elif name not in COMMON and not re.search(rf"\b{name}\b", everything):
                yield f"{part_.header}: {one.name}: no comment of \"{part_.title}\" says what {name} is"


def text_of(comment):
    """Formats paragraphs; indented lines are kept as they are."""
    done = []
    for paragraph in comment.split("\n\n"):
        flow, block = [], []
        for line in paragraph.splitlines():
            if line.startswith("    "):
                block.append(line[4:])
                continue
            if block:
                done += (([".PP", roff.inline(" ".join(flow))] if flow else []) + roff.code(block))
                flow, block = [], []
            flow.append(line)
        if flow:
            done += [".PP", roff.inline(" ".join(flow))]
        if block:
            done += roff.code(block)
    return done


def prototype(one):
    return [".HP 8", f"\\fB{roff.escape(one.text)};\\fR"]


def described(comment, functions):
    names = ", ".join(f"{one.name}()" for one in functions)
    done = [f'.SS "{names}"'] if functions else []
    done += text_of(comment)
    for one in functions:
        if one.behind:
            done += [".PP", f"\\fB{one.name}\\fR(): {roff.inline(' '.join(one.behind.split()))}"]
    return done


def man(part_, version):
    functions = part_.functions()
    done = roff.head(part_.page(), 3, "", f"hnow {version}")
    done[-1] = f"{', '.join(one.name for one in functions)} \\- {roff.escape(part_.title)}"
    done += [".SH SYNOPSIS", f"\\fB#include <{part_.header}>\\fR", ".PD 0"]
    for one in functions:
        done += prototype(one)
    done += [".PD", ".SH DESCRIPTION"]
    for comment, described_ in part_.paragraphs():
        done += described(comment, described_)
    common = [name for name in COMMON if any(name in one.parameters for one in functions)]
    if common:
        done += [".SH PARAMETERS"]
    for name in common:
        done += [".TP", f"\\fI{name}\\fR", roff.inline(COMMON[name])]
    done += [".SH SEE ALSO", f"\\fB{part_.header}\\fR(3), \\fBhrun\\fR(1)"]
    return "\n".join(done) + "\n"


def introduction(path, version):
    """The comment at the top of a header, which applies to all of its functions."""
    header = path.rsplit("/", 1)[-1]
    with open(path, encoding="utf-8") as file:
        text = spoken(COMMENT.match(file.read())[1])
    about, _, rest = text.partition("\n\n")
    done = roff.head(header, 3, "", f"hnow {version}")
    done[-1] = roff.escape(header) + " \\- " + roff.escape(" ".join(about.split(" - ", 1)[-1].split()).rstrip("."))
    parts = [part_ for part_ in read(path) if part_.functions()]
    done += [".SH DESCRIPTION", *text_of(rest), ".SH SEE ALSO",
             ", ".join(f"\\fB{roff.escape(part_.page())}\\fR(3)" for part_ in parts)]
    return "\n".join(done) + "\n"
