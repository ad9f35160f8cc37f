#!/usr/bin/env python3
"""Reckons what test_hmd_contact asks for from the trajectories alone, knowing nothing of hmd.

    contact_check.py psf FROM TO                      names donors and acceptors in a structure
    contact_check.py check PSF CRD OUTPUT < LINES     LINES: "check NAME VALUE..."

Exits with a message unless each is what is reckoned here, and none is missing; with 77 where numpy is
not installed.
"""
import math
import sys

from charmm_check import crd, psf


def bonding(atoms, near):
    """What each hydrogen that can be bonded hangs on; the acceptors: nitrogen and oxygen."""
    heavy = [i for i, a in enumerate(atoms) if a[4][0] in "NO"]
    return {h: i for i in heavy for h in sorted(near[i]) if atoms[h][4][0] == "H"}, heavy


def name_bonding(source, target):
    atoms, near = psf(source)
    donor, acceptor = bonding(atoms, near)
    pairs = {
        "!NDON": [(i, h) for h, i in donor.items()],
        "!NACC": [(i, min(near[i])) if k % 2 else (i, -1) for k, i in enumerate(acceptor)],
    }
    with open(target, "w") as out:
        for line in open(source):
            mark = line.split()[1] if len(line.split()) > 1 else ""
            if mark not in pairs:
                out.write(line)
                continue
            numbers = [f"{n + 1:8d}" for pair in pairs[mark] for n in pair]
            out.write(f"{len(pairs[mark]):8d} {mark}\n")
            for k in range(0, len(numbers), 8):
                out.write("".join(numbers[k : k + 8]) + "\n")


def near_images(d, box):
    return d if box is None else d - box * np.rint(d / box)


class Finder:
    def __init__(self, atoms, near):
        self.donor, acceptor = bonding(atoms, near)
        self.acceptor = set(acceptor)
        self.residue = [(a[1], a[2]) for a in atoms]

    def able(self, i, bonds):
        return not bonds or i in self.donor or i in self.acceptor

    def pairs(self, x, box, first, second, cut, bonds=True, angle=None, lengths=None):
        """Which atom of the first set is in contact with which of the second."""
        first = [i for i in first if self.able(i, bonds)]
        second = [j for j in second if self.able(j, bonds)]
        d = near_images(x[first][:, None, :] - x[second][None, :, :], box)
        r = np.sqrt((d**2).sum(2))
        found = set()
        for a, i in enumerate(first):
            for b, j in enumerate(second):
                gives = self.donor.get(i, j) != j and j in self.acceptor
                takes = self.donor.get(j, i) != i and i in self.acceptor
                if i == j or (bonds and not gives and not takes):
                    continue
                if lengths is not None:
                    lengths.append(r[a, b])
                if r[a, b] >= cut:
                    continue
                if angle is not None:
                    h, o = (i, j) if gives else (j, i)
                    p, q = near_images(x[[self.donor[h], o]] - x[h], box)
                    if math.degrees(math.acos(p @ q / np.linalg.norm(p) / np.linalg.norm(q))) <= angle:
                        continue
                found.add((i, j))
        return found

    def bridges(self, x, box, first, second, between, cut):
        side = []
        for chosen in (first, second):
            touch = self.pairs(x, box, chosen, between, cut)
            side.append({(i, self.residue[j]) for i, j in touch if self.residue[i] != self.residue[j]})
        return {(i, j, r) for i, r in side[0] for j, q in side[1] if r == q and i != j}


def lives(frames):
    """How long each contact lasted each time, in frames, by atom; and which."""
    told = []
    alive = {}
    for k, found in enumerate([*frames, set()]):
        for c in sorted(set(alive) - found):
            told.append((c, alive[c], k - alive.pop(c)))
        for c in found:
            alive.setdefault(c, k)
    return told


def means(told, atoms, frames, step, least=0):
    count, life = 0, 0
    for i in atoms:
        mine = [n for c, _, n in told if c[0] == i and n * step >= least * (1 - 1e-9)]
        count += sum(mine) / frames
        life += sum(mine) * step / len(mine) if mine and step else 0
    return [count, count / len(atoms), life / len(atoms)]


def check_images(atoms, solute, close):
    _, _, one = dcd("one.dcd")
    _, _, torn = dcd("torn.dcd")
    _, _, near = dcd("near.dcd")
    _, _, whole = dcd("whole.dcd")
    _, _, laid = dcd("laid.dcd")
    residues = {}
    for i, a in enumerate(atoms):
        residues.setdefault((a[1], a[2]), []).append(i)
    moved = 0
    for (_, x, box), (_, t, tbox), (_, r, rbox), (_, w, wbox), (_, l, _) in zip(one, torn, near, whole, laid):
        edge = np.array([box[0], box[2], box[5]])
        assert tbox == box and rbox == box and wbox is None
        close("unfolded", w, x, 2e-5)
        assert (r[solute] == t[solute]).all(), "the solute was moved"
        centre = t[solute].mean(0)
        want = t.copy()
        for who, part in residues.items():
            if who[0] != "ALAD":
                shift = edge * np.rint((t[part].mean(0) - centre) / edge)
                want[part] -= shift
                moved += np.abs(shift).sum() > 0
        close("recentred", r, want, 2e-5)
        # Laid onto the solute's first place: distances stay.
        some = [solute[0], *range(100, 1500, 77)]
        dist = lambda y: np.linalg.norm(y[some][:, None] - y[some][None], axis=2)
        close("laid", dist(l), dist(r), 2e-5)
    assert moved > 500, moved


