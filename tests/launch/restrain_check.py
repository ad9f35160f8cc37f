#!/usr/bin/env python3
"""Reckons what test_hmd_restrain's inputs ask for, from the files alone, knowing nothing of hmd.

    restrain_check.py DATA < OUTPUT

moved.crd stands here.  Reads the lines "check NAME VALUE..." and exits with a message unless each has the values that are
reckoned here, and none is missing.
"""
import math
import sys

from charmm_check import apart, crd, cross, dihedral, dot, psf, sub

C = 332.0716  # kcal Angstrom / (mol e^2)
KB = 1.987191e-3
CENTRE = [10.0, 11.0, 12.0]
BOX, ROFF, RON = 25.0, 10.0, 8.0


def parameters(path):
    """Lennard-Jones lines: type -> (eps, Rmin/2), and the bonds."""
    lj, bonds, section = {}, {}, ""
    for line in open(path):
        w = line.split("!")[0].split()
        if w and w[0] in ("BONDS", "ANGLES", "DIHEDRALS", "IMPROPER", "NONBONDED", "END", "IMPROPERS"):
            section = w[0]
        elif w and section == "BONDS":
            bonds[frozenset(w[:2])] = float(w[2]), float(w[3])
        elif len(w) >= 4 and section == "NONBONDED" and w[0] != "cutnb":
            lj[w[0]] = -float(w[2]), float(w[3])
    return lj, bonds


def half(force, off, r, inside=True):
    return force / 2 * (r - off) ** 2 if (r > off) == inside else 0.0


def pair(q, a, b, r):
    """FSHIFT and VFSWITCH, Steinbach and Brooks."""
    if r >= ROFF:
        return 0.0, 0.0
    elec = C * q / r * (1 - r / ROFF) ** 2
    if r < RON:
        return elec, a * (r**-12 - (RON * ROFF) ** -6) - b * (r**-6 - (RON * ROFF) ** -3)
    ka, kb = a * ROFF**6 / (ROFF**6 - RON**6), b * ROFF**3 / (ROFF**3 - RON**3)
    return elec, ka * (r**-6 - ROFF**-6) ** 2 - kb * (r**-3 - ROFF**-3) ** 2


def noe(r, kmin=0.0, rmin=0.0, kmax=0.0, rmax=9999.0, fmax=9999.0):
    limit = rmax + fmax / kmax if kmax else 9999
    if r < rmin:
        return kmin / 2 * (r - rmin) ** 2
    if r > limit:
        return fmax * (r - (limit + rmax) / 2)
    return kmax / 2 * max(0, r - rmax) ** 2


def noe_soft(r, kmax, rmax, fmax, rswi, sexp):
    """A and B from the two equations that make energy and force continuous, by Cramer's rule."""
    if r <= rmax + rswi:
        return noe(r, kmax=kmax, rmax=rmax)
    m = [[1, rswi**-sexp], [0, -sexp * rswi ** (-sexp - 1)]]
    v = [kmax / 2 * rswi**2 - fmax * rswi, kmax * rswi - fmax]
    det = m[0][0] * m[1][1] - m[0][1] * m[1][0]
    a, b = (v[0] * m[1][1] - m[0][1] * v[1]) / det, (m[0][0] * v[1] - m[1][0] * v[0]) / det
    return a + b / (r - rmax) ** sexp + fmax * (r - rmax)


def deviation(a, b, weight, turned=True, moved=True):
    """Root mean square, where b is moved, and turned, onto a (about the origin, if it is not moved): by the largest eigenvalue of Kearsley's and
    Horn's matrix, found by multiplying with it."""
    total = sum(weight)
    ca, cb = ([sum(w * p[k] for w, p in zip(weight, of)) / total for k in range(3)] for of in (a, b))
    if moved:
        a, b = [sub(p, ca) for p in a], [sub(p, cb) for p in b]
    if not turned:
        return math.sqrt(sum(w * math.dist(p, q) ** 2 for w, p, q in zip(weight, a, b)) / total)
    s = [[sum(w * p[i] * q[j] for w, p, q in zip(weight, b, a)) for j in range(3)] for i in range(3)]
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = s
    m = [
        [xx + yy + zz, yz - zy, zx - xz, xy - yx],
        [yz - zy, xx - yy - zz, xy + yx, zx + xz],
        [zx - xz, xy + yx, yy - xx - zz, yz + zy],
        [xy - yx, zx + xz, yz + zy, zz - xx - yy],
    ]
    squares = sum(w * (dot(p, p) + dot(q, q)) for w, p, q in zip(weight, a, b))
    v = [1.0, 0.3, 0.2, 0.1]
    for _ in range(400 if moved else 20000):
        v = [sum(x * y for x, y in zip(row, v)) + squares * x for row, x in zip(m, v)]
        length = math.hypot(*v)
        v = [x / length for x in v]
    return math.sqrt((squares - 2 * (length - squares)) / total)


