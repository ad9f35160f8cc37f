#!/usr/bin/env python3
"""Reckons what test_hmd_charmm's input asks for, from the files alone, knowing nothing of hmd.

    charmm_check.py PSF CRD DIRECTORY < OUTPUT

Reads the lines "check NAME VALUE..." of the output and exits with a message unless each has the
values that are reckoned here, and none is missing.
"""
import math
import sys

DEBYE = 4.80320  # e Angstrom


def crd(path):
    lines = [l for l in open(path) if not l.startswith("*")]
    rows = [l.split() for l in lines[1 : 1 + int(lines[0].split()[0])]]
    return [[float(w) for w in r[4:7]] for r in rows], [float(r[9]) for r in rows]


def psf(path):
    lines = iter(open(path))
    n = next(int(l.split()[0]) for l in lines if "!NATOM" in l)
    atoms = [next(lines).split() for _ in range(n)]
    k = next(int(l.split()[0]) for l in lines if "!NBOND" in l)
    ends = []
    while len(ends) < 2 * k:
        ends += [int(w) - 1 for w in next(lines).split()]
    near = [set() for _ in range(n)]
    for i, j in zip(ends[::2], ends[1::2]):
        near[i].add(j)
        near[j].add(i)
    return atoms, near


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


def apart(near, i, most):
    """Atoms that are at most so many bonds away."""
    found = {i}
    for _ in range(most):
        found |= {k for j in found for k in near[j]}
    return found


