"""The stage in which machines of other byte order and word size take part in jobs.

Their programs are cross-built against libraries that tests/cross/sysroot fetched (./bootstrap packages
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
    native = suite.builds.make(builds.OWN)
    wanted = [name for name in NEEDS if suite.wants(name) or suite.wants("together")]
    others = {name: other for name in wanted if native and (other := build(suite, name))}
    programs = [Program(name, [f"{suite.source}/tests/cross/mixed", name, other], native)
                for name, other in others.items() if suite.wants(name)]
    if others and suite.wants("together"):  # one job on all kinds
        words = [f"{name}={other}" for name, other in others.items()]
        programs.append(Program("together", [f"{suite.source}/tests/cross/together", *words], native))
    suite.tap_programs("cross", programs, again=True)


def build(suite, name):
    """The directory of the other machine's build, or None."""
    missing = which(*NEEDS[name])
    if missing or not os.path.exists(builds.kept(suite.source, f"sysroot-{name}", "cross.ini")):
        why = f"{missing} is not installed" if missing else "tests/cross/sysroot has not run"
        suite.results.skipped("cross", name, why)
        return None
    return suite.builds.make(name)