def main(data):
    atoms, near = psf(data + "/alad.psf")
    x, _ = crd(data + "/alad.crd")
    mass, charge = [float(a[7]) for a in atoms], [float(a[6]) for a in atoms]
    lj, bonds = parameters(data + "/alad.prm")
    solute = [i for i, a in enumerate(atoms) if a[1] == "ALAD"]
    oxygen = [i for i, a in enumerate(atoms) if a[4] == "OH2"]
    name = {atoms[i][4]: i for i in solute}
    residue, number = [], 0
    for i, a in enumerate(atoms):
        number += i == 0 or (a[1], a[2]) != (atoms[i - 1][1], atoms[i - 1][2])
        residue.append(number)
    want = {}

    def centre(of):
        return [sum(mass[i] * x[i][k] for i in of) / sum(mass[i] for i in of) for k in range(3)]

    def apart_by(a, b):
        return math.dist(x[name[a]], x[name[b]])

    # Walls.
    away = [math.dist(x[i], CENTRE) for i in oxygen]
    want["sphere"] = [sum(half(2.5, 9, r) for r in away)]
    want["outside"] = [sum(half(2.5, 6, r, False) for r in away)]
    axis = [1 / math.sqrt(5), 0, 2 / math.sqrt(5)]
    tube = [cross(sub(x[i], CENTRE), axis) for i in range(len(atoms)) if residue[i] <= 3]
    want["cylinder"] = [sum(0.75 * (math.sqrt(dot(t, t)) - 5) ** 2 for t in tube)]
    want["plane"] = [sum(half(0.5, 4, abs(x[i][2] - 12)) for i in oxygen) + 25 * (centre(solute)[2] - 12 + 3) ** 2]
    beyond = [r - 8 for r in away if r > 8]
    waters = [i for i in range(len(atoms)) if 2 <= residue[i] <= 4]
    want["quartic"] = [
        sum(0.2 * d * d * (d * d - 2.25) for d in beyond) + 5 * (math.dist(centre(solute), centre(waters)) - 5) ** 2
    ]
    want["skipped"], want["again"], want["none"] = [0.0], want["quartic"], [0.0]
    # Other potentials and angles, by mmfp.doc.
    high = [abs(x[i][2] - 12) - 5 for i in oxygen]
    want["exponential"] = [sum(math.exp(-d / 1.5) if d > 0 else 2 - math.exp(d / 1.5) for d in high)]

    def saxon_wood(force, d, p1, p2):
        return force / (1 + math.exp((p2 - abs(d)) / p1)) - force / (1 + math.exp(p2 / p1))

    want["saxonwood"] = [
        sum(saxon_wood(3, r - 9, 0.4, 1.5) + (saxon_wood(1, r - 6, 0.7, 1) if r < 6 else 0) for r in away)
    ]
    c = [centre(solute)] + [centre([i for i in range(len(atoms)) if residue[i] in of]) for of in ((2,), (3, 4), (5,))]
    third = centre([i for i in range(len(atoms)) if residue[i] == 3])
    line, arm = sub(third, c[0]), sub(c[1], c[0])
    area = cross(line, arm)
    want["axis"] = [2 * (math.sqrt(dot(area, area) / dot(line, line)) - 1) ** 2]

    def bend(p, q, r):
        a, b = sub(p, q), sub(r, q)
        return math.degrees(math.acos(dot(a, b) / math.sqrt(dot(a, a) * dot(b, b))))

    back = [x[name[k]] for k in ("CLP", "NL", "CA", "CRP")]
    want["angle"] = [
        50 * math.radians(abs(bend(*c[:3]) - 5) - 10) ** 2 + 5 * math.radians(bend(*back[1:]) - 20) ** 2
    ]

    def turn(phi, want):
        return abs((phi - want + 180) % 360 - 180)

    flat = max(0, turn(dihedral(*back), -175) - 5)
    want["dihedral"] = [15 * math.radians(turn(dihedral(*c), 170)) ** 2 + 15 * math.radians(flat) ** 2]
    # Distances.
    left, right, methyl = ["HL1", "HL2", "HL3"], ["HR1", "HR2", "HR3"], ["HB1", "HB2", "HB3"]
    mean = (sum(apart_by(i, j) ** (1 / 3) for i in left for j in right) / 9) ** 3
    want["noe"] = [noe(apart_by("HL1", "CB"), 1, 2.7, 3, 3, 2) + noe(mean, 7, 9.5, 3, 11)]
    near_by = [apart_by(i, j) for i in left for j in methyl]
    total = sum(r**-6 for r in near_by) ** (-1 / 6)
    assert total > 3, "the soft end is not reached"
    want["soft"] = [
        2
        * (
            noe_soft(total, 4, 2.5, 1.5, 0.5, 2)
            + noe(min(near_by), kmax=2, rmax=1, fmax=99)
            + noe(math.dist(x[name["OL"]], [1, 2, 3]), kmax=10, rmax=2, fmax=10)
            + noe(apart_by("NL", "CR"), KB * 150 / 0.25, 4, KB * 150 / 0.0625, 4)
        )
    ]
    a, b = apart_by("OL", "HR"), apart_by("NL", "OR")
    want["resd"] = [
        2
        * (
            50 * (a - 0.5 * b - 1.5) ** 2
            + 0.0025 * max(0, a**2 + 2 * b**2 - 30) ** 4
            + 1.5 * min(0, a + 1) ** 2
        )
    ]
    # Between solute and water, nearest images.
    elec = vdw = real = own = 0.0
    wave = lambda i, j, r: C * charge[i] * charge[j] * math.erfc(0.3 * r) / r if r < ROFF else 0
    for i in solute:
        for j in range(len(atoms)):
            if atoms[j][1] == "ALAD":
                continue
            r = math.dist([(p - q + BOX / 2) % BOX for p, q in zip(x[i], x[j])], [BOX / 2] * 3)
            (ei, ri), (ej, rj) = lj[atoms[i][5]], lj[atoms[j][5]]
            eps, rmin = math.sqrt(ei * ej), ri + rj
            e, v = pair(charge[i] * charge[j], eps * rmin**12, 2 * eps * rmin**6, r)
            elec, vdw, real = elec + e, vdw + v, real + wave(i, j, r)
        own += sum(wave(i, j, math.dist(x[i], x[j])) for j in solute if j > i and j not in apart(near, i, 2))
    want["between"] = [vdw, elec, 0, 0, 0]
    want["real"], want["self"] = [vdw, real], [own]
    want["parts"], want["all"] = [0.0, 0.0], [0.0]
    k, r0 = bonds[frozenset(("CT1", "HB"))]
    length = k * (apart_by("CA", "HA") - r0) ** 2
    k, r0 = bonds[frozenset(("CT1", "CT3"))]
    length += k * (apart_by("CA", "CB") - r0) ** 2
    moved, _ = crd("moved.crd")
    now, then, heavy = [moved[i] for i in solute], [x[i] for i in solute], [k for k in solute if mass[k] > 3]
    want["rmsd"] = [20 * (deviation(now, then, [mass[i] for i in solute]) - 0.25) ** 2]
    upright = deviation([moved[i] for i in heavy], [x[i] for i in heavy], [1] * len(heavy), False)
    want["upright"], want["unfelt"] = [20 * upright**2], [0.0]
    even = [1] * len(now)
    want["flat"] = [20 * (deviation(now, then, even) - 0.1) ** 2]
    want["turned"] = [3 * deviation(now, then, even, moved=False) ** 2]
    want["asitis"] = [3 * deviation(now, then, even, False, False) ** 2]
    weights = [m * (0.5 if m < 3 else 1) for m in (mass[i] for i in solute)]
    want["weighted"] = [sum(weights) * deviation(now, then, weights) ** 2]
    total = sum(mass[i] for i in solute)
    want["laid"] = [3 * total * deviation(now, then, [mass[i] for i in solute], False) ** 2]
    off = {i: sub(moved[i], x[i]) for i in solute}
    four = {i: 0.5 * (2 * d[0] ** 4 + d[1] ** 4 + d[2] ** 4) for i, d in off.items()}
    want["fourth"] = [sum(four.values())]
    carbon = [i for i in solute if atoms[i][4][0] == "C"]
    want["kept"] = [sum(four[i] for i in solute if i not in carbon) + sum(2 * mass[i] * dot(off[i], off[i]) for i in carbon)]
    bent, m = [crd("bent.crd")[0][i] for i in solute], [mass[i] for i in solute]
    want["relative"] = [30 * (deviation(bent, then, m) - deviation(bent, now, m) + 0.2) ** 2]
    middle = [sum(p[k] for p in now) / len(now) for k in range(3)]
    want["gyration"] = [25 * (math.sqrt(sum(math.dist(p, middle) ** 2 for p in now) / len(now)) - 3) ** 2]
    far = math.sqrt(sum(math.dist(p, q) ** 2 for p, q in zip(now, then)) / len(now))
    want["places"] = [25 * (deviation(now, then, [1] * len(now)) - 2) ** 2 + 1.5 * (far - 1) ** 2]
    got = {}
    for line in sys.stdin:
        _, key, *values = line.split()
        got[key] = [float(v) for v in values]
    assert abs(got["bond"][0] - length) < 1e-5 * length, (got["bond"], length)
    assert got["bond"][1] > 0 and got["bond"][2] > 0  # the angles around CA, dihedrals around CA - CB
    del got["bond"]
    assert sorted(want) == sorted(got), (sorted(want), sorted(got))
    for key, values in want.items():
        assert len(values) == len(got[key]), (key, values, got[key])
        for p, q in zip(values, got[key]):
            assert abs(p - q) < 1e-6 * max(1, abs(p)), f"{key}: {got[key]} where {values} was reckoned"


main(*sys.argv[1:])
