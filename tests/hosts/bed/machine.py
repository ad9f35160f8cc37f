"""Access to the machine: commands, namespaces, processes. Linux only, as root.

A failing command raises a MachineError with the command and the end of its output. `inside` enters a
network namespace for a few lines of Python, which is a hundred times faster than `ip netns exec`.
"""

import contextlib
import ctypes
import fcntl
import glob
import os
import signal
import subprocess
import time

NETNS_DIR = "/run/netns"
CLONE_NEWNET = 0x40000000
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None, use_errno=True)

CAP_NET_ADMIN = 12
CAP_SYS_ADMIN = 21


class MachineError(Exception):
    """`what is wrong: what to do`"""


def may_administer():
    """Whether this process has the rights to create namespaces and interfaces."""
    with open("/proc/self/status", encoding="ascii", errors="replace") as file:
        rights = next(int(line.split()[1], 16) for line in file if line.startswith("CapEff:"))
    return bool(rights >> CAP_NET_ADMIN & 1 and rights >> CAP_SYS_ADMIN & 1)


def run(command, text=None):
    """Runs a command with TEXT as its input, and returns its output."""
    done = subprocess.run(command, input=text, text=True, capture_output=True, check=False)
    if done.returncode != 0:
        said = (done.stderr.strip() or done.stdout.strip() or f"status {done.returncode}")
        raise MachineError(f"`{' '.join(command)}` failed: {said.splitlines()[-1]}")
    return done.stdout


def run_all(jobs):
    """Runs (command, input) pairs in parallel."""
    started = [(command, text, subprocess.Popen(command, text=True, stdin=subprocess.PIPE,
                                                stdout=subprocess.DEVNULL,
                                                stderr=subprocess.PIPE))
               for command, text in jobs]
    failures = []
    for command, text, process in started:
        said = process.communicate(text)[1].strip()
        if process.returncode != 0:
            failures.append(f"`{' '.join(command)}` failed: {said.splitlines()[-1:] or ''}")
    if failures:
        raise MachineError(failures[0])


def setns(descriptor):
    if LIBC.setns(descriptor, CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "setns")


@contextlib.contextmanager
def inside(netns):
    """The lines under `with inside(NETNS)` run in that network namespace."""
    home = os.open("/proc/self/ns/net", os.O_RDONLY)
    there = os.open(f"{NETNS_DIR}/{netns}", os.O_RDONLY)
    try:
        setns(there)
        yield
    finally:
        setns(home)
        os.close(home)
        os.close(there)


def sysctl(**values):
    """Set in the present namespace; `__` stands for a slash. Settings the kernel lacks are left
    out: they would only refine what is there."""
    for key, value in values.items():
        with contextlib.suppress(FileNotFoundError):
            with open("/proc/sys/net/" + key.replace("__", "/"), "w", encoding="ascii") as file:
                file.write(str(value))


ALLOWED = "/proc/sys/net/ipv4/tcp_allowed_congestion_control"


@contextlib.contextmanager
def cubic_allowed():
    """Where the machine's default is another congestion control, namespaces may take cubic only
    while it is on the machine's list of harmless ones: put it there for the time being. Beds that
    come up at the same time take turns, so that none takes it away from another."""
    with open(ALLOWED, encoding="ascii") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        before = file.read()
        changed = "cubic" not in before.split()
        try:
            with contextlib.suppress(OSError):  # no such right: use_cubic then leaves the default
                if changed:
                    _write(ALLOWED, before.strip() + " cubic")
            yield
        finally:
            with contextlib.suppress(OSError):
                if changed:
                    _write(ALLOWED, before)


def use_cubic():
    with contextlib.suppress(OSError):
        sysctl(ipv4__tcp_congestion_control="cubic")


def _write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def namespaces(prefix):
    """Returns the existing namespaces of the bed: PREFIX and PREFIX.*."""
    names = [os.path.basename(p) for p in glob.glob(f"{NETNS_DIR}/{prefix}*")]
    return sorted(n for n in names if n == prefix or n.startswith(prefix + "."))


def home_namespace():
    return os.readlink("/proc/self/ns/net")


def processes_in(names):
    """Ids of the processes in these namespaces, whatever started them."""
    inodes = set()
    for name in names:
        with contextlib.suppress(OSError):
            inodes.add(f"net:[{os.stat(f'{NETNS_DIR}/{name}').st_ino}]")
    inodes.discard(home_namespace())
    found = []
    for entry in os.listdir("/proc"):
        with contextlib.suppress(OSError):
            if entry.isdigit() and os.readlink(f"/proc/{entry}/ns/net") in inodes:
                found.append(int(entry))
    return found


def is_running(pid):
    """Whether a process is running; a zombie counts as ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except (OSError, IndexError):
        return False


def kill_all(find, patience=5.0):
    """Kills the processes that FIND returns until there are none; False if some do not end."""
    deadline = time.monotonic() + patience
    known = set()
    while True:
        found = find()
        for pid in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        known = {pid for pid in known | set(found) if is_running(pid)}
        if not known or time.monotonic() > deadline:
            return not known
        time.sleep(0.005)


def birth(pid):
    """Returns the start time of a process in clock ticks, which with its id is unique."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return int(file.read().rpartition(")")[2].split()[19])
    except (OSError, IndexError):
        return None


def die_with_parent():
    """Called in a child process before exec: it must end when the tool ends."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def wait_for(condition, seconds, step=0.005):
    """Waits until CONDITION is true; False after SECONDS."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(step)
    return True
