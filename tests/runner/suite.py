"""What every stage works with: where things are, the results, and how one test program is run."""

import functools
import os
import re
import shutil
import tempfile
from dataclasses import dataclass, field

from . import builds, lanes, leftovers, process, tap, user_setup
from .results import say

LIMIT = 600  # seconds a test program may take when it does not say otherwise
# The share of all processors' time ("steal" in /proc/stat) above which a machine counts as disturbed: of
# that much, a test with two processes that need both processors feels a tenth.
DISTURBED = 0.05


class Suite:
    def __init__(self, source, results, alone=True, progress=None):
        self.source = source
        self.results = results
        self.progress = progress
        self.whole = False  # all stages of the second part run: what is in one need not be in another
        self.gathered = []  # jobs of this stage and of those before it that run together (run_gathered)
        self.wanted = ""  # what the programs of the stage must have in their names
        self.matched = True  # one of them has
        self.builds = builds.Builder(source, results)
        self.tmp = tempfile.mkdtemp(prefix="hnt.")
        self.scratch = os.path.join(self.tmp, "t")  # short: unix sockets have 107 characters
        os.mkdir(self.scratch)
        self.path = user_setup.python_first(os.path.join(self.tmp, "bin"), os.environ.get("PATH", os.defpath))
        self.prefix = f"t{os.getpid()}"
        self.watch = leftovers.Watch(self.prefix, alone)
        self.again = []  # what second_tries() runs: (stage, program, what it took)

    def lane(self):
        """A suite of this process' own (runner/lanes.py); what it finds out is not counted yet."""
        return Suite(self.source, None, alone=False)

    def close(self):
        process.reap_rest(0)
        shutil.rmtree(self.tmp, ignore_errors=True)

    def wants(self, name):
        """Was this program asked for?  (tests/run STAGE/PART)"""
        self.matched |= self.wanted in name
        return self.wanted in name

    def environment(self, build=None, **more):
        """The environment of a test program; nothing of the caller's leads it astray."""
        env = {**os.environ, "LC_ALL": "C.UTF-8", "TMPDIR": self.scratch, "PATH": self.path}
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

    def check(self, stage, name, command, *expected, **options):
        """A case of its own: the command ends as expected (check_run)."""
        problem, spent = self.check_run(command, *expected, **options)
        self.results.check(stage, name, problem, spent)
        return not problem

    def check_run(self, command, expect=0, pattern=None, **options):
        """The command ends with this status, prints this, leaves nothing -> (what is wrong, what it took)."""
        ended, left = self.run(command, **options)
        problem = left
        if ended.status != expect:
            problem += f"exit status {ended.status}, not {expect}\n"
        if pattern and not re.search(pattern, ended.output, re.MULTILINE):
            problem += f"nothing in its output matches {pattern!r}\n"
        if problem:
            problem = f"$ {' '.join(map(str, command))}\n{ended.output}\n{problem}"
        return problem, ended.spent

    def jobs(self, stage, programs, done=None, **how):
        """Jobs of programs that speak TAP."""
        def counted(program, cases, spent):
            self.results.program(stage, program.name, cases, spent)

        return [lanes.Job(stage, one.name, functools.partial(Suite.tap_run, program=one),
                          lambda came, one=one: (done or counted)(one, *came), alone=one.alone, **how)
                for one in programs]

    def tap_programs(self, stage, programs, again=False):
        """Gathers programs that speak TAP.

        With `again`, for programs that live by the clock of a busy machine: one that failed while
        other machines took more than DISTURBED of this one's processors is run a second time, alone,
        when all stages are done.  Whatever else failed has failed.
        """
        def done(program, cases, spent):
            failed = any(outcome == "failed" for _, outcome, _ in cases)
            if again and failed and spent.stolen > DISTURBED:
                self.again.append((stage, program, spent))
                say(f"  {stage}: {program.name}: failed on a disturbed machine ({disturbance(spent)}): "
                    "it is run again at the end")
                for name, outcome, text in cases:
                    if outcome == "failed":
                        say(f"    {name}\n{text}")
            else:
                self.results.program(stage, program.name, cases, spent)

        self.gathered += self.jobs(stage, programs, done)

    def run_gathered(self):
        """Runs what consecutive stages have gathered: programs that wait for half of their time, in what they leave
        of the processors those that compute, and at last, one by one, those that want to be alone.  Some scripts of
        the second part measure, so that these must have nearly nothing else beside them.

        Of each kind the longest come first, by the clock of earlier runs, so that none runs alone at the end.
        """
        jobs, self.gathered = self.gathered, []
        times = self.results.times
        if times:
            jobs.sort(key=lambda one: -times.of(one.stage, one.name))
        if self.progress:
            self.progress.begin_programs([(one.stage, one.name) for one in jobs])
        beside = [one for one in jobs if not one.alone]
        lanes.side_by_side(self, [one for one in beside if not one.computes], lanes.WIDTH + 1,
                           [one for one in beside if one.computes], lanes.IDLE if self.whole else lanes.NICE)
        for one in jobs:
            if one.alone:
                lanes.side_by_side(self, [one])

    def second_tries(self):
        """What disturbs a machine may last for minutes, so these come last."""
        for stage, one, first in self.again:
            cases, spent = self.tap_run(one)
            self.results.note(f"{stage}: {one.name} was run a second time: {disturbance(first)} during the first")
            self.results.program(stage, one.name, cases, first + spent)

    def tap_run(self, program):
        """-> (cases as (name, outcome, text), what it took)."""
        report = os.path.join(self.tmp, "report.tap")
        command = [word.replace("@REPORT@", report) for word in program.command]
        ended, left = self.run(command, program.limit,
                               env=self.environment(program.build, **program.environment))
        reported = read(report)
        cases, problem = tap.parse(reported or ended.output)
        if os.path.exists(report):
            os.unlink(report)
        failed = any(outcome == "failed" for _, outcome, _ in cases)
        if ended.timed_out:
            problem = "killed"
        elif ended.status != 0 and not failed and not problem:
            problem = f"exit status {ended.status} although no case failed"
        if problem:
            cases.append(("as a whole", "failed", f"{problem}\n{ended.output}"))
        elif failed and reported:
            cases = tap.with_output(cases, ended.output)
        if left:
            cases.append(("leaves nothing behind", "failed", left))
        return cases, ended.spent


def disturbance(spent):
    return f"other machines took {spent.stolen:.0%} of the processors, more than {DISTURBED:.0%}"


@dataclass
class Program:
    """One that speaks TAP: into the file that @REPORT@ stands for in its command, or on its stdout."""

    name: str
    command: list
    build: str
    environment: dict = field(default_factory=dict)
    limit: int = LIMIT
    alone: bool = False  # with nothing beside it


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def which(*programs):
    """The first of the programs that is missing, or None."""
    return next((program for program in programs if not shutil.which(program)), None)
