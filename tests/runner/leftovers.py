"""Finds what a test leaves behind besides processes: files, network namespaces, links.

Each program gets an empty temporary directory of its own (TMPDIR), which must be empty again when the
program has ended.  Beds of hosts made by tests/hosts get a prefix of this run (HNOW_BED_PREFIX), so that
namespaces and links of another run on the same machine are not counted.
"""

import os
import shutil
import time

from . import process


class Watch:
    """With `alone` also what programs put where all of them do, which nobody can tell apart."""

    def __init__(self, prefix, alone=True):
        self.prefix = prefix
        self.alone = alone
        self.before = self.seen()

    def seen(self):
        found = set()
        for place in ("/run/netns", "/etc/netns", "/sys/class/net", "/tmp"):
            names = os.listdir(place) if os.path.isdir(place) else ()
            found |= {f"{place}/{name}" for name in names if self.ours(place, name)}
        return found

    def ours(self, place, name):
        common = self.alone and place == "/tmp" and name.startswith("hnow")
        return name.startswith(self.prefix) or common

    def lasting(self):
        """Returns what has appeared since the last call and does not disappear within a short time."""
        end = time.monotonic() + process.GRACE
        while self.seen() - self.before and time.monotonic() < end:
            time.sleep(0.1)
        return self.new()

    def new(self):
        """What has appeared since the last look."""
        now = self.seen()
        appeared, self.before = sorted(now - self.before), now
        return appeared


def empty(directory):
    """Removes what is in a directory; returns the names of what was there."""
    names = sorted(os.listdir(directory))
    for name in names:
        path = os.path.join(directory, name)
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            os.unlink(path)
    return names
