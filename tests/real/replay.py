#!/usr/bin/env python3
"""Records the datagrams of a job's multicast group and sends them again: replay.py GROUP PORT ADDRESS LAG HEX

ADDRESS is the own one, on the network of the group.  LAG: so many datagrams later, an old one stands
where the stream would have to go on if its places were counted in too few bits: when one comes, those
are sent that stand some places ahead of it.  Besides, any of them is sent now and then, and each as it
is, or with a byte changed.  Needs no rights (root gives up its own), goes on until its standard input
ends, and then says what it has done, and in how many datagrams the bytes HEX could be read.
"""

import os
import random
import select
import socket
import sys

NOBODY = 65534
SO_RCVBUFFORCE = 33
AHEAD = 16  # more than a sender has under way


def listen(group, port, own):
    fd = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    fd.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    fd.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE if os.getuid() == 0 else socket.SO_RCVBUF, 1 << 27)
    fd.bind(("", port))
    fd.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(group) + socket.inet_aton(own))
    fd.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(own))
    fd.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)
    return fd


def changed(datagram):
    at = random.randrange(len(datagram))
    return datagram[:at] + bytes([datagram[at] ^ 1 << random.randrange(8)]) + datagram[at + 1:]


def main():
    group, port, own, lag = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    text = bytes.fromhex(sys.argv[5])
    random.seed(os.environ.get("HNOW_SEED", "1"))
    fd, heard, known, sent = listen(group, port, own), [], set(), 0
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    print("listens", flush=True)
    while select.select([fd, sys.stdin], [], [])[0] != [sys.stdin]:  # all that was heard is looked at
        datagram = fd.recv(1 << 16)
        if datagram in known:
            continue  # one of ours
        known.add(datagram)
        heard.append(datagram)
        last = len(heard) - 1 - lag
        ahead = range(last + 1, last + AHEAD) if last >= 0 and last % 8 == 0 else []
        for i in [*ahead, *random.sample(range(len(heard)), int(random.random() < 0.05))]:
            again = heard[i] if i % 2 else changed(heard[i])
            known.add(again)
            fd.sendto(again, (group, port))
            sent += 1
    readable = sum(text in datagram for datagram in heard)
    print(f"{len(heard)} heard, {sent} sent again, {readable} read", flush=True)


main()
