"""A page of runs as hbench has printed them."""

import json
import os

from . import plan

REMARKS = """Hosts are network namespaces of one machine (tests/hosts); hrun and hbench run as a user
would start them on the first host. Times move with what else the machine does: compare the rows of
one run. `tests/hosts/table {names}` makes this page again.
"""


def stored(keep, name):
    """The runs of a table that have been measured."""
    found = []
    for file in sorted(os.listdir(keep)):
        if file.startswith(f"{name}.") and file.endswith(".json"):
            with open(os.path.join(keep, file), encoding="utf-8") as text:
                found.append(json.load(text))
    return found


def circumstances(run):
    return (f"{run['date']}, {run['machine']}, load average {run['load'][0]} before and "
            f"{run['load'][1]} after, {run['seconds']} s")


def page(title, names, keep):
    lines = [f"# {title}", "", REMARKS.format(names=" ".join(names))]
    for name in names:
        for run in stored(keep, name):
            lines += [f"## {plan.TABLES[name].about}", "",
                      f"`hrun -hosts {run['topology']}.net hbench {' '.join(run['words'])}`  ",
                      f"{circumstances(run)}", "", "```", run["printed"].strip(), "```", ""]
    return "\n".join(lines).rstrip() + "\n"
