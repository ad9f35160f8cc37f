"""Stages that run the code under the sanitizers of clang, and its fuzzer.

A sanitizer that finds a fault ends the program, so it is a failed case, whose output contains the
report.
"""

import functools
import glob
import os

from . import builds, lanes, smoke
from .suite import which

FUZZ_SECONDS = 5
SANITIZERS = {
    # A size that no machine has must come back as "out of memory", not end the program.
    "ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=1:max_allocation_size_mb=256",
    "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
    "TSAN_OPTIONS": "halt_on_error=1:second_deadlock_stack=1",
    "HNOW_SHORT": "1",  # an eighth of the random rounds (tests/unit/random.h)
}


def sanitized_address(suite):
    """Unit tests and short real runs under AddressSanitizer and UBSan."""
    sanitized(suite, "asan")


def sanitized_thread(suite):
    """What has threads, and short real runs, under ThreadSanitizer."""
    sanitized(suite, "tsan")  # the build has only tests of what has threads


def sanitized(suite, build):
    from .stages import criterion
    if lacks(suite, build, "clang"):
        return
    suite.gathered += criterion(suite, build, build, **SANITIZERS) + smoke.jobs(suite, build, **SANITIZERS)


def fuzz(suite):
    """Every parser of tests/fuzz for a short while, from its kept corpus."""
    if lacks(suite, "fuzz", "clang"):
        return
    directory = suite.builds.make("asan")
    if not directory:
        return
    lanes.side_by_side(suite, [
        lanes.Job("fuzz", name, functools.partial(fuzz_one, path=path, name=name),
                  lambda came, name=name: suite.results.check("fuzz", name, *came))
        for path in sorted(glob.glob(f"{directory}/tests/fuzz/fuzz_*"))
        if os.path.isfile(path) and suite.wants(name := os.path.basename(path).removeprefix("fuzz_"))])


def fuzz_one(suite, path, name):
    """New inputs go to a temporary directory; one that crashes is kept, and its name is printed."""
    kept = f"{suite.source}/tests/fuzz/corpus/{name}"
    finds, crashes = os.path.join(suite.tmp, "finds"), builds.kept(suite.source, "crashes", "")
    os.makedirs(finds)
    os.makedirs(crashes, exist_ok=True)
    command = [path, f"-max_total_time={FUZZ_SECONDS}", "-timeout=10", "-rss_limit_mb=1500",
               "-malloc_limit_mb=1000000", "-max_len=65536", f"-artifact_prefix={crashes}{name}-"]
    if os.path.exists(f"{suite.source}/tests/fuzz/{name}.dict"):
        command.append(f"-dict={suite.source}/tests/fuzz/{name}.dict")
    return suite.check_run([*command, finds, kept], pattern=r"^Done \d+ runs", limit=120,
                           env=suite.environment(**SANITIZERS))


def lacks(suite, stage, *programs):
    missing = which(*programs)
    if missing:
        suite.results.skipped(stage, "all of it", f"{missing} is not installed")
    return missing is not None
