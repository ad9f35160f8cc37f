#!/usr/bin/env python3
"""Reads a trajectory with programs that chemists use, and compares what they see.

    dcd_readers.py mdanalysis|mdtraj STRUCTURE.psf FILE.dcd LAST.crd FRAMES PS A,B,C[,ALPHA,BETA,GAMMA]

mdtraj reads with VMD's plugin (dcdplugin.c), MDAnalysis with a reader of its own. Exits with a
message unless there are FRAMES frames, PS picoseconds apart, in that box, and the last one has
LAST.crd's coordinates; with 77 where the reader is not installed.
"""
import sys
import warnings

warnings.simplefilter("ignore")


def by_mdanalysis(psf, path):
    import MDAnalysis

    universe = MDAnalysis.Universe(psf, path)
    return [(ts.time, tuple(ts.dimensions), ts.positions.copy()) for ts in universe.trajectory]


def by_mdtraj(_, path):
    from mdtraj.formats import DCDTrajectoryFile

    with DCDTrajectoryFile(path) as file:
        places, lengths, angles = file.read()
    return [(None, (*a, *b), x) for x, a, b in zip(places, lengths, angles)]


READERS = {"mdanalysis": by_mdanalysis, "mdtraj": by_mdtraj}


def crd(path):
    lines = [line for line in open(path) if not line.startswith("*")]
    return [[float(w) for w in line.split()[4:7]] for line in lines[1 : 1 + int(lines[0].split()[0])]]


def main(reader, psf, path, last, frames, step, box):
    try:
        seen = READERS[reader](psf, path)
    except ImportError:
        sys.exit(77)
    assert len(seen) == frames, f"{len(seen)} frames"
    for k, (time, cell, _) in enumerate(seen):
        assert time is None or abs(time - step * (k + 1)) < 1e-5, f"frame {k} at {time} ps"
        want = (*box, 90, 90, 90)[:6]
        assert max(abs(a - b) for a, b in zip(cell, want)) < 1e-4, f"cell {cell}"
    want, got = crd(last), seen[-1][2]
    assert len(want) == len(got), f"{len(got)} atoms"
    worst = max(abs(a - b) for p, q in zip(want, got) for a, b in zip(p, q))
    assert worst < 1e-5, f"the last frame is off by {worst}"


if __name__ == "__main__":
    a = sys.argv
    main(a[1], a[2], a[3], a[4], int(a[5]), float(a[6]), [float(w) for w in a[7].split(",")])
