#!/usr/bin/env python3
"""Makes a system of random molecules with a random force field, for hmd and for LAMMPS.

    lammps_field.py SEED CELL FLAVOUR DIRECTORY

Writes field.prm, field.str, s.psf, s.crd, rest.crd (velocities of 0) and box for hmd; s.data, maps
and NAME.in (switch, fswitch, ewald) for LAMMPS.  Parameters are found here once more, from CHARMM's
rules and not through hmd's files: wildcards, what is defined later, 1-4 parameters, NBFIX, rings.
"""
import itertools
import math
import os
import random
import sys

CELLS = {
    "none": None,
    "ortho": (26, 29, 25, 90, 90, 90),
    "tric": (29, 31, 27, 80, 75, 100),
    "octa": (31, 31, 31) + (math.degrees(math.acos(-1 / 3)),) * 3,
}
HEAVY = ["CQ1", "CQ2", "NQ1", "OQ1", "SQ1"]
MASS = dict(zip(HEAVY, (12.011, 12.011, 14.007, 15.9994, 32.06)))
MASS |= {"HQ1": 1.008, "OT": 15.9994, "HT": 1.008, "SOD": 22.98977, "CLA": 35.45}
LAMMPS = """units real
boundary %s
atom_style full
box tilt large
pair_style %s
bond_style harmonic
angle_style charmm
dihedral_style %s
improper_style harmonic
special_bonds charmm
fix cmap all cmap maps
fix_modify cmap energy yes
read_data s.data fix cmap crossterm CMAP extra/special/per/atom 20
%sneighbor 2.0 bin
thermo_style custom ebond eangle edihed eimp f_cmap evdwl ecoul elong
thermo_modify format float %%.10f norm no
%srun 0
write_dump all custom %s.forces id fx fy fz modify sort id format float %%.12g
"""
random.seed(int(sys.argv[1]))
R = random


def key(*types):
    """A term read backwards is the same term."""
    return min(types, tuple(reversed(types)))


# ---- the box: lower triangle for LAMMPS, CHARMM's symmetric matrix for hmd ----------------------


def lower(a, b, c, alpha, beta, gamma):
    ca, cb, cg = (math.cos(math.radians(v)) for v in (alpha, beta, gamma))
    sg = math.sqrt(1 - cg * cg)
    yz = c * (ca - cb * cg) / sg
    return [[a, 0, 0], [b * cg, b * sg, 0], [c * cb, yz, math.sqrt(c * c - (c * cb) ** 2 - yz * yz)]]


