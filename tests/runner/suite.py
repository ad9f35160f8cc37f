"""What every stage works with: where things are, the results, and how one test program is run."""

import os
import re
import shutil
import tempfile

from . import builds, leftovers, process, tap

LIMIT = 300  # seconds a test program may take when it does not say otherwise


class Suite:
    def __init__(self, source, results):
        self.source = source
        self.results = results
        self.wanted = ""  # what the programs of the stage must have in their names
        self.builds = builds.Builder(source, results)
        self.tmp = tempfile.mkdtemp(prefix="hnt.")
        self.scratch = os.path.join(self.tmp, "t")  # short: unix sockets have 107 characters
        os.mkdir(self.scratch)
        self.prefix = f"t{os.getpid()}"
        self.watch = leftovers.Watch(self.prefix)

    def close(self):
        process.reap_rest(0)
        shutil.rmtree(self.tmp, ignore_errors=True)

    def wants(self, name):
        """Was this program asked for?  (tests/run STAGE/PART)"""
        return self.wanted in name

    def environment(self, build=None, **more):
        """The environment of a test program; nothing of the caller's leads it astray."""
        env = {**os.environ, "LC_ALL": "C.UTF-8", "TMPDIR": self.scratch}
        env |= {"HNOW_SOURCE": self.source, "HNOW_BED_PREFIX": self.prefix}
        if build:
            env["HNOW_BUILD"] = build
        return env | more

    def run(self, command, limit=LIMIT, cwd=None, env=None):
        """Runs a program -> (Ended, what it left behind as text)."""
        ended = process.run(command, limit, cwd=cwd or self.scratch, env=env or self.environment())
        left = [f"process {one}" for one in ended.left] + self.watch.new()
        left += [f"file $TMPDIR/{name}" for name in leftovers.empty(self.scratch)]
        return ended, "".join(f"left behind: {one}\n" for one in left)

    def check(self, stage, name, command, expect=0, pattern=None, **options):
        """A case of its own: the command ends with this status, prints this, leaves nothing."""
        ended, left = self.run(command, **options)
        problem = left
        if ended.status != expect:
            problem += f"exit status {ended.status}, not {expect}\n"
        if pattern and not re.search(pattern, ended.output, re.MULTILINE):
            problem += f"nothing in its output matches {pattern!r}\n"
        if problem:
            problem = f"$ {' '.join(map(str, command))}\n{ended.output}\n{problem}"
        self.results.check(stage, name, problem, ended.seconds)
        return not problem

    def tap_program(self, stage, name, command, report=None, again=False, **options):
        """Runs a program that speaks TAP, into the file `report` or else on its stdout.

        With `again`, for programs that live by the clock of a busy machine, one with failed cases
        is run a second time; what fails once and then passes is named at the end of the run.
        """
        cases, seconds = self.tap_run(command, report, **options)
        if again and any(outcome == "failed" for _, outcome, _ in cases):
            second, more = self.tap_run(command, report, **options)
            cases, seconds = tap.second_try(cases, second), seconds + more
        self.results.program(stage, name, cases, seconds)

    def tap_run(self, command, report=None, **options):
        """-> (cases as (name, outcome, text), seconds)."""
        ended, left = self.run(command, **options)
        cases, problem = tap.parse((report and read(report)) or ended.output)
        failed = any(outcome == "failed" for _, outcome, _ in cases)
        if ended.timed_out:
            problem = "killed"
        elif ended.status != 0 and not failed and not problem:
            problem = f"exit status {ended.status} although no case failed"
        if problem:
            cases.append(("as a whole", "failed", f"{problem}\n{ended.output}"))
        if left:
            cases.append(("leaves nothing behind", "failed", left))
        return cases, ended.seconds


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def which(*programs):
    """The first of the programs that is missing, or None."""
    return next((program for program in programs if not shutil.which(program)), None)
