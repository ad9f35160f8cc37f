"""What was found out: one record a case, counted and printed as it comes.

A case is the smallest thing that can fail by itself: a Criterion test, a line of a TAP program, a
build, an install check.  Passed cases are summed up in one line a program, failed ones are printed
in full at once, skipped ones with their reason.  The last line of a run is always the same:
`N passed, N failed, N skipped`, counted from the records.  A run can be one part of two: then its
records go to a file, and the closing line is that of the second part, which counts both.
"""

import json
import os
import sys
import time
from dataclasses import astuple, dataclass


NOTHING_RUN = 77  # exit status when all that was asked for is skipped; others read it as "skipped", too


@dataclass
class Case:
    stage: str
    name: str
    outcome: str  # "passed", "failed" or "skipped"
    text: str = ""  # why it was skipped; what a failed case printed


class Results:
    def __init__(self, verbose=False, times=None):
        self.cases = []
        self.notes = []
        self.verbose = verbose
        self.times = times  # what each program took (times.py)
        self.begun = time.monotonic()

    def add(self, stage, name, outcome, text="", spent=None):
        self.cases.append(Case(stage, name, outcome, text.rstrip()))
        if outcome == "failed":
            say(f"FAILED {stage}: {name}{took(spent)}")
            for line in text.rstrip().splitlines():
                say("    " + line)
        elif outcome == "skipped":
            say(f"skipped {stage}: {name}: {text}")
        elif self.verbose:
            say(f"passed {stage}: {name}{took(spent)}")

    def passed(self, stage, name, spent=None):
        self.add(stage, name, "passed", spent=spent)

    def failed(self, stage, name, text, spent=None):
        self.add(stage, name, "failed", text, spent)

    def skipped(self, stage, name, reason):
        self.add(stage, name, "skipped", reason)

    def note(self, text):
        """Printed now and at the end."""
        self.notes.append(text)
        say(text)

    def check(self, stage, name, problem, spent=None):
        """A case that passes when `problem` is empty."""
        if problem:
            self.failed(stage, name, problem, spent)
        else:
            self.passed(stage, name, spent)
            if not self.verbose:
                say(f"  {stage}: {name}: passed{took(spent)}")
        self.record(stage, name, spent, 1)

    def program(self, stage, name, cases, spent):
        """All cases of one program; `cases` are (name, outcome, text)."""
        for case, outcome, text in cases:
            self.add(stage, f"{name}: {case}" if case else name, outcome, text)
        counts = ", ".join(
            f"{n} {outcome}"
            for outcome in ("passed", "failed", "skipped")
            if (n := sum(1 for case in cases if case[1] == outcome))
        )
        say(f"  {stage}: {name}: {counts}{took(spent)}")
        self.record(stage, name, spent, len(cases))

    def record(self, stage, name, spent, cases):
        if self.times and spent:
            self.times.program(stage, name, spent, cases)

    def has_passed(self, stage, name):
        return any((case.stage, case.name, case.outcome) == (stage, name, "passed") for case in self.cases)

    def count(self, outcome):
        return sum(1 for case in self.cases if case.outcome == outcome)

    def counts(self):
        return ", ".join(f"{self.count(outcome)} {outcome}" for outcome in ("passed", "failed", "skipped"))

    def save(self, path):
        """For the second part of a run, and for who runs this one."""
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            json.dump([astuple(case) for case in self.cases], file)

    def add_first_part(self, path):
        try:
            with open(path, encoding="utf-8") as file:
                self.cases = [Case(*case) for case in json.load(file)] + self.cases
        except (OSError, ValueError, TypeError) as error:
            self.failed("runner", "the first part of the tests ran to its end", f"it left no results: {error}")

    def finish(self, whole=True):
        """Names again what did not pass, then the line; returns the exit status."""
        say(f"\ntook {time.monotonic() - self.begun:.0f} s")
        for outcome in ("skipped", "failed"):
            chosen = [case for case in self.cases if case.outcome == outcome]
            if chosen:
                say(f"\n{outcome}:")
            for case in chosen:
                reason = f": {case.text}" if outcome == "skipped" else ""
                say(f"  {case.stage}: {case.name}{reason}")
        for note in self.notes:
            say(f"\nnote: {note}")
        ran = {case.stage for case in self.cases if case.outcome != "skipped"}
        nothing = not ran or (not whole and ran == {"build"})  # the builds are made for the second part
        if nothing:
            say("nothing was run: see tests/run --list for what there is")
        say(self.counts() if whole else f"so far, without the second part: {self.counts()}")
        if nothing and not self.count("failed"):
            return NOTHING_RUN
        return 1 if self.count("failed") else 0


class Gathered(Results):
    """What a lane finds out: kept, to be counted and printed by the runner (into())."""

    def add(self, stage, name, outcome, text="", spent=None):
        self.cases.append((stage, name, outcome, text, spent))

    def check(self, stage, name, problem, spent=None):
        self.add(stage, name, "failed" if problem else "passed", problem, spent)

    def into(self, results):
        for case in self.cases:
            results.add(*case)
            results.record(case[0], case[1], case[4], 1)


def took(spent):
    return "" if spent is None else f" ({spent.seconds:.1f} s)"


def say(line):
    print(line)
    sys.stdout.flush()
