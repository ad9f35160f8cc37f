"""Looks at the pages (*.md): every link leads to a file and a heading, and docs/README.md links every page of docs/."""

import glob
import os
import re

LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def pages(source):
    found = glob.glob(f"{source}/*.md")
    for room in ("docs", "runtime", "probe", "coll", "apps", "tests"):
        found += glob.glob(f"{source}/{room}/**/*.md", recursive=True)
    return sorted(found)


def text_of(page):
    """A page without its fenced blocks."""
    with open(page, encoding="utf-8") as file:
        return FENCED.sub("", file.read())


def links(page):
    """(path, anchor) of each link to a file or heading; the anchor is "" if the link names none."""
    for link in LINK.findall(CODE.sub("", text_of(page))):
        if not re.match(r"[a-z]+:", link):
            place, _, anchor = link.partition("#")
            yield os.path.normpath(os.path.join(os.path.dirname(page), place)) if place else page, anchor


def anchors(page):
    """The names that headings of a page get: lower case, words joined by hyphens, other signs left out."""
    for heading in HEADING.findall(text_of(page)):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        yield re.sub(r"[^\w -]", "", title.strip().lower()).replace(" ", "-")


def broken(source):
    """A line for each link that leads nowhere."""
    report = ""
    for page in pages(source):
        for target, anchor in links(page):
            where = f"{os.path.relpath(page, source)} links to {os.path.relpath(target, source)}"
            if not os.path.exists(target):
                report += f"{where}, which is not there\n"
            elif anchor and target.endswith(".md") and anchor not in anchors(target):
                report += f"{where}#{anchor}, but no heading has this anchor\n"
    return report


def unlinked(source):
    """A line for each page of docs/ that its index does not link."""
    index = f"{source}/docs/README.md"
    linked = {index, *(target for target, _ in links(index))}
    return "".join(f"docs/README.md does not link {os.path.basename(page)}\n"
                   for page in sorted(glob.glob(f"{source}/docs/*.md")) if page not in linked)
