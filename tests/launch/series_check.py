#!/usr/bin/env python3
"""Reckons what test_hmd_series asks for from the trajectories alone, knowing nothing of hmd.

    series_check.py PSF CRD < OUTPUT

In the directory are one.dcd, two.dcd and what hmd has made of them; OUTPUT has lines "check NAME
VALUE...".  Exits with a message unless each is what is reckoned here, and none is missing; with 77
where numpy is not installed.
"""
import math
import struct
import sys

try:
    import numpy as np
except ImportError:
    sys.exit(77)

from charmm_check import crd, dihedral, psf
from dcd_check import records

AKMA = 4.88882129e-2
DEBYE = 4.80320


def dcd(path):
    """Steps, ps of a step, places and boxes of all frames."""
    rec = list(records(open(path, "rb").read()))
    head = struct.unpack("<9if10i", rec[0][1][4:])
    natom = struct.unpack("<i", rec[2][1])[0]
    frames = []
    body = rec[3:]
    each = 3 + (head[10] != 0)
    for k in range(0, len(body), each):
        box = struct.unpack("<6d", body[k][1]) if each == 4 else None
        x = np.array([struct.unpack(f"<{natom}f", r) for _, r in body[k + each - 3 : k + each]]).T
        frames.append((head[1] + k // each * head[2], x, box))
    return head, head[9] * AKMA, frames


def fit(x, y, w):
    """x brought onto y by Kabsch's way."""
    w = w / w.sum()
    p, q = x - w @ x, y - w @ y
    u, _, vt = np.linalg.svd((w[:, None] * p).T @ q)
    d = np.diag([1, 1, np.sign(np.linalg.det(u @ vt))])
    return (x - w @ x) @ (u @ d @ vt) + w @ y


def rms(x, y, w):
    return math.sqrt((w * ((x - y) ** 2).sum(1)).sum() / w.sum())


def rows(path):
    return [[float(w) for w in line.split()] for line in open(path)]


def close(name, got, want, tolerance=2e-6):
    got, want = np.ravel(got), np.ravel(want)
    assert len(got) == len(want), f"{name}: {len(got)} numbers, {len(want)} are wanted"
    for a, b in zip(got, want):
        assert abs(a - b) <= tolerance * max(1, abs(b)), f"{name}: {got} where {want} was reckoned"


def main(psf_path, crd_path):
    atoms, bonded = psf(psf_path)
    comp = np.array(crd(crd_path)[0])
    mass = np.array([float(a[7]) for a in atoms])
    charge = np.array([float(a[6]) for a in atoms])
    solute = np.array([a[1] == "ALAD" for a in atoms])
    name = {atoms[i][4]: i for i in np.flatnonzero(solute)}
    water = np.array([a[4] == "OH2" for a in atoms])
    _, dt, one = dcd("one.dcd")
    head, _, two = dcd("two.dcd")
    got = {w[1]: [float(v) for v in w[2:]] for w in (line.split() for line in sys.stdin)}
    close("header", got.pop("header"), [8, 26, 2, 16, dt])
    taken = [f for f in one + two if 6 <= f[0] <= 36 and f[0] % 4 == 0]
    assert [f[0] for f in taken] == list(range(8, 37, 4))

    def values(step, x, box):
        """All series of a frame, in the order in which they were entered."""
        at = lambda k: x[name[k]]
        dist = lambda i, j: np.linalg.norm(x[i] - x[j])
        chosen = sorted(name[k] for k in ("NL", "CA", "CRP"))
        p, q = x[chosen[0]] - x[chosen[1]], x[chosen[2]] - x[chosen[1]]
        v1, v2 = at("CA") - at("NL"), at("CRP") - at("CA")
        s = x[solute]
        m = mass[solute]
        centre = m @ s / m.sum()
        near = np.linalg.norm(s - centre, axis=1) <= 3
        molecule = [i for i, a in enumerate(atoms) if a[1] == atoms[np.flatnonzero(water)[7]][1]]
        residue = molecule[21:24]
        d = DEBYE * charge[residue] @ (x[residue] - x[residue].mean(0))
        return [
            [dihedral(*[list(at(k)) for k in ("CLP", "NL", "CA", "CRP")])],
            [dihedral(*[list(x[i]) for i in (6, 8, 14, 16)])],
            [(dist(name["CLP"], name["OL"]) + dist(name["CRP"], name["OR"])) / 2],
            [math.degrees(math.acos(p @ q / np.linalg.norm(p) / np.linalg.norm(q)))],
            [x[water][:, 0].mean()],
            [(np.linalg.norm(x[0]) + np.linalg.norm(x[1])) / 2],
            x[8],
            at("CA") - comp[name["CA"]],
            v1,
            [(np.linalg.norm(v1) + np.linalg.norm(v2)) / 2],
            None,  # dot, below
            np.cross(x[2], x[4]),
            [math.sqrt(((s - s.mean(0)) ** 2).sum(1).mean())],
            [math.sqrt((m[near] * ((s[near] - centre) ** 2).sum(1)).sum() / m[near].sum())],
            [rms(fit(s, comp[solute], m), comp[solute], m)],
            [rms(s, comp[solute], np.ones(len(m)))],
            d,
            [box[0], box[2], box[5], 90, 90, 90],
            [box[0]],
            None,  # energy
            [step * dt],
            [step * dt / AKMA],
            [0],
        ]

    # ALL: a block of lines for each series, with the time in front.
    want = [values(*f) for f in taken]
    lines = rows("all.dat")
    assert len(lines) == len(taken) * len(want[0]), len(lines)
    series = []
    for k in range(len(want[0])):
        block = np.array(lines[k * len(taken) : (k + 1) * len(taken)])
        close("times", block[:, 0], [f[0] * dt for f in taken])
        series.append(block[:, 1:])
        if want[0][k] is not None:
            close(f"series {k}", block[:, 1:], [w[k] for w in want], 2e-6)
    unit = lambda v: v / np.linalg.norm(v)
    dot = [
        unit(f[1][name["CA"]] - f[1][name["CRP"]]) @ unit(f[1][name["NL"]] - f[1][name["CA"]]) for f in taken
    ]
    close("dot", series[10], dot)
    phi, psi, bond, vec, gyr, gyrm, time = (series[k] for k in (0, 1, 2, 8, 12, 13, 20))
    energy = series[19][:, 0]
    close("ener", got.pop("ener"), [energy.mean(), energy.std()])
    phi, psi, gyr, gyrm = (v[:, 0] for v in (phi, psi, gyr, gyrm))
    # What was made of them.
    made = rows("made.dat")
    n = len(taken)
    phi2 = 2 * (phi - phi.mean()) + 0.5
    close("phi2", made[:n], phi2)
    close("moving", made[n : 2 * n], [psi[max(0, k - 2) : k + 1].mean() for k in range(n)])
    step = 4 * dt
    close("integral", made[2 * n : 3 * n], [step * ((gyr[:k] + gyr[1 : k + 1]) / 2).sum() for k in range(n)])
    slope = (gyr[1:] - gyr[:-1]) / step
    close("derivative", made[3 * n : 4 * n], [*slope, slope[-1]], 1e-4)
    close("ratio", made[4 * n : 5 * n], gyr / gyrm)
    normal = vec / np.linalg.norm(vec, axis=1)[:, None]
    close("normal", made[5 * n : 6 * n], normal)
    blocks = made[6 * n : 6 * n + n // 2]
    close("blocks", blocks, [[8 * dt + 2 * k * step, time[2 * k : 2 * k + 2].mean()] for k in range(n // 2)])
    edges = np.linspace(1.15, 1.35, 5)
    parts = np.histogram(bond, edges)[0] / n
    close("histogram", made[6 * n + n // 2 :], [[(a + b) / 2, p] for a, b, p in zip(edges, edges[1:], parts)])
    # Correlation functions.
    corr = iter(rows("corr.dat"))

    def function(total, a, b, norm, tail=0, rule=lambda p, q: (p * q).sum(1)):
        a, b = np.reshape(a, (n, -1)), np.reshape(b, (n, -1))
        for t in range(total):
            value = rule(a[: n - t], b[t:]).mean()
            close(f"correlation at {t}", next(corr), [t * step, (value - tail) * norm], 1e-5)

    function(4, phi2, phi2, 1 / (phi2**2).mean())
    function(3, phi, gyr, 1 / (phi.std() * gyr.std()), phi.mean() * gyr.mean())
    function(2, normal, normal, 1, rule=lambda p, q: (3 * (p * q).sum(1) ** 2 - 1) / 2)
    function(4, series[6], series[6], 1, rule=lambda p, q: ((p - q) ** 2).sum(1))
    function(3, vec, vec, 1)
    assert next(corr, None) is None
    close("norm", got.pop("norm"), 1 / (vec**2).sum(1).mean())
    close("back", got.pop("back"), np.mean([row[1] for row in lines]))
    close("last", got.pop("last"), [energy[-1], taken[-1][2][0]], 1e-6)
    # Frame by frame.
    every = [f for f in one + two if f[0] % 4 == 0]
    radius = [math.sqrt(((x[solute] - x[solute].mean(0)) ** 2).sum(1).mean()) for _, x, _ in every]
    close("frames", got.pop("frames"), [10, sum(radius), every[-1][2][0]])
    copied = dcd("half.dcd")[2] + dcd("half2.dcd")[2]
    assert [f[0] for f in copied] == [f[0] for f in every], [f[0] for f in copied]
    for a, b in zip(copied, every):
        assert (a[1] == b[1]).all() and a[2] == b[2], "a copied frame differs"
    last = every[-1][1]
    merged = dcd("solute.dcd")[2]
    assert len(merged) == len(every)
    for a, b in zip(merged, every):
        close("merged", a[1], fit(b[1][solute], last[solute], mass[solute]), 1e-5)
    places = np.array([x[solute] for _, x, _ in one + two])
    mean = places.mean(0)
    spread = np.sqrt(((places - mean) ** 2).sum(2).mean(0))
    radius = math.sqrt(((mean - mean.mean(0)) ** 2).sum(1).mean())
    close("mean", got.pop("mean"), [radius, spread.mean()])
    places = [fit(x[solute], mean, np.ones(solute.sum())) for s, x, _ in one if 10 <= s <= 20]
    close("fitted", got.pop("fitted"), rms(np.mean(places, 0), mean, np.ones(solute.sum())), 1e-5)
    close("made", got.pop("made"), [2, 3, 3, 0.5])
    made = dcd("made.dcd")[2]
    assert len(made) == 2
    # Transitions of the methyl group that was turned: minima at -60, 60, 180, 30 degrees beyond.
    turning = dcd("turning.dcd")[2]
    assert len(turning) == 24
    ca, cb = name["CA"], name["CB"]
    around = [(i, j) for i in bonded[ca] - {cb} for j in bonded[cb] - {ca}]

    def transitions(i, j, frames):
        well, count = None, 0
        for _, x, _ in frames:
            phi = dihedral(*[list(x[k]) for k in (i, ca, cb, j)])
            away = None if well is None else abs((phi - well + 180) % 360 - 180)
            if well is None or away > 90:
                count += well is not None
                well = min((-60, 60, 180), key=lambda w: abs((phi - w + 180) % 360 - 180))
        return count

    total = sum(transitions(i, j, turning) for i, j in around)
    assert total >= 9
    close("turning", got.pop("turning"), total)
    some = [f for f in turning if f[0] >= 5 and f[0] % 2 == 0]
    close("few", got.pop("few"), transitions(name["NL"], name["HB1"], some))
    assert not got, got


if __name__ == "__main__":
    main(*sys.argv[1:])
