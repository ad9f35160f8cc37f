"""The records of beds under /run/hnow-hosts: who made them, what they use; and clearing up.

A bed's record is written before anything of the bed is made, and removed after everything of it is
gone. Whatever happened to the tool in between, its record leads the next `up` or `down` to all
that can be left: everything of a bed is named by its prefix (namespaces PREFIX and PREFIX.*, their
folders in /etc/netns, the control group, the folder of the record), and its processes are those
inside its namespaces. A record names the process that still works on the bed; when that process
has died, the bed is a leftover.
"""

import contextlib
import fcntl
import ipaddress
import json
import os
import re
import secrets
import shutil

from . import cpu, machine

ROOT = "/run/hnow-hosts"
NETNS_ETC = "/etc/netns"
NUMBERS = range(64, 128)  # the second byte of a bed's IPv4 addresses
PREFIX = re.compile(r"[a-z][a-z0-9]{0,11}")


def folder(prefix):
    return f"{ROOT}/{prefix}"


def path(prefix, *names):
    return os.path.join(folder(prefix), *names)


def load(prefix):
    """The record, or None. A record cut short by a crash counts as one without a living maker."""
    try:
        with open(path(prefix, "bed.json"), encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return {"prefix": prefix, "owner": [0, 0]} if os.path.isdir(folder(prefix)) else None
    except ValueError:
        return {"prefix": prefix, "owner": [0, 0]}


def save(bed):
    temporary = path(bed["prefix"], "bed.json.new")
    with open(temporary, "w", encoding="utf-8") as file:
        json.dump(bed, file, indent=1)
    os.rename(temporary, path(bed["prefix"], "bed.json"))


def prefixes():
    with contextlib.suppress(FileNotFoundError):
        return sorted(n for n in os.listdir(ROOT) if PREFIX.fullmatch(n))
    return []


def is_leftover(bed):
    owner = bed.get("owner")
    return bool(owner) and machine.birth(owner[0]) != owner[1]


@contextlib.contextmanager
def locked():
    """One tool at a time looks for a free number or clears leftovers. The lock is on the folder of
    the records, which the last one to leave removes: then whoever waited takes the new folder."""
    while True:
        try:
            os.makedirs(ROOT, exist_ok=True)
            lock = os.open(ROOT, os.O_RDONLY | os.O_DIRECTORY)
        except (FileExistsError, FileNotFoundError):
            continue  # it has been removed in between
        fcntl.flock(lock, fcntl.LOCK_EX)
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(lock), os.stat(ROOT)):
                break
        os.close(lock)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            os.rmdir(ROOT)  # only when empty
        os.close(lock)


def machine_networks():
    """All networks that the machine itself has addresses in or routes to, default routes aside."""
    words = set()
    for what in (["addr"], ["route", "show", "table", "all"], ["-6", "route", "show", "table",
                                                               "all"]):
        words |= set(machine.run(["ip", *what]).split())
    for word in words:
        with contextlib.suppress(ValueError):
            network = ipaddress.ip_network(word, strict=False)
            if network.prefixlen > 0 and ("/" in word or "." in word):
                yield network


def free_number():
    taken = {(load(p) or {}).get("number") for p in prefixes()}
    networks = list(machine_networks())
    for number in NUMBERS:
        ranges = (ipaddress.ip_network(f"10.{number}.0.0/16"),
                  ipaddress.ip_network(f"fd68:6e:{number:x}::/48"))
        clash = any(n.version == r.version and n.overlaps(r) for n in networks for r in ranges)
        if number not in taken and not clash:
            return number
    raise machine.MachineError("no free network from 10.64.0.0/16 to 10.127.0.0/16: take down a "
                               "bed (`hosts list`)")


def claim(prefix, topology):
    """Take the prefix: the new bed's record, with this process as its maker."""
    with locked():
        sweep()
        if load(prefix) or machine.namespaces(prefix):
            raise machine.MachineError(f"bed '{prefix}' is up already: `hosts down --prefix "
                                       f"{prefix}` first, or take another --prefix")
        bed = {"prefix": prefix, "number": free_number(), "token": secrets.token_hex(8),
               "topology": os.path.abspath(topology), "home": machine.home_namespace(),
               "owner": [os.getpid(), machine.birth(os.getpid())]}
        os.makedirs(folder(prefix), mode=0o755)
        save(bed)
    return bed


def release(bed):
    """The bed is complete and stands on its own from now on."""
    bed["owner"] = None
    save(bed)


def sweep():
    """Clear up after tools that were killed. Call it locked."""
    for prefix in prefixes():
        bed = load(prefix)
        if bed and is_leftover(bed):
            clear(prefix)


def clear(prefix):
    """Remove everything a bed of this prefix may consist of, as far as it is there."""
    names = machine.namespaces(prefix)
    gone = machine.kill_all(lambda: machine.processes_in(names) + cpu.processes(prefix))
    cpu.remove(prefix)
    if names:
        machine.run(["ip", "-batch", "-"], "".join(f"netns del {n}\n" for n in names))
    for name in os.listdir(NETNS_ETC) if os.path.isdir(NETNS_ETC) else []:
        if name.startswith(prefix + "."):
            shutil.rmtree(f"{NETNS_ETC}/{name}", ignore_errors=True)
    with contextlib.suppress(OSError):
        os.rmdir(NETNS_ETC)  # only when empty
    shutil.rmtree(folder(prefix), ignore_errors=True)
    if not gone:
        raise machine.MachineError(f"processes of bed '{prefix}' do not end (see ps for state D)")
