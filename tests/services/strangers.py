#!/usr/bin/env python3
"""Strangers at the ports of tasks: strangers.py PROGRAM MANY DESCRIPTORS

Connects MANY times to each TCP port on which somebody listens in this network, in every bad way:
says nothing, hangs up at once, says noise, begins well and stops, says one byte now and then.  No
process named PROGRAM may have more than DESCRIPTORS open meanwhile.  Prints "there" when all have
come, and bothers on until its standard input ends.
"""

import os
import random
import resource
import select
import socket
import struct
import sys

LISTENS = "0A"


def ports():
    found = set()
    for name in ("tcp", "tcp6"):
        with open(f"/proc/net/{name}", encoding="ascii") as table:
            rows = [line.split() for line in table][1:]
        found |= {int(row[1].split(":")[1], 16) for row in rows if row[3] == LISTENS}
    return sorted(found)


def descriptors(program):
    """The most that a process of that name has open."""
    most = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/comm", encoding="utf-8") as comm:
                if comm.read().strip() == program:
                    most = max(most, len(os.listdir(f"/proc/{pid}/fd")))
        except OSError:
            pass  # it has just ended
    return most


HELLO = b"HNOW" + struct.pack("<HHII", 3, 0, 262145, 262146) + bytes(32)
WAYS = [lambda c: c.send(b"") or c, lambda c: c.close(), lambda c: c.send(os.urandom(200)) and c,
        lambda c: c.send(HELLO) and c, lambda c: c.send(HELLO[:20]) and c,
        lambda c: c.send(b"GET / HTTP/1.1\r\n\r\n") and c]


def come(port):
    """One stranger; the connection when it stays."""
    try:
        connection = socket.create_connection(("127.0.0.1", port), timeout=60)
        connection.setblocking(False)
        return random.choice(WAYS)(connection)
    except OSError:
        return None


def bother(connections):
    for connection in random.sample(connections, min(50, len(connections))):
        try:
            connection.send(b"\0")
        except OSError:
            connections.remove(connection)


def main():
    program, many, limit = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    random.seed(os.environ.get("HNOW_SEED", "1"))
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    most, targets = 0, ports()
    assert targets, "nobody listens"
    stay = []
    for i in range(many):
        stay += [c for c in map(come, targets) if c]
        if i % 50 == 0:
            most = max(most, descriptors(program))
    print(f"there: {len(targets)} ports", flush=True)
    while not select.select([sys.stdin], [], [], 0.02)[0]:
        bother(stay)
        stay = stay[-2000:] + [c for c in map(come, targets) if c]
        most = max(most, descriptors(program))
    print(f"at most {most} descriptors", flush=True)
    return 0 if 0 < most <= limit else 1


sys.exit(main())
