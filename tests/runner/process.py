"""Runs one program so that it can neither hang the suite nor leave anything running.

The runner makes itself the subreaper of everything it starts (prctl(2)): a process whose parent
has ended becomes the runner's child, whatever session or process group it is in.  So, when a
program has ended, every child that the runner has left over was left behind by that program.
"""

import ctypes
import os
import resource
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass

PR_SET_CHILD_SUBREAPER = 36
GRACE = 3.0  # seconds in which what a program started may still come to its end by itself


@dataclass
class Spent:
    """What running a program took."""

    seconds: float = 0.0  # on the clock
    cpu: float = 0.0  # seconds of processors, of the program and of all that it started
    stolen: float = 0.0  # the share of all processors' time that other machines took meanwhile

    def __add__(self, other):
        return Spent(self.seconds + other.seconds, self.cpu + other.cpu, max(self.stolen, other.stolen))


@dataclass
class Ended:
    status: int  # exit status, or minus the signal
    output: str  # stdout and stderr, in the order in which they came
    spent: Spent
    timed_out: bool
    left: list  # "pid (command line)" of each process that had to be killed


class Clock:
    """Measures what is spent from its making on.  Only one program may run in this process meanwhile."""

    def __init__(self):
        self.begun, self.cpu, self.machine = time.monotonic(), children_cpu(), machine_times()

    def spent(self):
        all_, stolen = (now - then for now, then in zip(machine_times(), self.machine))
        return Spent(time.monotonic() - self.begun, children_cpu() - self.cpu, stolen / all_ if all_ else 0.0)


def children_cpu():
    """Seconds of processors that ended children, and theirs, have taken."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def machine_times():
    """Of all processors in ticks: (everything, what other machines took of it); proc(5), /proc/stat."""
    try:
        with open("/proc/stat", encoding="ascii") as stat:
            ticks = [int(word) for word in stat.readline().split()[1:9]]
    except OSError:
        return 0, 0
    return sum(ticks), ticks[7]


def become_subreaper():
    """Without /proc the children left over cannot be listed: returns False then."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    return os.path.isdir(f"/proc/{os.getpid()}")


# Whoever runs the suite in the background of a script, or by nohup, has these ignored.
FRESH = ["env", "--default-signal=HUP,INT"]


def run(command, limit, cwd=None, env=None):
    """Runs a command to its end, or kills it after `limit` seconds, with all that it started."""
    clock = Clock()
    timed_out = False
    with tempfile.TemporaryFile() as output:
        try:
            process = subprocess.Popen(
                [*FRESH, *(str(word) for word in command)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=cwd,
                env=env,
                start_new_session=True,
            )
            share_as_nice(process.pid)
        except OSError as error:
            return Ended(127, f"cannot be started: {error}", Spent(), False, [])
        try:
            process.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            timed_out = True
        finally:
            if process.poll() is None:
                kill_all(process)
        left = reap_rest(0 if timed_out else GRACE)
        spent = clock.spent()
        output.seek(0)
        text = output.read().decode(errors="replace")
    if timed_out:
        text += f"\nkilled: it ran longer than {limit} s"
    return Ended(process.returncode, text, spent, timed_out, left)


def share_as_nice(pid):
    """Where each session has its own share of the processors (sched(7), autogroups), it gets the one that nice says."""
    try:
        with open(f"/proc/{pid}/autogroup", "w", encoding="ascii") as file:
            file.write(str(os.nice(0)))
    except OSError:
        pass  # the kernel has none


def kill_all(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def reap_rest(grace):
    """Waits until nothing is left of what a program started, kills what stays, and names it."""
    deadline = time.monotonic() + grace
    while descendants() and time.monotonic() < deadline:
        reap_zombies()
        time.sleep(0.02)
    left = [f"{pid} ({command_line(pid)})" for pid in descendants()]
    while rest := descendants():
        for pid in rest:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.02)
        reap_zombies()
    reap_zombies()
    return left


def reap_zombies():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def descendants():
    """Pids of all living processes below this one."""
    parents = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if name.isdigit() and (state := parent_and_state(name)) and state[1] != "Z":
            parents[int(name)] = state[0]
    found = {os.getpid()}
    while new := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= new
    return sorted(found - {os.getpid()})


def parent_and_state(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="latin-1") as stat:
            fields = stat.read().rpartition(")")[2].split()
    except OSError:
        return None
    return int(fields[1]), fields[0]


def command_line(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read().replace(b"\0", b" ").decode(errors="replace").strip()[:200]
    except OSError:
        return "?"
