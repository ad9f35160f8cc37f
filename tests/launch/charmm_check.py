#!/usr/bin/env python3
"""Reckons what test_hmd_charmm's input asks for, from the files alone, knowing nothing of hmd.

    charmm_check.py PSF CRD DIRECTORY < OUTPUT

Reads the lines "check NAME VALUE..." of the output and exits with a message unless each has the
values that are reckoned here, and none is missing.
"""
import math
import sys


def crd(path):
    lines = [l for l in open(path) if not l.startswith("*")]
    rows = [l.split() for l in lines[1 : 1 + int(lines[0].split()[0])]]
    return [[float(w) for w in r[4:7]] for r in rows], [float(r[9]) for r in rows]


def psf(path):
    lines = iter(open(path))
    n = next(int(l.split()[0]) for l in lines if "!NATOM" in l)
    return [next(lines).split() for _ in range(n)]


def sub(a, b):
    return [p - q for p, q in zip(a, b)]


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dihedral(a, b, c, d):
    p, q, r = sub(b, a), sub(c, b), sub(d, c)
    m, n = cross(p, q), cross(q, r)
    return math.degrees(math.atan2(math.sqrt(dot(q, q)) * dot(p, n), dot(m, n)))


def main(psf_path, crd_path, directory):
    atoms = psf(psf_path)
    x, _ = crd(crd_path)
    mass = [float(a[7]) for a in atoms]
    charge = [float(a[6]) for a in atoms]
    solute = [i for i, a in enumerate(atoms) if a[1] == "ALAD"]
    name = {atoms[i][4]: i for i in solute}
    want = {}
    # Hydrogens of the solute moved by 1 Angstrom.
    moved = [float(atoms[i][4].startswith("H")) for i in solute]
    got = {}
    want["rms"] = [math.sqrt(sum(moved) / len(solute))]
    want["rmsmass"] = [math.sqrt(sum(mass[i] * m for i, m in zip(solute, moved)) / sum(mass[i] for i in solute))]
    want["fitted"] = [0.0]
    p = x[name["OL"]]
    # 2.5 Angstrom along (0, 3, 4), half of it taken back.
    want["shifted"] = [p[0], p[1] + 0.75, p[2] + 1.0]
    # Arrays: WMAIN = 2 CHARGE + 1 in the solute.
    w = {i: 2 * charge[i] + 1 for i in solute}
    average = sum(w.values()) / len(solute)
    want["stat"] = [min(w.values()), max(w.values()), average, sum(w.values()), len(solute)]
    want["variance"] = [sum((w[i] - average) ** 2 for i in solute) / len(solute)]
    want["mass"] = [sum(mass[i] for i in solute) / 2]
    _, weight = crd(directory + "/weights.crd")
    written, _ = crd(directory + "/weights.crd")
    assert len(weight) == len(solute)
    assert all(abs(weight[k] - w[i]) < 1e-6 and math.dist(written[k], x[i]) < 1e-6 for k, i in enumerate(solute))
    rows = [l for l in open(directory + "/weights.pdb") if l.startswith("ATOM")]
    assert [float(l[60:66]) for l in rows] == [float("%.2f" % w[i]) for i in solute]
    want["sum"] = [2 * sum(x[i][0] for i in solute)]
    for line in sys.stdin:
        if line.startswith("check "):
            _, key, *values = line.split()
            got[key] = [float(v) for v in values]
    # A dihedral, harmonic, with three minima, and flat over 20 degrees.
    four = [name[k] for k in ("CLP", "NL", "CA", "CRP")]
    phi = dihedral(*[x[i] for i in four])
    away = math.radians((phi - 60 + 180) % 360 - 180)
    far = math.copysign(max(0, abs(away) - math.radians(10)), away)
    want["cdih"] = [20 * away**2, 20 * (1 - math.cos(3 * away)), 20 * far**2, 0.0]
    # 200 steps do not end the minimisation: where it is then depends on round-off, by a degree or two.
    kept, _ = crd(directory + "/kept.crd")
    assert abs(dihedral(*[kept[i] for i in four]) + 70) < 5 < abs(phi + 70)
    # Energies belong together: charges twice as large give four times ELEC, and so on.
    elec, four_times, alone, rest, bond, nothing, every = got.pop("energies")
    want["elec"], got["elec"] = [4 * elec, elec, every - elec], [four_times, alone, rest]
    assert bond > 0 and nothing == 0
    assert sorted(want) == sorted(got), (sorted(want), sorted(got))
    for key, values in want.items():
        assert len(values) == len(got[key]), (key, values, got[key])
        for a, b in zip(values, got[key]):
            assert abs(a - b) < 2e-5 * max(1, abs(a)), f"{key}: {got[key]} where {values} was reckoned"


if __name__ == "__main__":
    main(*sys.argv[1:])
