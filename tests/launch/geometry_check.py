#!/usr/bin/env python3
"""Reckons what test_hmd_charmm's COOR LSQP, INERTIA, TWIST and HIST have come to, knowing nothing of hmd.

    geometry_check.py PSF CRD < OUTPUT

In the directory are twisted.crd, along.txt, around.txt.  Exits with a message unless all is what is
reckoned here.
"""
import math
import re
import sys

from charmm_check import crd, cross, dot, psf, sub


def close(name, got, want, tolerance=2e-6):
    assert len(got) == len(want), f"{name}: {len(got)} numbers, {len(want)} are wanted"
    for a, b in zip(got, want):
        assert abs(a - b) <= tolerance * max(1, abs(b)), f"{name}: {got} where {want} was reckoned"


def rows(path):
    return [[float(w) for w in line.split()] for line in open(path)]


def centre(x, weight):
    return [sum(w * p[k] for w, p in zip(weight, x)) / sum(weight) for k in range(3)]


def invariants(t):
    minor = lambda i, j: t[i][i] * t[j][j] - t[i][j] * t[j][i]
    return [sum(t[i][i] for i in range(3)), minor(0, 1) + minor(0, 2) + minor(1, 2), dot(t[0], cross(t[1], t[2]))]


def main(psf_path, crd_path):
    atoms, _ = psf(psf_path)
    x, _ = crd(crd_path)
    text = sys.stdin.read()
    solute = [i for i, a in enumerate(atoms) if a[1] == "ALAD"]
    mass = [float(atoms[i][7]) for i in solute]
    charge = [float(a[6]) for a in atoms]
    s = [x[i] for i in solute]
    # The plane: its equation, and that no other one nearby is better.
    number = r" *(-?[\d.]+)"
    found = re.search(rf"LSQP:{number} X \+{number} Y \+{number} Z ={number} +SSQ{number}", text)
    normal, off, ssq = [float(v) for v in found.groups()[:3]], float(found[4]), float(found[5])
    c = centre(s, [1] * len(s))
    away = lambda n: sum(dot(sub(p, c), n) ** 2 for p in s) / dot(n, n)
    close("plane", [dot(normal, normal), dot(normal, c), away(normal)], [1, off, ssq], 1e-5)
    for k in range(3):
        for step in (-0.01, 0.01):
            other = [v + step * (i == k) for i, v in enumerate(normal)]
            assert away(other) >= ssq - 1e-4, "another plane is nearer"
    kept = re.search(rf"check major{number}{number}{number}", text)
    major = [float(v) for v in kept.groups()]
    assert abs(dot(major, normal)) < 1e-4 and abs(dot(major, major) - 1) < 1e-4
    assert away(major) >= max(away(cross(major, normal)), ssq), "MAJOR is not the longest axis"
    # Moments: those of the tensor have the same invariants.
    c = centre(s, mass)
    d = [sub(p, c) for p in s]
    tensor = [
        [sum(m * ((dot(v, v) if i == j else 0) - v[i] * v[j]) for m, v in zip(mass, d)) for j in range(3)]
        for i in range(3)
    ]
    moment = [float(v) for v in re.findall(rf"INERTIA:{number} AMU", text)]
    assert moment == sorted(moment) and len(moment) == 3, moment
    close("moments", invariants([[moment[i] * (i == j) for j in range(3)] for i in range(3)]), invariants(tensor))
    # A twist about the axis (0, 3, 4) through (1, 2, 3): by the left hand, 5 degrees an Angstrom.
    twisted, _ = crd("twisted.crd")
    axis, at = [0, 0.6, 0.8], [1, 2, 3]
    for i in range(len(x)):
        r = sub(x[i], at)
        along = dot(r, axis)
        phi = -math.radians(5 * along) if i in set(solute) else 0
        turned = [
            r[k] * math.cos(phi) + cross(axis, r)[k] * math.sin(phi) + axis[k] * along * (1 - math.cos(phi)) + at[k]
            for k in range(3)
        ]
        close(f"twisted atom {i + 1}", twisted[i], turned, 1e-5)
    # Twice the same, the second time moved by 1 along z.
    oxygen = [i for i, a in enumerate(atoms) if a[4] == "OH2"]
    want = []
    for k in range(20):
        low, high = 2 + k, 3 + k
        count = sum(low <= x[i][2] + shift < high for i in oxygen for shift in (0, 1))
        want.append([low + 0.5, count / 2])
    for a, b in zip(rows("along.txt"), want, strict=True):
        close("along z", a, b)
    want = []
    for k in range(10):
        low, high = 3.0 * k, 3.0 * k + 3
        total = sum(charge[i] for i in range(len(x)) if low <= math.hypot(*x[i]) < high)
        want.append([low + 1.5, total, total / (4 / 3 * math.pi * (high**3 - low**3)) / 0.1])
    for a, b in zip(rows("around.txt"), want, strict=True):
        close("around", a, b, 2e-5)
    assert re.search(r"check radius 0.2245 1.7682\b", text), "RADIUS: TIP3P's hydrogen and oxygen"
    assert re.search(r"check counted 2 2 1\b", text), "NCONFIG"


main(*sys.argv[1:])
