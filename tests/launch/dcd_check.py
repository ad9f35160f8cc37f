#!/usr/bin/env python3
"""Reads a CHARMM trajectory by the format's description, knowing nothing of hmd's writer.

    dcd_check.py FILE.dcd LAST.crd FRAMES FIRST EVERY A,B,C

Exits with a message unless the file holds FRAMES frames of steps FIRST, FIRST + EVERY, ... in that
box, and the last one has LAST.crd's coordinates.
"""
import struct
import sys


def records(data):
    """Fortran's unformatted records; either byte order."""
    order = "<" if struct.unpack_from("<i", data)[0] == 84 else ">"
    at = 0
    while at < len(data):
        (n,) = struct.unpack_from(order + "i", data, at)
        assert n >= 0 and at + 8 + n <= len(data), f"record at {at} has {n} bytes: too long"
        assert struct.unpack_from(order + "i", data, at + 4 + n)[0] == n, f"record at {at}: ends differ"
        yield order, data[at + 4 : at + 4 + n]
        at += n + 8


def crd(path):
    lines = [l for l in open(path) if not l.startswith("*")]
    return [tuple(float(w) for w in l.split()[4:7]) for l in lines[1 : 1 + int(lines[0].split()[0])]]


def main(path, last, frames, first, every, box):
    rec = list(records(open(path, "rb").read()))
    order, head = rec[0]
    assert head[:4] == b"CORD" and len(head) == 84, "no CORD header"
    icntrl = struct.unpack(order + "20i", head[4:])
    assert icntrl[:3] == (frames, first, every), f"header says {icntrl[:3]}"
    assert icntrl[8] == 0 and icntrl[10] == 1 and icntrl[19] >= 22, f"header says {icntrl}"
    (natom,) = struct.unpack(order + "i", rec[2][1])
    (ntitle,) = struct.unpack_from(order + "i", rec[1][1])
    assert len(rec[1][1]) == 4 + 80 * ntitle, "titles"
    body = rec[3:]
    assert len(body) == 4 * frames, f"{len(body)} records behind the header"
    for k in range(0, len(body), 4):
        cell = struct.unpack(order + "6d", body[k][1])
        assert cell == (box[0], 0, box[1], 0, 0, box[2]), f"cell {cell}"
    columns = [struct.unpack(f"{order}{natom}f", r) for _, r in body[-3:]]
    want = crd(last)
    assert len(want) == natom, f"{natom} atoms"
    worst = max(abs(columns[k][i] - want[i][k]) for i in range(natom) for k in range(3))
    assert worst < 1e-5, f"the last frame is off by {worst}"


if __name__ == "__main__":
    a = sys.argv
    main(a[1], a[2], int(a[3]), int(a[4]), int(a[5]), [float(w) for w in a[6].split(",")])
