"""The builds of the test suite; each is set up once and updated afterwards.

Most stages use the programs of build/, which ./bootstrap makes, too; the suite builds the tests there.  The
other builds are directories of build/other/.
"""

import json
import os
import re
import shutil
from dataclasses import dataclass, field

from . import process

# Little optimisation: the compiler's time counts for more here than that of the programs; what goes
# on after a fault need not be compiled, and of what debuggers know reports need only lines.
SANITIZED = ["--buildtype=plain", "-Doptimization=1", "-Db_lundef=false",
             "-Dc_args=-gline-tables-only -fno-sanitize-recover=all"]

# What is run of the sanitized builds (smoke.py): the unit tests, and a few programs.  That of threads
# needs none of the applications' code.
CHECKED = ["unit-tests", "hrun", "hnowd", "apps/examples/hello", "apps/examples/jacobi"]
ADDRESSED = CHECKED + ["fuzzers", "hplan", "apps/hmd/hmd", "tests/launch/pvm_task", "tests/launch/pvm_job_task",
                       "tests/launch/pvm_group_task"]
# What jobs on several kinds of machines need.
CROSS = ["hnowd", "tests/cross/mixed_task", "tests/cross/together_task", "tests/cross/long_task",
         "tests/cross/mixed_coll_task"]


OWN = "gcc"  # the build in build/ itself
COMPILER_WARNS = re.compile(r"\S+:\d+(:\d+)?: warning:")  # FILE:LINE:COLUMN
SETUP = 300  # seconds that meson may take
COMPILE = 3600  # and ninja, which may get next to nothing of the processors (runner/lanes.py)


def kept(source, *names):
    """A path below build/other/, where what the suite keeps from run to run is."""
    return os.path.join(source, "build", "other", *names)


@dataclass
class Build:
    name: str
    compiler: str
    options: list = field(default_factory=list)
    targets: list = field(default_factory=list)  # what to compile; none: everything


def other(name, compiler, targets=()):
    """A build for another machine: static, so that its programs need no root file system; with
    little optimisation, which takes a cross-compiler minutes that qemu does not win back."""
    return Build(name, compiler, ["--cross-file", f"@SOURCE@/build/other/sysroot-{name}/cross.ini",
                                  "-Dtests=false", "-Ddefault_library=static",
                                  "--wrap-mode=nofallback", "-Doptimization=1"], list(targets))


BUILDS = {
    build.name: build
    for build in (
        Build(OWN, "gcc", ["-Dtests=true"]),
        # The fuzzing harnesses, too: what they are linked with is all that the unit tests need.
        Build("asan", "clang", SANITIZED + ["-Db_sanitize=address,undefined", "-Dfuzz=true"], ADDRESSED),
        Build("tsan", "clang", SANITIZED + ["-Db_sanitize=thread"], CHECKED),
        other("s390x", "s390x-linux-gnu-gcc", CROSS),
        other("i386", "i686-linux-gnu-gcc"),
        other("arm64", "aarch64-linux-gnu-gcc", CROSS),
    )
}


class Builder:
    """Makes builds when a stage asks for them, each at most once a run."""

    def __init__(self, source, results):
        self.source = source
        self.results = results
        self.done = {}

    def directory(self, name):
        return os.path.join(self.source, "build") if name == OWN else kept(self.source, name)

    def make(self, name):
        """Directory of the build, or None when it does not build (counted as a failed case)."""
        if name not in self.done and self.results.has_passed("build", title(name)):
            self.done[name] = True  # in the first part of this run
        if name not in self.done:
            self.made(name, self.compile(name))
        return self.directory(name) if self.done[name] else None

    def compile(self, name):
        return compile_all(self.source, self.directory(name), BUILDS[name])

    def possible(self):
        """Names of the builds whose compilers and libraries are here."""
        return [name for name, build in BUILDS.items() if shutil.which(build.compiler) and (
            not crosses(build) or os.path.exists(kept(self.source, f"sysroot-{name}", "cross.ini")))]

    def made(self, name, ended):
        """Counts it."""
        output = ended.output + (bootstraps_warnings(self.source) if name == OWN else "")
        problem = output if ended.status != 0 or warns(output) else ""
        self.results.check("build", title(name), problem, ended.spent)
        self.done[name] = problem == ""


def title(name):
    return f"{name}: builds with {BUILDS[name].compiler} without a warning"


def crosses(build):
    return "--cross-file" in build.options


def environment(build):
    """The compiler of a native build; that of a cross build stands in its cross file."""
    return {**os.environ} | ({} if crosses(build) else {"CC": build.compiler})


def warns(output):
    """The linker's word on getaddrinfo in static programs is not about us."""
    lines = [line for line in output.splitlines() if "in statically linked applications" not in line]
    return any("warning:" in line for line in lines)


def bootstraps_warnings(source):
    """The compiler's warnings, if ./bootstrap, and not the suite, built this: its log has those of apt, too."""
    try:
        with open(os.path.join(source, "build", "bootstrap.log"), encoding="utf-8", errors="replace") as file:
            return "".join(line for line in file if COMPILER_WARNS.match(line))
    except OSError:
        return ""


def compile_all(source, directory, build):
    """Sets up when necessary and compiles; one of build/other/ that no longer fits is made anew."""
    ninja = ["ninja", "--quiet", "-C", directory, *build.targets]
    if os.path.exists(os.path.join(directory, "build.ninja")):
        ended = with_tests(directory) if build.name == OWN else None
        if not ended or ended.status == 0:
            ended = process.run(ninja, COMPILE)
        if ended.status == 0 or build.name == OWN:
            return ended
        shutil.rmtree(directory)
    os.makedirs(directory, exist_ok=True)
    strict = [] if build.name == OWN else ["-Dwerror=true"]
    options = [option.replace("@SOURCE@", source) for option in build.options]
    ended = process.run(["meson", "setup", directory, source, *strict, *options], SETUP,
                        env=environment(build))
    if ended.status == 0:
        ended = process.run(ninja, COMPILE)
    return ended


def with_tests(directory):
    """Has build/ build the tests, too, unless it does."""
    with open(os.path.join(directory, "meson-info", "intro-buildoptions.json"), encoding="utf-8") as file:
        if any(option["name"] == "tests" and option["value"] for option in json.load(file)):
            return None
    return process.run(["meson", "configure", directory, "-Dtests=true"], SETUP)
