"""How long what took: kept from run to run, for the table of `tests/run --times` and the forecast of what is left.

    {"stages": {stage: [seconds, cpu]}, "programs": {"stage: program": [seconds, cpu, cases]}}

`cpu` are seconds of processors, which other users of a machine change less than those of the clock.
"""

import json
import os
import time

from .process import Spent
from .results import say

EVERY = 15  # seconds between two lines of progress
GUESS = 20  # seconds that a stage takes of which nothing is known
BELIEVED = 120  # seconds at the expected pace that this machine's own is averaged with
SLOWEST = 20
NOTHING = 0.5  # seconds


class Times:
    def __init__(self, own, shipped):
        """Read from the file of this checkout's runs, else from the one that comes with hnow."""
        self.own = own
        self.stages, self.programs = {}, {}
        self.new = {"stages": {}, "programs": {}}
        for path in (shipped, own):
            self.read(path)

    def read(self, path):
        try:
            with open(path, encoding="utf-8") as file:
                known = json.load(file)
            self.stages |= {name: Spent(*took) for name, took in known["stages"].items()}
            self.programs |= {name: (Spent(*took[:2]), took[2]) for name, took in known["programs"].items()}
        except (OSError, ValueError, KeyError, TypeError):
            pass  # without it there are guesses

    def program(self, stage, name, spent, cases):
        self.programs[f"{stage}: {name}"] = (spent, cases)
        self.new["programs"][f"{stage}: {name}"] = (spent, cases)

    def stage(self, name, spent):
        if spent.seconds < NOTHING and name in self.stages:
            return  # it had nothing to do this time
        self.stages[name] = spent
        self.new["stages"][name] = spent

    def save(self):
        """Adds what is new: other runs in this checkout may have written meanwhile."""
        self.read(self.own)
        self.stages |= self.new["stages"]
        self.programs |= self.new["programs"]
        os.makedirs(os.path.dirname(self.own), exist_ok=True)
        known = {
            "stages": {name: [round(spent.seconds, 1), round(spent.cpu, 1)] for name, spent in self.stages.items()},
            "programs": {name: [round(spent.seconds, 1), round(spent.cpu, 1), cases]
                         for name, (spent, cases) in sorted(self.programs.items())},
        }
        with open(self.own, "w", encoding="utf-8") as file:
            json.dump(known, file, indent=0)

    def of(self, stage, name):
        """Seconds that a program is expected to take."""
        spent, _ = self.programs.get(f"{stage}: {name}", (Spent(seconds=1.0), 0))
        return spent.seconds

    def table(self, stages):
        """Markdown: the stages, and the slowest programs."""
        yield "| stage | programs | cases | s | CPU s |\n|---|--:|--:|--:|--:|"
        total = Spent()
        for name in stages:
            if name in self.stages:
                spent = self.stages[name]
                ours = [program for key, program in self.programs.items() if key.startswith(f"{name}: ")]
                cpu = sum(one.cpu for one, _ in ours)  # some of them ran beside those of another stage
                total += Spent(spent.seconds, cpu)
                yield f"| `{name}` | {len(ours)} | {sum(cases for _, cases in ours)} | {spent.seconds:.0f} | {cpu:.0f} |"
        yield f"| together | | | {total.seconds:.0f} | {total.cpu:.0f} |\n"
        yield "| of the programs, the slowest | cases | s | CPU s |\n|---|--:|--:|--:|"
        ordered = sorted(self.programs.items(), key=lambda item: -item[1][0].seconds)
        for name, (spent, cases) in ordered[:SLOWEST]:
            yield f"| {name} | {cases} | {spent.seconds:.1f} | {spent.cpu:.1f} |"


class Progress:
    """Says now and then how far a run has come, and when it may end."""

    def __init__(self, stages, times):
        self.stages, self.times = stages, times
        self.begun = self.said = time.monotonic()
        self.at = -1
        self.done = 0.0  # seconds that the stages before this one were expected to take
        self.expected = dict(times.stages)
        self.begin_programs([])

    def begin_stage(self, name):
        if self.at >= 0:
            self.done += self.of_stage(self.stages[self.at])
        self.at += 1
        self.begin_programs([])

    def begin_programs(self, names):
        """What this stage is going to run, also for those before it: (stage, name) of each program."""
        self.left = {name: self.times.of(*name) for name in names}
        self.total, self.count = sum(self.left.values()), len(self.left)

    def end_program(self, stage, name):
        self.left.pop((stage, name), None)
        if time.monotonic() - self.said >= EVERY:
            self.said = time.monotonic()
            say(self.line())

    def of_stage(self, name):
        if name in self.expected:
            return self.expected[name].seconds
        return self.total if name == self.stages[self.at] and self.total else GUESS

    def line(self):
        elapsed = time.monotonic() - self.begun
        share = 1 - sum(self.left.values()) / self.total if self.total else 0.0
        done = self.done + share * self.of_stage(self.stages[self.at])
        whole = sum(map(self.of_stage, self.stages))
        pace = (elapsed + BELIEVED) / (done + BELIEVED)
        where = f"program {self.count - len(self.left)} of {self.count}" if self.count else self.stages[self.at]
        return (f"-- stage {self.at + 1} of {len(self.stages)}, {where}, {elapsed // 60:.0f}:{elapsed % 60:02.0f} elapsed, "
                f"{about(pace * (whole - done))} left")


def about(seconds):
    return f"about {seconds / 60:.0f} min" if seconds >= 90 else f"about {max(10, round(seconds, -1)):.0f} s"
