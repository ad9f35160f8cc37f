"""Reads the Test Anything Protocol, as Criterion and our own test scripts print it.

    1..2                            how many results follow; 1..0 # SKIP why: none, and why
    ok 1 - name                     a case that passed; "# SKIP why" behind it: skipped
    not ok 2 - name                 a case that failed; the indented or "#" lines after it tell why
    Bail out! why                   no further results
"""

import re

PLAN = re.compile(r"1\.\.(\d+)\s*(?:#\s*skip\w*\s*(.*))?$", re.IGNORECASE)
RESULT = re.compile(r"(not )?ok\b\s*\d*\s*(?:-\s*)?(.*)$")
DIRECTIVE = re.compile(r"\s#\s*(skip|todo)\w*\s*(.*)$", re.IGNORECASE)
TIME = re.compile(r"\s+\(\d+\.\d+s\)$")


def parse(text):
    """-> (cases as (name, outcome, text), problem or "")."""
    cases, planned, problem = [], None, ""
    for line in text.splitlines():
        if plan := PLAN.match(line):
            planned = int(plan[1])
            if planned == 0:
                cases.append(("", "skipped", plan[2] or "no reason given"))
        elif result := RESULT.match(line):
            cases.append(case(result))
        elif line.startswith("Bail out!"):
            problem = line
        elif cases and cases[-1][1] == "failed" and line[:1] in (" ", "#"):
            name, outcome, why = cases[-1]
            cases[-1] = (name, outcome, why + line + "\n")
    found = len(cases) if planned else 0
    if planned is None:
        problem = problem or "it printed no plan (1..N)"
    elif planned and found != planned:
        problem = problem or f"it announced {planned} results and gave {found}"
    return cases, problem


def case(result):
    name, outcome, why = result[2], "failed" if result[1] else "passed", ""
    if directive := DIRECTIVE.search(name):
        name = name[: directive.start()]
        if directive[1].lower() == "skip":
            outcome, why = "skipped", directive[2] or "no reason given"
    return TIME.sub("", name).strip() or "(unnamed)", outcome, why


def with_output(cases, output):
    """What the program printed beside its report, told with the first case that failed.

    A check that fails in a forked task stands there only, as does what a sanitizer found.
    """
    first = next(i for i, (_, outcome, _) in enumerate(cases) if outcome == "failed")
    name, outcome, why = cases[first]
    return [*cases[:first], (name, outcome, f"{why}It printed:\n{output}"), *cases[first + 1:]]
