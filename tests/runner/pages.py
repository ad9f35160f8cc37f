"""Looks at the pages (*.md): no link leads nowhere, and docs/README.md links every page of docs/."""

import glob
import os
import re

LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def pages(source):
    found = glob.glob(f"{source}/*.md")
    for room in ("docs", "runtime", "probe", "coll", "apps", "tests"):
        found += glob.glob(f"{source}/{room}/**/*.md", recursive=True)
    return sorted(found)


def targets(page):
    """Files that a page links to, as paths."""
    with open(page, encoding="utf-8") as file:
        links = LINK.findall(CODE.sub("", file.read()))
    places = [link.split("#")[0] for link in links if not re.match(r"[a-z]+:", link)]
    return [os.path.normpath(os.path.join(os.path.dirname(page), place)) for place in places if place]


def broken(source):
    """A line for each link that leads nowhere."""
    return "".join(f"{os.path.relpath(page, source)} links to {os.path.relpath(target, source)}, "
                   "which is not there\n"
                   for page in pages(source) for target in targets(page)
                   if not os.path.exists(target))


def unlinked(source):
    """A line for each page of docs/ that its index does not link."""
    index = f"{source}/docs/README.md"
    linked = {*targets(index), index}
    return "".join(f"docs/README.md does not link {os.path.basename(page)}\n"
                   for page in sorted(glob.glob(f"{source}/docs/*.md")) if page not in linked)