def main(psf_path, crd_path, directory):
    atoms, near = psf(psf_path)
    x, _ = crd(crd_path)
    mass = [float(a[7]) for a in atoms]
    charge = [float(a[6]) for a in atoms]
    solute = [i for i, a in enumerate(atoms) if a[1] == "ALAD"]
    name = {atoms[i][4]: i for i in solute}
    want = {}
    moved = [50.0, -25.0, 12.5]
    image = [
        math.dist([(p + m - q + 12.5) % 25 for p, q, m in zip(x[i], x[j], moved)], [12.5] * 3)
        for i in solute
        for j, a in enumerate(atoms)
        if a[4] == "OH2"
    ]
    want["images"] = [min(image), max(image), sum(r < 4 for r in image)]

    def mean(of, weight):
        return [sum(weight[i] * x[i][k] for i in of) / sum(weight[i] for i in of) for k in range(3)]

    one = [1.0] * len(atoms)
    for key, weight in (("rgyr", one), ("rgyrmass", mass)):
        c = mean(solute, weight)
        total = sum(weight[i] for i in solute)
        want[key] = [math.sqrt(sum(weight[i] * dot(sub(x[i], c), sub(x[i], c)) for i in solute) / total), *c]
    axis = sub(x[name["CA"]], x[name["NL"]])
    middle = [(p + q) / 2 for p, q in zip(x[name["CA"]], x[name["NL"]])]
    want["axis"] = [*axis, math.sqrt(dot(axis, axis)), *middle]
    # A turn by CHARMM's left hand about the bond, from its second atom to its third: the dihedral
    # of IUPAC, which grows with a turn by the right hand, becomes less.
    four = [name[k] for k in ("CLP", "NL", "CA", "CRP")]
    turned, _ = crd(directory + "/turned.crd")
    grown = dihedral(*[turned[i] for i in four]) - dihedral(*[x[i] for i in four])
    want["grown"] = [330.0]
    got = {"grown": [(grown + 720) % 360]}
    moved = [math.dist(turned[i], x[i]) for i in range(len(x))]
    fixed = [i for i in range(len(x)) if i not in solute or atoms[i][4] in ("CLP", "NL", "CA", "OL", "CL", "HL")]
    assert max(moved[i] for i in fixed) < 1e-6 and max(moved) > 0.5
    want["rms"] = [math.sqrt(sum(moved[i] ** 2 for i in solute) / len(solute))]
    want["rmsmass"] = [math.sqrt(sum(mass[i] * moved[i] ** 2 for i in solute) / sum(mass[i] for i in solute))]
    want["fitted"] = [0.0]
    # A quarter turn about z through (1, 2, 3) takes (x, y) to (1 + (y - 2), 2 - (x - 1)).
    p = x[name["OL"]]
    want["quarter"] = [p[1] - 1, 3 - p[0], p[2]]
    # 2.5 Angstrom along (0, 3, 4), half of it taken back.
    want["shifted"] = [p[0], p[1] + 0.75, p[2] + 1.0]
    oxygen = [i for i, a in enumerate(atoms) if a[4] == "OH2"]
    want["mind"] = min([math.dist(x[i], x[j]), i + 1, j + 1] for i in (name["OL"], name["OR"]) for j in oxygen)
    pairs = [(i, j) for i in solute for j in solute if i < j and j not in apart(near, i, 3)]
    want["maxd"] = [max(math.dist(x[i], x[j]) for i, j in pairs)]
    want["pairs"] = [sum(math.dist(x[i], x[j]) <= 4.5 for i, j in pairs)]
    third = [(i, j) for i in solute for j in solute if i < j and j in apart(near, i, 3) - apart(near, i, 2)]
    want["third"] = [len(third)]
    water = oxygen[7]
    parts = [[charge[i] * DEBYE * v for v in x[i]] for i in (water, water + 1, water + 2)]
    dipole = [sum(v) for v in zip(*parts)]
    want["dipole"] = [*dipole, math.sqrt(dot(dipole, dipole)), 0.0]
    # Arrays: WMAIN = 2 CHARGE + 1 in the solute, absolute; its statistics by mass.
    w = {i: abs(2 * charge[i] + 1) for i in solute}
    m = sum(mass[i] for i in solute)
    average = sum(mass[i] * w[i] for i in solute) / m
    want["stat"] = [min(w.values()), max(w.values()), average, m, len(solute)]
    want["variance"] = [sum(mass[i] * (w[i] - average) ** 2 for i in solute) / m]
    want["stored"] = [sum(w[i] * mass[i] + mass[i] for i in solute)]
    want["power"] = [sum(math.sqrt(mass[i]) ** 3 / 2 for i in solute)]
    _, weight = crd(directory + "/weights.crd")
    written, _ = crd(directory + "/weights.crd")
    assert len(weight) == len(solute)
    assert all(abs(weight[k] - w[i]) < 1e-6 and math.dist(written[k], x[i]) < 1e-6 for k, i in enumerate(solute))
    rows = [l for l in open(directory + "/weights.pdb") if l.startswith("ATOM")]
    assert [float(l[60:66]) for l in rows] == [float("%.2f" % w[i]) for i in solute]
    whole = [sum(v) / 2 for v in zip(*(x[i] for i in solute))]
    want["sum"] = [2 * whole[0]]
    for line in sys.stdin:
        if line.startswith("check "):
            _, key, *values = line.split()
            got[key] = [float(v) for v in values]
    # A dihedral, harmonic, with three minima, and flat over 20 degrees.
    phi = dihedral(*[x[i] for i in four])
    away = math.radians((phi - 60 + 180) % 360 - 180)
    far = math.copysign(max(0, abs(away) - math.radians(10)), away)
    want["cdih"] = [20 * away**2, 20 * (1 - math.cos(3 * away)), 20 * far**2, 0.0]
    want["place"] = x[name["NL"]]
    p, q = sub(x[name["NL"]], x[name["CA"]]), sub(x[name["CRP"]], x[name["CA"]])
    want["quick"] = [math.dist(p, (0, 0, 0)), math.degrees(math.acos(dot(p, q) / math.sqrt(dot(p, p) * dot(q, q)))), phi]
    there = [list(p) for p in x]
    there[name["NL"]][0] += 1
    centre = [sum(mass[i] * there[i][k] for i in solute) / sum(mass[i] for i in solute) for k in range(3)]
    waters = range(len(solute), len(solute) + 9)
    want["centres"] = [math.dist(centre, [sum(x[i][k] for i in waters) / 9 for k in range(3)]), want["quick"][1], phi]
    assert abs(got.pop("kept")[0] + 70) < 1
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
