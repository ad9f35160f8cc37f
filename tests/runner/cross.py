"""The stage in which machines of other byte order and word size take part in jobs.

Their programs are cross-built against libraries that tests/cross/sysroot fetched (./bootstrap test
calls it), and run by qemu-user where this processor cannot.
"""

import os

from . import builds
from .suite import Program, which

NEEDS = {
    "s390x": ["s390x-linux-gnu-gcc", "qemu-s390x-static"],
    "i386": ["i686-linux-gnu-gcc", "setarch"],
    "arm64": ["aarch64-linux-gnu-gcc", "qemu-aarch64-static"],
}


def cross(suite):
    """Jobs on this machine and on one of another byte order, or of 32 bits, at the same time."""
    builds = {}
    for name, programs in NEEDS.items():
        if suite.wants(name) or suite.wants("together"):
            builds[name] = mixed(suite, name, programs)
    if suite.wants("together"):
        together(suite, builds)


def mixed(suite, name, programs):
    """The job of this machine and that one; the other's build, or None."""
    missing = which(*programs)
    described = builds.kept(suite.source, f"sysroot-{name}", "cross.ini")
    if missing or not os.path.exists(described):
        why = f"{missing} is not installed" if missing else "tests/cross/sysroot has not run"
        suite.results.skipped("cross", name, why)
        return None
    native, other = suite.builds.make("gcc"), suite.builds.make(name)
    if native and other and suite.wants(name):
        command = [f"{suite.source}/tests/cross/mixed", name, other]
        suite.tap_programs("cross", [Program(name, command, native, alone=True)], again=True)
    return other


def together(suite, builds):
    """One job on all kinds of machines that there are builds for."""
    words = [f"{name}={build}" for name, build in builds.items() if build]
    native = suite.builds.make("gcc")
    if native and words:
        command = [f"{suite.source}/tests/cross/together", *words]
        suite.tap_programs("cross", [Program("together", command, native, alone=True)], again=True)
