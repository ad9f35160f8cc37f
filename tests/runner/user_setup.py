"""Keeps what a user has set up for himself from slowing down or changing the tests.

A shell that sshd starts reads the user's start-up files, and python3 may be a script that looks for
the right one: half a second of processor time each, for thousands of them.
"""

import ctypes
import os
import shutil
import subprocess
import sys

CLONE_NEWNS = 0x00020000  # sched.h
START_UP = (".bashrc", ".bash_profile", ".bash_login", ".profile")


def hide_start_up_files():
    """For this process and what it starts; only root can."""
    found = [path for name in START_UP if os.path.isfile(path := os.path.expanduser(f"~/{name}"))]
    if os.geteuid() != 0 or not found or ctypes.CDLL(None).unshare(CLONE_NEWNS) != 0:
        return
    if subprocess.run(["mount", "--make-rprivate", "/"], stderr=subprocess.DEVNULL).returncode == 0:
        for path in found:
            subprocess.run(["mount", "--bind", "/dev/null", os.path.realpath(path)], check=False)


def python_first(directory, path):
    """PATH, with a directory before it in which python3 is the running interpreter, if it is not that already."""
    known = shutil.which("python3", path=path)
    if known and os.path.samefile(known, sys.executable):
        return path
    os.makedirs(directory, exist_ok=True)
    link = os.path.join(directory, "python3")
    if not os.path.lexists(link):
        os.symlink(sys.executable, link)
    return f"{directory}{os.pathsep}{path}"
