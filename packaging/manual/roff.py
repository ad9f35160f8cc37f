"""Converts text and Markdown pages to roff."""

import re


def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return "\\&" + text if text.startswith((".", "\\(aq")) else text


def inline(text):
    """Code becomes bold, emphasis italic; a link becomes its text."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = text.replace("**", "").replace("\\|", "|")
    parts = re.split(r"`([^`]*)`", text)
    done = [f"\\fB{escape(part)}\\fR" if i % 2 else emphasised(part) for i, part in enumerate(parts)]
    line = "".join(done)
    return "\\&" + line if line.startswith(".") else line


def emphasised(text):
    parts = re.split(r"(?<![\w*])\*([^*\s][^*]*)\*(?!\w)", text)
    return "".join(f"\\fI{escape(part)}\\fR" if i % 2 else escape(part).replace("\\&", "", 1)
                   for i, part in enumerate(parts))


def code(lines):
    return [".PP", ".RS 4", ".nf", *(escape(line) for line in lines), ".fi", ".RE"]


def head(name, section, about, source):
    return [f'.TH {name.upper()} {section} "" "{source}" "hnow"', ".SH NAME", f"{name} \\- {escape(about)}"]


def cells(line):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def is_rule(line):
    return bool(re.fullmatch(r"[|:\- ]+", line))


def table(lines):
    """A row becomes a term and its description; the head names the columns."""
    rows, done = [cells(line) for line in lines if not is_rule(line)], []
    heads, rows = rows[0], rows[1:]
    for row in rows:
        others = [f"{head}: {cell}" if len(row) > 2 and head else cell
                  for head, cell in zip(heads[1:], row[1:]) if cell]
        done += [".TP", inline(row[0]) or "\\&", inline("; ".join(others)) or "\\&"]
    return done


def blocks(text):
    """Returns (kind, lines): head, code, table, item or text."""
    lines, at = text.splitlines(), 0
    while at < len(lines):
        line, begin = lines[at], at
        if line.startswith("```"):
            at = next(i for i in range(at + 1, len(lines)) if lines[i].startswith("```")) + 1
            yield "code", lines[begin + 1:at - 1]
        elif line.startswith("#"):
            at += 1
            yield "head", [line]
        elif line.startswith("    "):
            while at < len(lines) and (lines[at].startswith("    ") or not lines[at].strip()):
                at += 1
            yield "code", [line[4:] for line in "\n".join(lines[begin:at]).rstrip().splitlines()]
        elif line.startswith("|"):
            while at < len(lines) and lines[at].startswith("|"):
                at += 1
            yield "table", lines[begin:at]
        elif not line.strip():
            at += 1
        else:
            item = bool(re.match(r"([*-]|\d+\.) ", line))
            at += 1
            while at < len(lines) and continues(lines[at]):
                at += 1
            yield "item" if item else "text", lines[begin:at]


def continues(line):
    return bool(line.strip()) and not line.startswith(("#", "|", "```")) and not re.match(r"([*-]|\d+\.) ", line)


def is_options(kind, lines):
    """A table whose rows are options."""
    return kind == "table" and len(lines) > 2 and cells(lines[2])[0].startswith("`-")


def page(text, options=()):
    """Returns the sections of a page, without its title and the code block below, which is the synopsis.
    The lines `options` replace its tables of options, in a section of their own."""
    done, section, first, given = [], "", True, False
    for kind, lines in blocks(text):
        if kind == "head":
            level, title = lines[0].split(" ", 1)
            section = title if level in ("#", "##") else section
            if level != "#":
                done += [f'.{"SH" if level == "##" else "SS"} "{escape(title.replace("`", "")).replace(chr(34), "")}"']
            continue
        is_synopsis, first = first and kind == "code", first and kind != "code"
        if is_options(kind, lines):
            done += [] if given else options if section == "Options" else [".SH OPTIONS", *options]
            given = True
        elif not is_synopsis:
            done += rendered(kind, lines)
    return done if given or not options else done + [".SH OPTIONS", *options]


def rendered(kind, lines):
    if kind == "code":
        return code(lines)
    if kind == "table":
        return table(lines)
    if kind == "item":
        return [".IP \\(bu 2", inline(re.sub(r"^([*-]|\d+\.) ", "", " ".join(line.strip() for line in lines)))]
    return [".PP", inline(" ".join(lines))]
