#!/usr/bin/env python3
"""Compares an energy of hmd, and the forces that moved its atoms in one step, with LAMMPS's.

    lammps_check.py NAME OUTPUT < JSON      (s.psf, step.rst and NAME.forces stand here)

NAME is the scheme, OUTPUT what lmp has printed, JSON what hmd has.
"""
import json
import math
import re
import sys

AKMA = 0.04888821  # ps
CONSTANT = 332.0716 / 332.06371  # CHARMM's over LAMMPS's; its charmmfsw styles take CHARMM's
STEP = 1e-4  # ps


def hmd_forces(masses):
    rows = open("step.rst").read().split("coordinates\n")[1].splitlines()
    for mass, row in zip(masses, rows):
        x = [float(v) for v in row.split()]
        yield math.sqrt(sum((x[k] - x[6 + k]) ** 2 for k in range(3))) * 2 * mass * (AKMA / STEP) ** 2


def main(name, output):
    values = re.search(r"E_bond.*\n(.*)\n", open(output).read()).group(1).split()
    bond, angle, dihedral, improper, cmap, vdw, elec, waves = (float(v) for v in values)
    e = json.load(sys.stdin)["ener"]
    elec = (elec + waves) * (1 if name == "fswitch" else CONSTANT)
    ewald = name == "ewald"  # LAMMPS's error function is good to seven digits
    for term, own, theirs, close in (
        ("BOND", e["BOND"], bond, 1e-8),
        ("ANGL", e["ANGL"] + e["UREY"], angle, 1e-8),
        ("DIHE", e["DIHE"], dihedral, 1e-8),
        ("IMPR", e["IMPR"], improper, 1e-8),
        ("CMAP", e["CMAP"], cmap, 1e-4),  # another spline
        ("VDW", e["VDW"], vdw, 1e-8),
        ("ELEC", e["ELEC"], elec, 1e-4 if ewald else 1e-8),
    ):
        assert abs(own - theirs) < close * max(abs(theirs), 100), f"{name}: {term} {own}, LAMMPS {theirs}"
    if name == "switch":
        return  # LAMMPS does not differentiate its switching function of the charges
    rows = open(name + ".forces").read().split("ITEM: ATOMS")[1].splitlines()[1:]
    theirs = [math.sqrt(sum(float(v) ** 2 for v in r.split()[1:])) for r in rows]
    psf = open("s.psf").read().split("!NATOM\n")[1].splitlines()[: len(rows)]
    for atom, (own, other) in enumerate(zip(hmd_forces(float(l.split()[7]) for l in psf), theirs)):
        assert abs(own - other) < 1e-3 * (1 + other), f"{name}: force on atom {atom + 1}: {own}, LAMMPS {other}"


main(*sys.argv[1:])
