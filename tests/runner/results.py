"""What was found out: one record a case, counted and printed as it comes.

A case is the smallest thing that can fail by itself: a Criterion test, a line of a TAP program, a
build, an install check.  Passed cases are summed up in one line a program, failed ones are printed
in full at once, skipped ones with their reason.  A case that failed and passed when its program was
run again is "unsteady": it is printed like a failed one and counts as passed.  The last line of a
run is always the same: `N passed, N failed, N skipped`.
"""

import sys
import time
from dataclasses import dataclass


@dataclass
class Case:
    stage: str
    name: str
    outcome: str  # "passed", "unsteady", "failed" or "skipped"
    text: str = ""  # why it was skipped; what a failed or unsteady case printed


class Results:
    def __init__(self, verbose=False):
        self.cases = []
        self.verbose = verbose
        self.begun = time.monotonic()

    def add(self, stage, name, outcome, text="", seconds=None):
        self.cases.append(Case(stage, name, outcome, text.rstrip()))
        if outcome in ("failed", "unsteady"):
            say(f"{outcome.upper()} {stage}: {name}{took(seconds)}")
            for line in text.rstrip().splitlines():
                say("    " + line)
        elif outcome == "skipped":
            say(f"skipped {stage}: {name}: {text}")
        elif self.verbose:
            say(f"passed {stage}: {name}{took(seconds)}")

    def passed(self, stage, name, seconds=None):
        self.add(stage, name, "passed", seconds=seconds)

    def failed(self, stage, name, text, seconds=None):
        self.add(stage, name, "failed", text, seconds)

    def skipped(self, stage, name, reason):
        self.add(stage, name, "skipped", reason)

    def check(self, stage, name, problem, seconds=None):
        """A case that passes when `problem` is empty."""
        if problem:
            self.failed(stage, name, problem, seconds)
        else:
            self.passed(stage, name, seconds)
            if not self.verbose:
                say(f"  {stage}: {name}: passed{took(seconds)}")

    def program(self, stage, name, cases, seconds):
        """All cases of one program; `cases` are (name, outcome, text)."""
        for case, outcome, text in cases:
            self.add(stage, f"{name}: {case}" if case else name, outcome, text)
        counts = ", ".join(
            f"{n} {outcome}"
            for outcome in ("passed", "unsteady", "failed", "skipped")
            if (n := sum(1 for case in cases if case[1] == outcome))
        )
        say(f"  {stage}: {name}: {counts}{took(seconds)}")

    def count(self, outcome):
        return sum(1 for case in self.cases if case.outcome == outcome)

    def finish(self):
        """Names again what did not pass, then the line; returns the exit status."""
        say(f"\ntook {time.monotonic() - self.begun:.0f} s")
        headings = {"skipped": "skipped", "failed": "failed",
                    "unsteady": "unsteady (failed, passed when run again; counted as passed)"}
        for outcome, heading in headings.items():
            chosen = [case for case in self.cases if case.outcome == outcome]
            if chosen:
                say(f"\n{heading}:")
            for case in chosen:
                reason = f": {case.text}" if outcome == "skipped" else ""
                say(f"  {case.stage}: {case.name}{reason}")
        passed, failed, skipped = map(self.count, ("passed", "failed", "skipped"))
        passed += self.count("unsteady")
        if passed + failed == 0:
            say("nothing was run: see tests/run --list for what there is")
        say(f"{passed} passed, {failed} failed, {skipped} skipped")
        return 1 if failed or not passed else 0


class Gathered(Results):
    """What a lane finds out: kept, to be counted and printed by the runner (into())."""

    def add(self, stage, name, outcome, text="", seconds=None):
        self.cases.append((stage, name, outcome, text, seconds))

    def check(self, stage, name, problem, seconds=None):
        self.add(stage, name, "failed" if problem else "passed", problem, seconds)

    def into(self, results):
        for case in self.cases:
            results.add(*case)


def took(seconds):
    return "" if seconds is None else f" ({seconds:.1f} s)"


def say(line):
    print(line)
    sys.stdout.flush()
