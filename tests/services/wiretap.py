#!/usr/bin/env python3
"""Listens on all network interfaces while a command runs: wiretap.py TEXT COMMAND...

Exit status 0 when TEXT was seen in some packet, 1 when not, 2 when nothing could be heard at all or
the command failed.  Needs root.
"""

import socket
import subprocess
import sys

ALL = 0x0003  # ETH_P_ALL


def main():
    text = sys.argv[1].encode()
    tap = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL))
    tap.setsockopt(socket.SOL_SOCKET, 33, 1 << 25)  # SO_RCVBUFFORCE
    tap.settimeout(0.05)
    job = subprocess.Popen(sys.argv[2:])
    packets, seen, over = 0, False, False
    while True:
        try:
            packets += 1
            seen |= text in tap.recv(1 << 17)
        except TimeoutError:
            packets -= 1
            if over:
                break
        over = job.poll() is not None
    print(f"{packets} packets, {'seen' if seen else 'not seen'}", file=sys.stderr)
    return 2 if job.returncode or packets == 0 else 0 if seen else 1


sys.exit(main())