def times(m, n):
    return [[sum(m[i][k] * n[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def inverse(m):
    (a, b, c), (d, e, f), (g, h, i) = m
    det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    adjoint = (
        (e * i - f * h, c * h - b * i, b * f - c * e),
        (f * g - d * i, a * i - c * g, c * d - a * f),
        (d * h - e * g, b * g - a * h, a * e - b * d),
    )
    return [[v / det for v in r] for r in adjoint]


def root(metric):
    """The symmetric root of a positive matrix, by Newton's iteration (Denman and Beavers)."""
    y, z = metric, [[float(i == j) for j in range(3)] for i in range(3)]
    for _ in range(60):
        iy, iz = inverse(y), inverse(z)
        y, z = ([[(p + q) / 2 for p, q in zip(r, s)] for r, s in zip(m, n)] for m, n in ((y, iz), (z, iy)))
    return y


class Box:
    def __init__(self, lengths):
        self.lengths = lengths
        self.low = lower(*(lengths or CELLS["ortho"]))
        self.symmetric = root(times(self.low, [list(c) for c in zip(*self.low)]))
        self.back = inverse(self.low)

    def at(self, f, matrix):
        return [sum(f[k] * matrix[k][j] for k in range(3)) for j in range(3)]

    def distance(self, x, y):
        d = [p - q for p, q in zip(x, y)]
        if not self.lengths:
            return math.dist(x, y)
        f = self.at(d, self.back)
        f = [v - round(v) for v in f]
        steps = itertools.product((-1, 0, 1), repeat=3)
        near = (self.at([p + q for p, q in zip(f, step)], self.low) for step in steps)
        return min(math.sqrt(sum(v * v for v in n)) for n in near)


# ---- the molecules --------------------------------------------------------------------------------


class Atoms:
    def __init__(self, box):
        self.box, self.x, self.type, self.charge, self.molecule, self.names = box, [], [], [], [], []
        self.bonds, self.water = [], []

    def free(self, x, least, but=()):
        return all(i in but or self.box.distance(x, y) >= least for i, y in enumerate(self.x))

    def add(self, x, type, charge, molecule, names):
        self.x.append(x), self.type.append(type), self.charge.append(charge)
        self.molecule.append(molecule), self.names.append(names)
        return len(self.x) - 1

    def anywhere(self, least):
        while True:
            x = self.box.at([R.random() for _ in range(3)], self.box.low)
            if self.free(x, least):
                return x

    def chain(self, number, atoms):
        """A branched chain with a ring or two, without charge."""
        segment, begin = "CH%d" % number, len(self.x)
        begins = (segment, "1", "CHN", "A1")
        heavy = [self.add(self.anywhere(2.5), R.choice(HEAVY), R.uniform(-0.6, 0.6), number, begins)]
        degree = {heavy[0]: 0}
        for n in range(2, 50 * atoms):
            parent = heavy[-1] if R.random() < 0.7 else R.choice(heavy)
            light = R.random() < 0.35
            x = [p + (1.08 if light else 1.5) * u for p, u in zip(self.x[parent], direction())]
            if degree[parent] < 4 and self.free(x, 1.25, (parent,)):
                names = (segment, str(1 + n // 99), "CHN", "A%d" % (n % 99))
                i = self.add(x, "HQ1" if light else R.choice(HEAVY), R.uniform(-0.6, 0.6), number, names)
                self.bonds.append((parent, i))
                degree[parent] += 1
                degree[i] = 1
                heavy += [] if light else [i]
            if len(self.x) - begin == atoms:
                break
        for _ in range(2):
            p, q = R.choice(heavy), R.choice(heavy)
            new = p != q and not {(p, q), (q, p)} & set(self.bonds) and max(degree[p], degree[q]) < 4
            if new and self.box.distance(self.x[p], self.x[q]) < 4:
                self.bonds.append((p, q))
        even = sum(self.charge[begin:]) / (len(self.x) - begin)
        self.charge[begin:] = [round(q - even, 6) for q in self.charge[begin:]]
        self.charge[-1] = round(self.charge[-1] - sum(self.charge[begin:]), 6)

    def waters(self, number, molecule):
        for n in range(1, number + 1):
            while True:
                o, u, v = self.anywhere(2.3), direction(), direction()
                v = [b - a * sum(p * q for p, q in zip(u, v)) for a, b in zip(u, v)]
                s = math.sqrt(sum(b * b for b in v))
                a = math.radians(104.52)
                w = [math.cos(a) * p + math.sin(a) * q / s for p, q in zip(u, v)]
                h = [[p + 0.9572 * d for p, d in zip(o, along)] for along in (u, w)]
                if self.free(h[0], 1.6) and self.free(h[1], 1.6):
                    break
            three = ((o, "OT", -0.834, "OH2"), (h[0], "HT", 0.417, "H1"), (h[1], "HT", 0.417, "H2"))
            i = [self.add(x, t, q, molecule + n, ("WAT", str(n), "TIP3", m)) for x, t, q, m in three]
            self.bonds += [(i[0], i[1]), (i[0], i[2]), (i[1], i[2])]
            self.water.append((i[1], i[0], i[2]))
        return molecule + number


def direction():
    while True:
        v = [R.uniform(-1, 1) for _ in range(3)]
        n = math.sqrt(sum(t * t for t in v))
        if 0.1 < n < 1:
            return [t / n for t in v]


def bent(x, i, j, k):
    """Whether the angle is far from a line, where LAMMPS's impropers are an approximation."""
    u, v = ([q - p for p, q in zip(x[m], x[n])] for m, n in ((i, j), (j, k)))
    c = sum(p * q for p, q in zip(u, v))
    return c * c < 0.99 * sum(p * p for p in u) * sum(q * q for q in v)


def terms(a):
    """Angles, dihedrals, impropers and cross terms of the bonds."""
    near = [[] for _ in a.x]
    for i, j in a.bonds:
        near[i].append(j)
        near[j].append(i)
    chain = [i for i, t in enumerate(a.type) if t not in ("OT", "HT")]
    angles = a.water + [(n, j, m) for j in chain for k, n in enumerate(near[j]) for m in near[j][:k]]
    inner = [(j, k) for j, k in a.bonds if a.type[j] not in ("OT", "HT")]
    dihedrals = [(i, j, k, l) for j, k in inner for i in near[j] for l in near[k] if len({i, j, k, l}) == 4]
    dihedrals = [d if R.random() < 0.5 else d[::-1] for d in dihedrals]
    impropers = [(j, *R.sample(near[j], 3)) for j in chain if len(near[j]) > 2]
    impropers = [d for d in impropers if bent(a.x, *d[:3]) and bent(a.x, *d[1:])]
    crosses, kinds, uses = [], set(), [0] * len(a.x)
    for i, j, k, l in dihedrals:
        for m in near[l]:
            types = tuple(a.type[n] for n in (i, j, k, l, m))
            if m in (i, j, k) or (types not in kinds and len(kinds) == 6) or max(uses[n] for n in (i, j, k, l, m)) > 2:
                continue  # LAMMPS has six maps, and few cross terms an atom
            kinds.add(types)
            crosses.append((i, j, k, l, j, k, l, m))
            for n in (i, j, k, l, m):
                uses[n] += 1
            break
    return angles, dihedrals, impropers, crosses


# ---- the force field ------------------------------------------------------------------------------


class Field:
    def __init__(self, a, angles, dihedrals, impropers, crosses):
        def t(*atoms):
            return tuple(a.type[i] for i in atoms)

        self.bond = {key(*t(*b)): (round(R.uniform(100, 400), 3), round(R.uniform(1, 1.6), 4)) for b in a.bonds}
        self.bond[key("OT", "HT")], self.bond[key("HT", "HT")] = (450, 0.9572), (0, 1.5139)
        self.angle = {key(*t(*g)): (round(R.uniform(20, 80), 2), round(R.uniform(95, 125), 2)) for g in angles}
        for k in list(self.angle)[::2]:  # Urey-Bradley
            self.angle[k] += (round(R.uniform(5, 40), 2), round(R.uniform(2, 2.6), 4))
        self.exact = {key(*t(*d)): self.cosines(3) for d in dihedrals if R.random() < 0.4}
        self.wild = {key(*t(*d[1:3])): self.cosines(2) for d in dihedrals}
        self.improper = {key(*t(*d)): round(R.uniform(5, 60), 2) for d in impropers if R.random() < 0.3}
        self.outer = {key(*t(d[0], d[3])): round(R.uniform(5, 60), 2) for d in impropers}
        self.inner = {key(*t(*d[1:3])): 777.0 for d in impropers}  # X B C X, which A X X D comes before
        self.lj = {t: (-round(R.uniform(0.05, 0.2), 4), round(R.uniform(0.7, 1.1), 4)) for t in HEAVY}
        for t_ in HEAVY[::2]:
            self.lj[t_] += (-round(R.uniform(0.01, 0.1), 4), round(R.uniform(0.6, 1), 4))
        self.lj |= {"HQ1": (-0.03, 0.5), "OT": (-0.1521, 1.7682), "HT": (-0.046, 0.2245)}
        self.lj |= {"SOD": (-0.0469, 1.41075), "CLA": (-0.15, 2.27)}
        self.nbfix = {key("SOD", "CLA"): (-0.083875, 3.731), key("NQ1", "OT"): (-0.15, 2.4)}
        self.nbfix[key("CQ1", "OQ1")] = (-0.21, 1.9, -0.05, 1.7)
        self.map = {t(*c): [round(R.uniform(-2, 2), 6) for _ in range(576)] for c in crosses}

    def cosines(self, most):
        several = R.sample([1, 2, 3, 4, 6], R.randint(1, most))
        return [(round(R.uniform(-2, 3), 3), n, R.choice([0, 180, 90, 38])) for n in several]

    def of_dihedral(self, types):
        return self.exact.get(key(*types)) or self.wild[key(*types[1:3])]

    def of_improper(self, types):
        return self.improper.get(key(*types)) or self.outer[key(types[0], types[3])]

    def of_pair(self, s, t):
        """eps, Rmin of two types, and the same for 1-4 pairs."""
        if key(s, t) in self.nbfix:
            v = [abs(n) for n in self.nbfix[key(s, t)]]
            return v if len(v) == 4 else v * 2
        (e, r, *f), (g, q, *h) = self.lj[s], self.lj[t]
        f, h = f or (e, r), h or (g, q)
        return math.sqrt(e * g), r + q, math.sqrt(f[0] * h[0]), f[1] + h[1]

    def write(self, directory):
        """Two files, the second a stream whose parameters count where both have one; lines as people
        write them: tabs, lower case, comments, continued, with DOS's ends."""
        end = R.choice(["\n", "\r\n"])
        file = [open(directory + "/field." + n, "w", newline="") for n in ("prm", "str")]

        def line(k, text):
            text = text.replace("  ", "\t") if R.random() < 0.3 else text
            if R.random() < 0.15 and text.count("  ") > 3:
                cut = text.rindex("  ")
                file[k].write(text[:cut] + "  - ! goes on" + end)
                text = text[cut:]
            file[k].write((text.lower() if R.random() < 0.1 else text) + R.choice(["", "", " ! a - dash -"]) + end)

        def entry(types, *rows):
            second, types = R.randint(0, 1), list(types) if R.random() < 0.5 else list(types)[::-1]
            if second and R.random() < 0.4:
                line(0, "  ".join(types + ["%g" % (v + 1 if n != 1 else v) for n, v in enumerate(rows[0])]))
            for row in rows:
                numbers = [(R.choice(["%g", "%.6f", "%.7g"]) if v == int(v) else "%.10g") % v for v in row]
                line(second, "  ".join(types + numbers))

        def section(*names):
            for k in (0, 1):
                file[k].write(end + names[k] + end)

        file[0].write("* random field" + end + "*" + end)
        head = ["* the rest", "*", "set nat ?NATC", "read rtf card append", "* masses", "*", "36  1", ""]
        file[1].write(end.join(head))
        for n, (t, m) in enumerate(MASS.items()):
            file[1].write("MASS  %d  %s  %.5f" % (7 * n + 3, t, m) + end)
        file[1].write(end.join(["END", "", "read para card flex append", "* more", "*", ""]))
        section("BONDS", "BOND")
        for k, v in self.bond.items():
            entry(k, v)
        section("ANGLES", "THETAS")
        for k, v in self.angle.items():
            entry(k, v)
        section("DIHEDRALS", "PHI")
        for k, v in self.exact.items():
            entry(k, *v)
        for k, v in self.wild.items():
            entry(("X", *k, "X"), *v)
        section("IMPROPER", "IMPHI")
        for k, v in self.improper.items():
            entry(k, (v, 0, 0))
        for k, v in self.outer.items():
            entry((k[0], "X", "X", k[1]), (v, 0, 0))
        for k, v in self.inner.items():
            entry(("X", *k, "X"), (v, 0, 0))
        file[0].write(end + "CMAP" + end)
        for k, v in self.map.items():
            file[0].write("  ".join(k) + "  24" + end)
            for i in range(0, 576, 5):
                file[0].write(" ".join("%.6f" % p for p in v[i : i + 5]) + end)
                file[0].write("! a comment" + end if i % 24 < 5 else "")
        options = "NONBONDED nbxmod 5 atom cdiel shift vatom vdistance vswitch - ! and"
        options += end + "cutnb 14.0 ctofnb 12.0 ctonnb 10.0 eps 1.0 e14fac 1.0 wmin 1.5"
        section(options + end + "H*  0.0  -9.0  9.0", "NONBONDED")
        for t, v in self.lj.items():
            groups = ["  0.0  %.10g  %.10g" % v[k : k + 2] for k in range(0, len(v), 2)]
            line(R.randint(0, 1), t + "".join(groups))
        section("HBOND CUTHB 0.5", "NBFIX")
        for k, v in self.nbfix.items():
            line(1, "  ".join([*k, *("%.10g" % p for p in v)]))
        section("END", "END")


# ---- files of the two programs ----------------------------------------------------------------------


def write_psf(a, lists, flavour, path):
    ext = "EXT" in flavour
    number = "%10d" if ext else "%8d"
    named = "XPLOR" in flavour or "NAMD" in flavour
    index = {t: 7 * n + 3 for n, t in enumerate(MASS)}
    with open(path, "w") as f:
        f.write("PSF " + flavour + "\n\n" + number % 1 + " !NTITLE\n* a title! with a mark\n\n")
        f.write(number % len(a.x) + " !NATOM\n")
        for i, (segment, residue, name, atom) in enumerate(a.names):
            kind = a.type[i] if named else index[a.type[i]]
            row = (i + 1, segment, residue, name, atom, kind, a.charge[i], MASS[a.type[i]])
            if "NAMD" in flavour:
                f.write("%d %s %s %s %s %s %.6f %.5f 0\n" % row)
            else:
                names = "%10d %-8s %-8s %-8s %-8s %-6s" if ext else "%8d %-4s %-4s %-4s %-4s %-4s"
                f.write((names + " %14.6f%14.6g       0") % row)
                f.write("   0.00000     -0.301140E-02\n" if "CHEQ" in flavour else "\n")
        zeros = number * len(a.x) % ((0,) * len(a.x))
        groups = number * 2 % (1, 0) + " !NGRP NST2\n" + number * 3 % (0, 0, 0)
        titles = ["!NBOND: bonds", "!NTHETA: angles", "!NPHI: dihedrals", "!NIMPHI: impropers"]
        titles += ["!NDON: donors", "!NACC: acceptors", "", "!NCRTERM: cross-terms"]
        for title, l in zip(titles, (*lists[:4], [], [], None, lists[4])):
            if l is None:
                f.write("\n" + number % 0 + " !NNB\n\n" + zeros + "\n\n" + groups + "\n")
                continue
            flat = [i + 1 for term in l for i in term]
            each = 9 if "THETA" in title else 8
            f.write("\n" + number % len(l) + " " + title + "\n")
            for k in range(0, len(flat), each):
                f.write("".join(number % i for i in flat[k : k + each]) + "\n")


def write_crd(a, places, path):
    with open(path, "w") as f:
        f.write("* places\n*\n%10d  EXT\n" % len(a.x))
        for i, (segment, residue, name, atom) in enumerate(a.names):
            row = (i + 1, a.molecule[i], name, atom, *places[i], segment, residue, 0)
            f.write("%10d%10d  %-8s  %-8s%20.10f%20.10f%20.10f  %-8s  %-8s%20.10f\n" % row)


class Kinds(dict):
    """Numbers what it is asked for, from 1 on."""

    def __missing__(self, k):
        self[k] = len(self) + 1
        return self[k]


def write_lammps(a, lists, field, directory):
    bonds, angles, dihedrals, impropers, crosses = lists
    box, types, maps = a.box, list(MASS), list(field.map)

    def t(atoms):
        return tuple(a.type[i] for i in atoms)

    kind = [Kinds() for _ in range(4)]
    rows = [
        [(kind[0][field.bond[key(*t(b))]], *b) for b in bonds],
        [(kind[1][(*field.angle[key(*t(g))], 0, 0)[:4]], *g) for g in angles],
        [],
        [(kind[3][field.of_improper(t(d))], *d) for d in impropers],
        [(maps.index(t(c)) + 1, *c[:4], c[7]) for c in crosses],
    ]
    not14 = {key(*b) for b in bonds} | {key(g[0], g[2]) for g in angles}  # the first of each counts
    for d in dihedrals:
        for n, p in enumerate(field.of_dihedral(t(d))):
            pair = n == 0 and key(d[0], d[3]) not in not14
            not14 |= {key(d[0], d[3])}
            rows[2].append((kind[2][(*p, int(pair))], *d))
    with open(directory + "/s.data", "w") as f:
        f.write("s\n\n%d atoms\n%d atom types\n" % (len(a.x), len(types)))
        for r, n in zip(rows, ("bonds", "angles", "dihedrals", "impropers", "crossterms")):
            f.write("%d %s\n" % (len(r), n))
        for k, n in zip(kind, ("bond", "angle", "dihedral", "improper")):
            f.write("%d %s types\n" % (max(1, len(k)), n))
        low = box.low
        for k, c in enumerate("xyz"):
            ends = ("0", low[k][k]) if box.lengths else ("-60", 90)
            f.write("%s %.15g %slo %shi\n" % (*ends, c, c))
        if box.lengths and box.lengths[3:] != (90, 90, 90):
            f.write("%.15g %.15g %.15g xy xz yz\n" % (low[1][0], low[2][0], low[2][1]))
        f.write("\nMasses\n\n" + "".join("%d %g\n" % (n + 1, MASS[m]) for n, m in enumerate(types)))
        f.write("\nAtoms # full\n\n")
        for i, x in enumerate(a.x):
            row = (i + 1, a.molecule[i], types.index(a.type[i]) + 1, a.charge[i], *x)
            f.write("%d %d %d %.6f %.14g %.14g %.14g\n" % row)
        for name, r in zip(("Bonds", "Angles", "Dihedrals", "Impropers", "CMAP"), rows):
            f.write("\n%s\n\n" % name if r else "")
            for n, (k, *atoms) in enumerate(r):
                f.write("%d %d %s\n" % (n + 1, k, " ".join(str(i + 1) for i in atoms)))
    with open(directory + "/maps", "w") as f:
        for v in field.map.values():
            f.write("# a map\n" + "".join(" ".join("%.6f" % p for p in v[i : i + 6]) + "\n" for i in range(0, 576, 6)))
    forms = ("bond_coeff %d %.10g %.10g\n", "angle_coeff %d %.10g %.10g %.10g %.10g\n")
    forms += ("dihedral_coeff %d %.10g %d %d %d\n",)
    coefficients = "".join(form % (n, *p) for form, k in zip(forms, kind) for p, n in k.items())
    coefficients += "".join("improper_coeff %d %.10g 0\n" % (n, p) for p, n in kind[3].items())
    six = 2 ** (1 / 6)
    for i, s in enumerate(types):
        for j, q in list(enumerate(types))[i:]:
            e, r, e4, r4 = field.of_pair(s, q)
            coefficients += "pair_coeff %d %d %.14g %.14g %.14g %.14g\n" % (i + 1, j + 1, e, r / six, e4, r4 / six)
    ewald = "pair_modify table 0\nkspace_style ewald 1e-8\n"
    for name, pair, dihedral, more in (
        ("switch", "lj/charmm/coul/charmm 8 10", "charmm", ""),
        ("fswitch", "lj/charmmfsw/coul/charmmfsh 8 10", "charmmfsw", ""),
        ("ewald", "lj/charmm/coul/long 8 10", "charmm", ewald),
    ):
        if more and not box.lengths:
            continue
        with open(directory + "/" + name + ".in", "w") as f:
            f.write(LAMMPS % ("p p p" if box.lengths else "s s s", pair, dihedral, coefficients, more, name))


def main(_, cell, flavour, directory):
    os.makedirs(directory, exist_ok=True)
    box = Box(CELLS[cell])
    a = Atoms(box)
    for n in range(1, 5):
        a.chain(n, R.randint(12, 30))
    molecules = a.waters(50, 4)
    for n in range(4):
        t = ("SOD", "CLA")[n % 2]
        a.add(a.anywhere(2.3), t, (1.0, -1.0)[n % 2], molecules + n + 1, ("ION", str(n + 1), t, t))
    angles, dihedrals, impropers, crosses = terms(a)
    lists = (a.bonds, angles, dihedrals, impropers, crosses)
    field = Field(a, angles, dihedrals, impropers, crosses)
    field.write(directory)
    write_psf(a, lists, flavour, directory + "/s.psf")
    # For hmd the same places stand in CHARMM's box; some molecules lie outside of it.
    shift = {m: [R.choice([-1, 0, 0, 1]) for _ in range(3)] for m in set(a.molecule)} if box.lengths else {}
    turned = []
    for i, x in enumerate(a.x):
        f = [p + s for p, s in zip(box.at(x, box.back), shift.get(a.molecule[i], (0, 0, 0)))]
        turned.append([float("%.10f" % v) for v in (box.at(f, box.symmetric) if box.lengths else x)])
    write_crd(a, turned, directory + "/s.crd")
    write_crd(a, [[0, 0, 0]] * len(a.x), directory + "/rest.crd")
    write_lammps(a, lists, field, directory)
    with open(directory + "/box", "w") as f:
        f.write(",".join("%.13g" % v for v in box.lengths) if box.lengths else "")


main(*sys.argv[1:])