def main(psf_path, crd_path, output):
    atoms, near = psf(psf_path)
    places = np.array(crd(crd_path)[0])
    solute = [i for i, a in enumerate(atoms) if a[1] == "ALAD"]
    water = [i for i, a in enumerate(atoms) if a[1] != "ALAD"]
    oxygen = [i for i in water if atoms[i][4] == "OH2"]
    f = Finder(atoms, near)
    able = [i for i in solute if f.able(i, True)]
    got = {w[1]: [float(v) for v in w[2:]] for w in (line.split() for line in sys.stdin)}

    def close(name, a, b, tolerance=2e-6):
        a, b = np.ravel(a), np.ravel(b)
        assert len(a) == len(b), f"{name}: {len(a)} numbers, {len(b)} are wanted"
        bad = np.abs(a - b) > tolerance * np.maximum(1, np.abs(b))
        assert not bad.any(), f"{name}: {a[bad][:5]} where {b[bad][:5]} was reckoned"

    check_images(atoms, solute, close)
    # One set of coordinates.
    box = np.array([25.0] * 3)
    now = f.pairs(places, None, solute, water, 2.4)
    assert len(now) > 2, now
    close("now", got.pop("now"), [len(now), len(now) / len(able), 0])
    listed = sum("DISTANCE" in line and "ANGLE" in line for line in open(output))
    assert listed == len(now), f"{listed} hydrogen bonds are listed"
    many = f.pairs(places, box, water, water, 2.6, angle=130.0)
    close("box", got.pop("box"), [len(many), len(many) / len(water), 0])
    methyl = [i for i in solute if atoms[i][4] == "CB"]
    touch = f.pairs(places, None, methyl, oxygen, 3.0, bonds=False)
    close("touch", got.pop("touch"), [len(touch), len(touch) / len(methyl), 0])
    given = f.pairs(places, box, water, solute, 2.4)
    close("given", got.pop("given"), [len(given), len(given) / len(water), 0])
    # Trajectories.
    _, dt, frames = dcd("one.dcd")
    step = 8 * dt
    boxes = [np.array([b[0], b[2], b[5]]) for _, _, b in frames]
    lengths = []
    found = [f.pairs(x, b, solute, water, 2.4, lengths=lengths if s >= 16 else None) for (s, x, _), b in zip(frames, boxes)]
    told = lives(found[1:])
    close("lives", got.pop("lives"), means(told, able, 9, step))
    told.sort()
    lasted = [line for line in open("hbond.txt") if "LASTED" in line]
    assert len(lasted) == len(told), (len(lasted), len(told))
    close(
        "each",
        sorted((float(l.split()[-3]), float(l.split()[-1])) for l in lasted),
        sorted((n * step, frames[1 + k + n - 1][0] * dt) for _, k, n in told),
        1e-4,
    )
    rows = [[float(w) for w in line.split()] for line in open("length.txt")]
    bins = [sum(int(min(r // 0.5, 6)) == k for r in lengths) for k in range(7)]
    close("lengths", [r[1] for r in rows], bins)
    close("shares", [r[2] for r in rows], [b / 9 for b in bins])
    close("middles", [r[0] for r in rows], [0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.0])
    rows = [[float(w) for w in line.split()] for line in open("time.txt")]
    close("times", [r[1] for r in rows], [sum(min(int(n * step / 0.02), 5) == k for _, _, n in told) for k in range(6)])
    close("long", got.pop("long"), means(lives(found), able, 10, step, 0.04))
    linked = [f.bridges(x, b, water, water, solute, 2.5) for (_, x, _), b in zip(frames, boxes)]
    assert sum(map(len, linked)) > 0, "there is no bridge to be seen"
    close("bridge", got.pop("bridge"), means(lives(linked), water, 10, step))
    around = [f.pairs(x, b, solute, oxygen, 3.2, bonds=False) for (_, x, _), b in zip(frames, boxes)]
    close("near", got.pop("near"), means(lives(around), solute, 10, step))
    last = frames[-1][1]
    close("moved", got.pop("moved"), math.sqrt(((last[water] - places[water]) ** 2).sum(1).mean()))
    assert not got, got
    # What stays of the donors where molecules are gone.
    fewer, bonds = psf("fewer.psf")
    pairs = numbers("fewer.psf", "!NDON")
    assert sorted(pairs) == sorted((i, h) for h, i in bonding(fewer, bonds)[0].items()), "donors"
    assert sorted(p[0] for p in numbers("fewer.psf", "!NACC")) == sorted(bonding(fewer, bonds)[1]), "acceptors"


def numbers(path, mark):
    lines = iter(open(path))
    n = next(int(line.split()[0]) for line in lines if mark in line)
    flat = []
    while len(flat) < 2 * n:
        flat += [int(w) - 1 for w in next(lines).split()]
    return list(zip(flat[::2], flat[1::2]))


if __name__ == "__main__":
    if sys.argv[1] == "psf":
        name_bonding(*sys.argv[2:])
        sys.exit()
    try:
        import numpy as np
    except ImportError:
        sys.exit(77)
    from series_check import dcd

    main(*sys.argv[2:])
