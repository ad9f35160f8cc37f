"""A root of the running process' own: some directories are empty there, or copies, and nobody else sees
what becomes of them.  They go when the process and what it started have ended.
"""

import ctypes
import os

from . import process

CLONE_NEWNS, CLONE_NEWUSER = 0x00020000, 0x10000000  # sched.h

# EMPTY-DIRECTORY... -- PLACE COPIED-DIRECTORY...
SCRIPT = """
set -e
mount --make-rprivate /
while [ "$1" != -- ]; do
  [ ! -d "$1" ] || mount -t tmpfs tmpfs "$1"
  shift
done
place=$2
shift 2
for directory; do
  mkdir "$place"
  mount -t tmpfs tmpfs "$place"
  cp -a "$directory/." "$place/" 2>/dev/null || true
  mount --move "$place" "$directory"
  rmdir "$place"
done
"""


def enter(place, empty, copied):
    """Enters it; `place` is a free path.  Returns "", or why there can be none."""
    uid, gid = os.geteuid(), os.getegid()
    flags = CLONE_NEWNS | (0 if uid == 0 else CLONE_NEWUSER)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(flags) != 0:
        return f"no namespaces of mounts here: {os.strerror(ctypes.get_errno())}"
    if uid != 0:
        be_root(uid, gid)
    ended = process.run(["sh", "-c", SCRIPT, "sh", *empty, "--", place, *copied], 120)
    return "" if ended.status == 0 else f"no mounts of its own here: {ended.output.strip()}"


def be_root(uid, gid):
    """In a new namespace of users."""
    for file, text in (("setgroups", "deny"), ("uid_map", f"0 {uid} 1"), ("gid_map", f"0 {gid} 1")):
        with open(f"/proc/self/{file}", "w") as map_of:
            map_of.write(text)
