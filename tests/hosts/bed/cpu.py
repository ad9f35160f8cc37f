"""Slow hosts: a share of one core by a control group's quota, version 1 or 2, whichever the machine
has. Periods are short (10 ms), so that a slow host is slow rather than frozen for long; the quota
still comes in bursts, so it models slow computing, not slow messages (for these: send=, recv=).

The group of a host is hnow-hosts-PREFIX/HOST under the root of the cpu controller. Its parent group has the
largest weight: with the default weight, all hosts together would get the share of a single other program.
So a host gets its quota exactly, if the sum of all quotas is less than the machine.
"""

import contextlib
import glob
import os

PERIOD_US = 10_000
LEAST_QUOTA_US = 1_000  # the kernel takes no less
MOST_SHARES = 262_144   # version 1, of 1024
MOST_WEIGHT = 10_000    # version 2, of 100


def controller():
    """(version, folder) of the cpu controller, or None where it is not to be had."""
    with open("/proc/self/mountinfo", encoding="utf-8") as file:
        mounts = [line.partition(" - ") for line in file]
    for left, _, right in mounts:
        kind, _, options = right.split()[:3]
        place = left.split()[4]
        if kind == "cgroup" and "cpu" in options.split(","):
            return 1, place
        if kind == "cgroup2" and _v2_has_cpu(place):
            return 2, place
    return None


def _v2_has_cpu(place):
    try:
        with open(f"{place}/cgroup.controllers", encoding="ascii") as file:
            return "cpu" in file.read().split()
    except OSError:
        return False


def _write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(str(text))


def _top(prefix):
    found = controller()
    return f"{found[1]}/hnow-hosts-{prefix}" if found else None


def quota(percent):
    """(quota, period) in microseconds for this percentage of a core."""
    wanted = percent * PERIOD_US // 100
    if wanted >= LEAST_QUOTA_US:
        return wanted, PERIOD_US
    return LEAST_QUOTA_US, LEAST_QUOTA_US * 100 // percent


def make(prefix, host, percent):
    """Create the group of a slow host. OSError: the machine does not let us."""
    found = controller()
    if not found:
        raise OSError("no cpu controller")
    top = _top(prefix)
    group = f"{top}/{host}"
    os.makedirs(group, exist_ok=True)
    limit, period = quota(percent)
    if found[0] == 1:
        _write(f"{top}/cpu.shares", MOST_SHARES)
        _write(f"{group}/cpu.cfs_period_us", period)
        _write(f"{group}/cpu.cfs_quota_us", limit)
    else:
        for above in (found[1], top):
            _write(f"{above}/cgroup.subtree_control", "+cpu")
        _write(f"{top}/cpu.weight", MOST_WEIGHT)
        _write(f"{group}/cpu.max", f"{limit} {period}")


def join(prefix, host):
    """Put this process into the host's group, if the host has one."""
    top = _top(prefix)
    if top and os.path.isdir(f"{top}/{host}"):
        _write(f"{top}/{host}/cgroup.procs", os.getpid())


def processes(prefix):
    found = []
    for path in glob.glob(f"{_top(prefix)}/*/cgroup.procs"):
        with contextlib.suppress(OSError), open(path, encoding="ascii") as file:
            found += [int(pid) for pid in file.read().split()]
    return found


def remove(prefix):
    top = _top(prefix)
    for path in glob.glob(f"{top}/*/") + [top or ""]:
        with contextlib.suppress(OSError):
            os.rmdir(path)
