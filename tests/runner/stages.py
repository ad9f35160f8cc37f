"""The stages of the suite, in the order in which they run, and the simple ones themselves."""

import fnmatch
import functools
import glob
import os
import re

from . import language, pages, process
from .checked import fuzz, sanitized_address, sanitized_thread
from .checked_by_clang import clang
from .cross import cross
from .fresh import fresh
from .installed import install
from .suite import LIMIT, Program, read, which
from .wraps import wraps

CRITERION_LIMIT = 600  # seconds a single Criterion test may take; only what hangs needs them


def formatted(suite):
    """clang-format would change nothing; links of pages, and the English that a program can check."""
    suite.results.check("format", "links in pages lead somewhere", pages.broken(suite.source))
    suite.results.check("format", "docs/README.md links every page", pages.unlinked(suite.source))
    suite.results.check("format", "the English of pages and public headers", language.found(suite.source))
    version = process.run(["clang-format", "--version"], 20).output if not which("clang-format") else ""
    if not re.search(r"version 14\.", version):
        suite.results.skipped("format", "clang-format", "clang-format 14 is not here")
        return
    ended = process.run(["clang-format", "--dry-run", "-Werror", *c_files(suite.source)], 120)
    suite.results.check("format", "clang-format would change nothing", ended.output, ended.spent)


def c_files(source):
    rooms = ("runtime", "probe", "coll", "apps", "tests")
    found = [glob.glob(f"{source}/{room}/**/*.[ch]", recursive=True) for room in rooms]
    return sorted(sum(found, []))


def compiled(suite):
    """The release build that all of this tests, without a warning."""
    suite.builds.make("gcc")


def unit(suite):
    """The Criterion programs of tests/unit."""
    suite.gathered += criterion(suite, "unit", "gcc", lambda name: suite.wanted or not is_long(suite, name))


def long(suite):
    """Of the Criterion programs those that play thousands of histories, or whole studies."""
    suite.gathered += criterion(suite, "long", "gcc", lambda name: is_long(suite, name))


def is_long(suite, name):
    return says_long(f"{suite.source}/tests/unit/{name}.c")


def says_long(path):
    """A program of which a stranger need not wait for the end says so in its first comment: `Long: why`."""
    return re.search(r"^( \*|#) Long: ", read(path), re.MULTILINE) is not None


def criterion(suite, stage, build, chosen=lambda name: True, **environment):
    """Jobs: the unit tests of a build."""
    directory = suite.builds.make(build)
    flags = ["--quiet", "--tap=@REPORT@", "--timeout", str(CRITERION_LIMIT)]
    return suite.jobs(stage, [
        Program(name, [path, *flags], directory, environment, 3 * CRITERION_LIMIT)
        for path in sorted(glob.glob(f"{directory}/tests/unit/test_*") if directory else ())
        if os.path.isfile(path) and chosen(name := os.path.basename(path)) and suite.wants(name)], computes=True)


# The scripts that a stranger needs to trust a build, as stages of their own.
APART = {
    "launch": ("Starting, ending and feeding programs, here and over ssh.",
               ["launch/test_local", "launch/test_ending", "launch/test_stdio", "launch/test_ssh"]),
    "messages": ("Messages, groups, failures and collective operations, on this machine and on hosts in namespaces.",
                 ["services/*", "real/test_run", "real/test_groups", "real/test_services"]),
    "plans": ("Plans beside those of an independent reference, and the pictures of them.", ["plans/*"]),
    "hmd": ("hmd's energies, trajectories and options.", ["launch/test_hmd*"]),
}


def scripts(suite):
    """The other TAP programs tests/*/test_*: tools, measuring, hosts in namespaces, and long ones."""
    tap_stage(suite, "scripts", lambda name: not suite.whole or not any(is_of(suite, name, stage) for stage in APART))


def scripts_of(suite, stage):
    tap_stage(suite, stage, lambda name: is_of(suite, name, stage))


def is_of(suite, name, stage):
    """Whether that stage has the script, which the stage `scripts` then leaves out."""
    return (any(fnmatch.fnmatch(name, pattern) for pattern in APART[stage][1])
            and not says_long(f"{suite.source}/tests/{name}"))


def tap_stage(suite, stage, chosen):
    directory = suite.builds.make("gcc")
    if not directory:
        return
    suite.tap_programs(stage, [
        Program(name, [path], directory, limit=own_limit(path), alone=wants_quiet(path))
        for path in tap_scripts(suite.source)
        if chosen(name := os.path.relpath(path, f"{suite.source}/tests")) and suite.wants(name)],
        again=True)


def tap_scripts(source):
    found = sorted(glob.glob(f"{source}/tests/*/test_*"))
    return [path for path in found if os.access(path, os.X_OK) and os.path.isfile(path)]


def own_limit(path):
    """A script that needs longer says so in a comment: `# time limit: 900`."""
    limit = re.search(r"^# time limit: (\d+)", read(path), re.MULTILINE)
    return int(limit[1]) if limit else LIMIT


def wants_quiet(path):
    """A script that measures says so in a comment: `# runs alone: why`."""
    return re.search(r"^# runs alone: ", read(path), re.MULTILINE) is not None


def described(stage, text):
    stage.__doc__ = text
    return stage


# What ./bootstrap test runs, and what tests/run all runs beyond that.
FIRST = {
    "build": compiled,
    "unit": unit,
    **{name: described(functools.partial(scripts_of, stage=name), text) for name, (text, _) in APART.items()},
    "install": install,
}
REST = {
    "format": formatted,
    "clang": clang,
    "fuzz": fuzz,
    "wraps": wraps,
    "cross": cross,
    "long": long,
    "asan": sanitized_address,
    "tsan": sanitized_thread,
    "scripts": scripts,
    "fresh": fresh,
}
# What consecutive ones of these have gathered runs together (Suite.run_gathered).
GATHERING = {"unit", *APART, "long", "asan", "tsan", "scripts"}
STAGES = FIRST | REST
PARTS = {"first": list(FIRST), "rest": list(REST), "all": list(STAGES)}
