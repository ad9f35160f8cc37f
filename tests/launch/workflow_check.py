#!/usr/bin/env python3
"""Reckons what test_hmd_workflows asks for, from the files alone, knowing nothing of hmd.

    workflow_check.py place CRD X Y Z          the file with its first atom there
    workflow_check.py check PSF CRD LINES      "check NAME VALUE...", each with the value reckoned here
"""
import math
import sys

SIDE, OFF, ON, COULOMB = 25.0, 10.0, 8.0, 332.0716
LENGTHS, ANGLES, PLACE = (30.0, 28.0, 26.0), (80.0, 75.0, 100.0), (5.0, 6.0, 7.0)


def rows(path):
    lines = [l for l in open(path) if not l.startswith("*")]
    return lines[0], [l.split() for l in lines[1:]]


def place(path, at):
    head, all_rows = rows(path)
    all_rows[0][4:7] = [f"{float(v):.5f}" for v in at]
    print("* moved\n*\n" + head, end="")
    for r in all_rows:
        print(f"{r[0]:>5}{r[1]:>5} {r[2]:<4} {r[3]:<4}" + "".join(f"{float(v):10.5f}" for v in r[4:7])
              + f" {r[7]:<4} {r[8]:<4}{float(r[9]):10.5f}")


def switch(r2):
    if r2 <= ON * ON:
        return 1.0
    o, n = OFF * OFF, ON * ON
    return (o - r2) ** 2 * (o + 2 * r2 - 3 * n) / (o - n) ** 3


def fswitch(r2, steps=40):
    """The force, switched, integrated from here to the cut-off by Simpson's rule."""
    r, far = math.sqrt(r2), 0.0
    if r < ON:
        far, r = 1 / r - 1 / ON, ON
    h = (OFF - r) / steps
    at = [switch((r + k * h) ** 2) / (r + k * h) ** 2 for k in range(steps + 1)]
    return far + h / 3 * (at[0] + at[-1] + 4 * sum(at[1:-1:2]) + 2 * sum(at[2:-1:2]))


FORMS = {
    "fswitch": fswitch,
    "shift": lambda r2: (1 - r2 / OFF**2) ** 2 / r2,
    "switch": lambda r2: switch(r2) / r2,
    "trunc": lambda r2: 1 / r2,
    "cdie": lambda r2: 1 / math.sqrt(r2),
}


def between(psf, crd):
    """Sums over pairs of solute and water, by FORMS."""
    lines = iter(open(psf))
    n = next(int(l.split()[0]) for l in lines if "!NATOM" in l)
    atoms = [next(lines).split() for _ in range(n)]
    charge = [float(a[6]) for a in atoms]
    x = [[float(w) for w in r[4:7]] for r in rows(crd)[1]]
    sums = dict.fromkeys(FORMS, 0.0)
    for i in (i for i in range(n) if atoms[i][1] == "ALAD"):
        for j in (j for j in range(n) if atoms[j][1] != "ALAD"):
            d = [p - q - SIDE * round((p - q) / SIDE) for p, q in zip(x[i], x[j])]
            r2 = sum(v * v for v in d)
            for name, form in FORMS.items():
                if r2 < OFF * OFF:
                    sums[name] += COULOMB * charge[i] * charge[j] * form(r2)
    return {name: [v] for name, v in sums.items()}


def converted():
    """PLACE, aligned, in the other axes: the symmetric matrix by its eigenvectors' square root is
    found here from the polar decomposition of the aligned one, by Newton's iteration."""
    ca, cb, cg = (math.cos(math.radians(v)) for v in ANGLES)
    a, b, c = LENGTHS
    sg = math.sqrt(1 - cg * cg)
    cy = (ca - cb * cg) / sg
    aligned = [[a, b * cg, c * cb], [0, b * sg, c * cy], [0, 0, c * math.sqrt(1 - cb * cb - cy * cy)]]

    def inverse(m):
        cof = [[m[(j + 1) % 3][(i + 1) % 3] * m[(j + 2) % 3][(i + 2) % 3]
                - m[(j + 1) % 3][(i + 2) % 3] * m[(j + 2) % 3][(i + 1) % 3] for j in range(3)] for i in range(3)]
        det = sum(m[0][k] * cof[k][0] for k in range(3))
        return [[v / det for v in r] for r in cof]

    def times(m, n):
        return [[sum(m[i][k] * n[k][j] for k in range(3)) for j in range(3)] for i in range(3)]

    turn = aligned
    for _ in range(100):
        back = inverse(turn)
        turn = [[(turn[i][j] + back[j][i]) / 2 for j in range(3)] for i in range(3)]
    symmetric = times([[turn[j][i] for j in range(3)] for i in range(3)], aligned)
    part = times(inverse(aligned), [[v, 0, 0] for v in PLACE])
    there = times(symmetric, part)
    return {"fractional": [r[0] for r in part], "symmetric": [r[0] for r in there], "aligned": list(PLACE)}


def check(psf, crd, path):
    want = {**between(psf, crd), **converted()}
    for line in open(path):
        _, name, *values = line.split()
        reckoned = want.pop(name)
        for v, w in zip(values, reckoned):
            if abs(float(v) - w) > 2e-6 * max(1, abs(w)):
                sys.exit(f"{name}: {v}, reckoned {w}")
    if want:
        sys.exit(f"not said: {sorted(want)}")


if sys.argv[1] == "place":
    place(sys.argv[2], sys.argv[3:6])
else:
    check(*sys.argv[2:5])
