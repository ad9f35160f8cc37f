"""A root that is a mount point, which namespaces of a network need: `ip netns` mounts anew below it.

In a chroot it mostly is an ordinary directory. The suite then mounts that once more, where only it
and what it starts see it, and goes on inside: below /proc, since what is mounted on a file system
that others see could show up there.
"""

import os
import sys

DONE = "HNOW_TEST_ROOT"
PLACE = "/proc/driver"

# The working directory, and the command
SCRIPT = f"""
if mount --make-private /proc && mount --rbind / {PLACE} && mount --make-rprivate {PLACE}; then
  exec chroot {PLACE} sh -c 'cd "$1" && shift && exec "$@"' sh "$@"
fi
cd "$1" && shift && exec "$@"
"""


def is_mount_point():
    """True also where nobody can tell."""
    try:
        with open("/proc/self/mountinfo") as mounts:
            return any(line.split()[4] == "/" for line in mounts)
    except OSError:
        return True


def ensure():
    """Starts the running program again, inside, when that is necessary and possible."""
    if os.environ.get(DONE) or os.geteuid() != 0 or is_mount_point():
        return
    os.environ[DONE] = "1"
    try:
        os.execvp("unshare", ["unshare", "--mount", "--propagation", "unchanged", "sh", "-c", SCRIPT,
                              "sh", os.getcwd(), sys.executable, *sys.argv])
    except OSError:
        pass  # no unshare: what needs namespaces says so itself
