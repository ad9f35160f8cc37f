#!/usr/bin/env python3
"""A stranger on the network of a job: stranger.py LOW:HIGH ADDRESS... - until it is killed.

Opens connections to those ports of those addresses, the newest ones stay open. On them it says
nothing, noise, a greeting that it has heard on the network, or half of one. Each frame that it has
heard may be sent again as it was.
"""

import os
import random
import socket
import sys
import threading
import time

ALL = 0x0003  # ETH_P_ALL
KEPT = 200  # connections, and frames
FLOOD_PAUSE = 0.002  # seconds between two connections
REPLAYED = 0.3  # of the frames that are heard
SSH = b"\0\x16"  # a port, as it stands in a header
TCP, UDP = 6, 17


def payload_of(frame):
    """What a frame says by TCP or UDP, but ssh's; None: nothing."""
    if len(frame) < 38 or frame[12:14] != b"\x08\x00" or frame[23] not in (TCP, UDP):
        return None
    header = 14 + 4 * (frame[14] & 15)
    if SSH in (frame[header:header + 2], frame[header + 2:header + 4]):
        return None
    length = 8 if frame[23] == UDP else 4 * (frame[header + 12] >> 4)
    return frame[header + length:]


def flood(targets, greetings):
    kept = []
    while True:
        time.sleep(FLOOD_PAUSE)
        connection = socket.socket()
        connection.setblocking(False)
        connection.connect_ex(random.choice(targets))
        kept.append(connection)
        if len(kept) > KEPT:
            kept.pop(0).close()
        word = random.choice([os.urandom(200), b"GET / HTTP/1.1\r\n\r\n", *greetings])
        try:
            random.choice(kept).send(random.choice([word, word[:len(word) // 2]]))
        except OSError:
            pass


def main():
    low, high = map(int, sys.argv[1].split(":"))
    targets = [(address, port) for address in sys.argv[2:] for port in range(low, high + 1)]
    tap = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL))
    tap.bind((next(name for _, name in socket.if_nameindex() if name != "lo"), ALL))
    frames, greetings = [], []
    threading.Thread(target=flood, args=(targets, greetings), daemon=True).start()
    while True:
        frame = tap.recv(1 << 16)
        payload = payload_of(frame)
        if payload is None:
            continue
        if payload.startswith(b"HNOW"):
            greetings[:] = [payload, *greetings[:KEPT]]
        frames.append(frame)
        if len(frames) > KEPT:
            frames.pop(random.randrange(len(frames)))
        if random.random() < REPLAYED:
            try:
                tap.send(random.choice(frames))
            except OSError:
                pass  # larger than a frame may be: the kernel has put it together


main()
