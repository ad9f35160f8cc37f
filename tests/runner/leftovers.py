"""What a test may leave behind besides processes: files, network namespaces, links.

Each program gets an empty temporary directory of its own (TMPDIR) that must be empty again when
it has ended.  Beds of hosts made by tests/hosts get a prefix of this run (HNOW_BED_PREFIX), so
that the namespaces and links of somebody else's run on the same machine are not taken for ours.
"""

import os
import shutil


class Watch:
    def __init__(self, prefix):
        self.prefix = prefix
        self.before = self.seen()

    def seen(self):
        found = set()
        for place in ("/run/netns", "/etc/netns", "/sys/class/net", "/tmp"):
            names = os.listdir(place) if os.path.isdir(place) else ()
            found |= {f"{place}/{name}" for name in names if self.ours(place, name)}
        return found

    def ours(self, place, name):
        return name.startswith(self.prefix) or (place == "/tmp" and name.startswith("hnow"))

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
