"""A random system with a CHARMM force field, and its energy in plain Python, knowing nothing of hmd.

Molecules like lipids (random trees with rings, hydrogens, impropers, cross terms), waters of three
places, waters of four with a lone pair, ions. Residue numbers with insertion codes, segments of eight
letters, types of six. Angstrom, degrees, kcal/mol.

The forms of the terms: docs/hmd.md, "What it computes". Precedence of wildcards, CHARMM's parmfile.doc:
dihedrals A B C D, X B C X; impropers A B C D, A X X D, X B C D, X B C X, X X C D.
"""

import itertools
import math
import random

from charmm_check import cross, dot, sub

COULOMB = 332.0716
HEAVY = ["CTL2", "CLX123", "OSLPX1", "PL", "NTL", "CG2R61"]
LIGHT = ["HAL2", "HLX12"]
MASS = {"CTL2": 12.011, "CLX123": 12.011, "OSLPX1": 15.9994, "PL": 30.974, "NTL": 14.007,
        "CG2R61": 12.011, "HAL2": 1.008, "HLX12": 1.008, "OT": 15.9994, "HT": 1.008, "LPT": 0.0,
        "SOD": 22.98977, "CLA": 35.45, "OQ4": 15.9994, "HQ4": 1.008}
IMPROPER_FORMS = [(0, 0, 0, 0), (0, 1, 1, 0), (1, 0, 0, 0), (1, 0, 0, 1), (1, 1, 0, 0)]  # 1: X
POINTS = 24  # of a cross term, a side
TERMS = "BOND ANGL UREY DIHE IMPR CMAP VDW ELEC".split()


def key(*types):
    """A term's types, the same in either direction."""
    return min(types, tuple(reversed(types)))


def masked(form, types):
    return key(*("X" if x else t for x, t in zip(form, types)))


# ---- geometry ------------------------------------------------------------------------------------

def torsion(p):
    b1, b2, b3 = sub(p[1], p[0]), sub(p[2], p[1]), sub(p[3], p[2])
    n1, n2 = cross(b1, b2), cross(b2, b3)
    return math.atan2(dot(cross(n1, n2), b2) / math.sqrt(dot(b2, b2)), dot(n1, n2))


# ---- the system ----------------------------------------------------------------------------------

class Atom:
    def __init__(self, place, name, kind, charge, x):
        self.segment, self.resid, self.residue = place
        self.name, self.type, self.charge = name, kind, charge
        self.x = [round(v, 3) for v in x]  # as a PDB has it


class System:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.atoms, self.bonds, self.impropers, self.crosses, self.pairs = [], [], [], [], []
        self.angles, self.dihedrals = [], []
        self.corners = [[7.0 * i, 7.0 * j, 7.0 * k] for i, j, k in itertools.product(range(4), repeat=3)]
        self.random.shuffle(self.corners)
        for place in (("MEMB", "52", "POPC"), ("MEMBRANE", "52A", "PLPC18"), ("LIPIDSEG", "-3", "CHL1")):
            self.lipid(place)
        self.terms_of_bonds()
        for i in range(5):
            self.water(("WAT", str(i + 1), "TIP3"), "OT", "HT", -0.834)
        for i in range(4):
            place = ("QWATER4P", str(i + 1), "TP4")
            self.lone_pair(place, self.water(place, "OQ4", "HQ4", 0.0))
        for i in range(2):
            ion = ("SOD", "CLA")[i]
            self.add(("IONS", str(i + 1), ion), ion, ion, 1.0 - 2 * i, self.corners.pop())
        self.types = list(dict.fromkeys(a.type for a in self.atoms))
        self.parameters()

    def add(self, *what):
        self.atoms.append(Atom(*what))
        return len(self.atoms) - 1

    def near(self, x, distance):
        """A random place at this distance, away from the atoms placed last."""
        while True:
            v = [self.random.gauss(0, 1) for _ in range(3)]
            y = [a + distance * b / math.sqrt(dot(v, v)) for a, b in zip(x, v)]
            if all(math.dist(y, a.x) > 0.87 for a in self.atoms[-60:]):
                return y

    def lipid(self, place):
        r, degree, start = self.random, {}, self.corners.pop()
        for h in range(r.randint(9, 12)):
            parent = r.choice([i for i in degree if degree[i] < 3][-4:]) if h else None
            x = self.near(self.atoms[parent].x, 1.5) if h else start
            i = self.add(place, f"{r.choice('CNOP')}{h + 1}", r.choice(HEAVY), 0, x)
            degree[i] = 0
            if h:
                self.bond(degree, parent, i)
        for _ in range(2):  # rings
            a, b = r.sample(list(degree), 2)
            if key(a, b) not in [key(*q) for q in self.bonds] and degree[a] < 4 and degree[b] < 4:
                self.bond(degree, a, b)
        for i in list(degree):
            for _ in range(r.randint(2, 4) - degree[i]):
                j = self.add(place, f"H{len(degree)}{'AB'[i % 2]}", r.choice(LIGHT), 0,
                             self.near(self.atoms[i].x, 1.09))
                degree[j] = 0
                self.bond(degree, i, j)
        for i in degree:
            self.atoms[i].charge = round(r.uniform(-0.6, 0.6), 2)

    def bond(self, degree, i, j):
        self.bonds.append((i, j))
        degree[i] += 1
        degree[j] += 1

    def terms_of_bonds(self):
        """Angles, dihedrals, impropers and cross terms of the lipids."""
        r, joined = self.random, self.joined()
        for b, ends in enumerate(joined):
            self.angles += [(a, b, c) for a, c in itertools.combinations(ends, 2)]
            if len(ends) == 3 and r.random() < 0.7:
                o = r.sample(ends, 3)
                self.impropers.append((b, *o) if r.random() < 0.6 else (*o, b))
        for b, c in self.bonds:
            self.dihedrals += [(a, b, c, d) for a in joined[b] for d in joined[c]
                               if len({a, b, c, d}) == 4]
        heavy = [d for d in self.dihedrals if all(self.atoms[i].type in HEAVY for i in d)]
        for a in r.sample(heavy, 3):
            self.crosses.append(a + r.choice([d for d in heavy if d[:3] == a[1:]] or heavy))

    def water(self, place, oxygen, hydrogen, charge):
        c = self.corners.pop()
        o = self.add(place, "OH2", oxygen, charge, c)
        q = 0.417 if charge else 0.52
        h = [self.add(place, f"H{k}", hydrogen, q, self.near(c, 0.96)) for k in (1, 2)]
        self.bonds += [(o, h[0]), (o, h[1]), (h[0], h[1])]
        self.angles.append((h[0], o, h[1]))
        return [o, *h]

    def lone_pair(self, place, hosts):
        """0.15 Angstrom from the oxygen on the bisector: CHARMM's distance has a minus."""
        o, h1, h2 = (self.atoms[i].x for i in hosts)
        u = [a + b - 2 * c for a, b, c in zip(h1, h2, o)]
        x = [a + 0.15 * b / math.sqrt(dot(u, u)) for a, b in zip(o, u)]
        i = self.add(place, "OM", "LPT", -1.04, x)
        self.atoms[i].x = x
        self.pairs.append((i, hosts))
        self.bonds.append((hosts[0], i))

    def joined(self):
        lone = {p[0] for p in self.pairs}
        joined = [[] for _ in self.atoms]
        for a, b in self.bonds:
            if a not in lone and b not in lone:
                joined[a].append(b)
                joined[b].append(a)
        return joined

    # ---- the force field -------------------------------------------------------------------------

    def of(self, atoms):
        return [self.atoms[i].type for i in atoms]

    def parameters(self):
        r = self.random
        self.bond_of, self.angle_of, self.dihedral_of, self.improper_of = {}, {}, {}, {}
        self.cross_of = {}
        for b in self.bonds:
            stiff = (round(r.uniform(100, 400), 2), round(r.uniform(1, 1.6), 3))
            if "LPT" not in self.of(b):
                self.bond_of.setdefault(key(*self.of(b)), stiff)
        for a in self.angles:
            urey = (round(r.uniform(5, 30), 2), round(r.uniform(1.8, 2.6), 3))
            self.angle_of.setdefault(
                key(*self.of(a)), (round(r.uniform(20, 80), 2), round(r.uniform(95, 125), 1)) +
                (urey if r.random() < 0.5 else ()))
        for d in self.dihedrals:  # each by its types, by a wildcard, or by both
            wild = masked((1, 0, 0, 1), self.of(d))
            self.dihedral_of.setdefault(wild if r.random() < 0.6 else key(*self.of(d)), self.cosines())
            if key(*self.of(d)) not in self.dihedral_of:
                self.dihedral_of.setdefault(wild, self.cosines())
        for d in self.impropers:
            for form in r.sample(IMPROPER_FORMS, 2):
                value = (round(r.uniform(5, 60), 2), 0, round(r.uniform(-40, 40), 1)) \
                    if r.random() < 0.8 else (round(r.uniform(1, 6), 2), 2, 180.0)
                self.improper_of.setdefault(masked(form, self.of(d)), value)
        for c in self.crosses:
            self.cross_of[tuple(self.of(c))] = [round(r.uniform(-3, 3), 6) for _ in range(POINTS**2)]
        self.pairs_parameters()

    def cosines(self):
        r = self.random
        return [(round(r.uniform(-2, 3), 4), n, r.choice([0.0, 180.0, 90.0, 35.5]))
                for n in sorted(r.sample([1, 2, 3, 4, 6], r.choice([1, 1, 2, 3])))]

    def pairs_parameters(self):
        """Lennard-Jones by types and NBFIX by pairs: (eps, Rmin) and, for some, those of 1-4 pairs."""
        r, self.lj, self.nbfix = self.random, {}, {}
        for t in self.types:
            light = t in LIGHT + ["HT", "HQ4"]
            own = (-round(r.uniform(0.02, 0.2), 4), round(r.uniform(0.3, 1.0) if light else r.uniform(0.9, 2.2), 4))
            near = (-round(r.uniform(0.01, 0.1), 4), round(r.uniform(0.8, 1.9), 3))
            self.lj[t] = (0.0, 0.0) if t == "LPT" else own + (near if t in HEAVY and r.random() < 0.6 else ())
        for k in range(8):
            a, b = r.sample([t for t in self.types if t in HEAVY + LIGHT + ["SOD", "OT"]], 2)
            near = (-round(r.uniform(0.02, 0.1), 4), round(r.uniform(2, 3), 3))
            self.nbfix[key(a, b)] = (-round(r.uniform(0.02, 0.3), 5), round(r.uniform(2.0, 3.6), 4)) + \
                (near if k % 2 else ())

    # ---- its energy ------------------------------------------------------------------------------

    def energy(self, side=None):
        """All terms. Without a side all pairs; with one, a cube with FSHIFT and VFSWITCH 10/12."""
        x = [a.x for a in self.atoms]
        e = dict.fromkeys(TERMS, 0.0)
        for b in self.bonds:
            if "LPT" not in self.of(b):
                k, r0 = self.bond_of[key(*self.of(b))]
                e["BOND"] += k * (math.dist(x[b[0]], x[b[1]]) - r0) ** 2
        for a in self.angles:
            k, theta0, *urey = self.angle_of[key(*self.of(a))]
            p, q = sub(x[a[0]], x[a[1]]), sub(x[a[2]], x[a[1]])
            theta = math.acos(dot(p, q) / math.sqrt(dot(p, p) * dot(q, q)))
            e["ANGL"] += k * (theta - math.radians(theta0)) ** 2
            if urey:
                e["UREY"] += urey[0] * (math.dist(x[a[0]], x[a[2]]) - urey[1]) ** 2
        for name, terms, find in (("DIHE", self.dihedrals, self.dihedral),
                                  ("IMPR", self.impropers, self.improper)):
            e[name] = sum(twist(torsion([x[i] for i in d]), *t) for d in terms for t in find(self.of(d)))
        for c in self.crosses:
            e["CMAP"] += surface(self.cross_of[tuple(self.of(c))], torsion([x[i] for i in c[:4]]),
                                 torsion([x[i] for i in c[4:]]))
        for i, j, near in self.seen():
            vdw, elec = self.pair(i, j, near, side)
            e["VDW"] += vdw
            e["ELEC"] += elec
        e["ENER"] = sum(e.values())
        return e

    def dihedral(self, types):
        return self.dihedral_of.get(key(*types)) or self.dihedral_of[masked((1, 0, 0, 1), types)]

    def improper(self, types):
        for form in IMPROPER_FORMS:
            for t in (types, types[::-1]):
                if masked(form, t) in self.improper_of:
                    return [self.improper_of[masked(form, t)]]
        raise KeyError(types)

    def seen(self):
        """(i, j, whether three bonds apart) of all pairs further apart than two; lone pairs are seen
        as their first host is."""
        joined, host = self.joined(), {i: hosts[0] for i, hosts in self.pairs}
        apart = []
        for i in range(len(self.atoms)):
            found, edge = {i: 0}, [i]
            for bonds in (1, 2, 3):
                edge = [q for p in edge for q in joined[p] if found.setdefault(q, bonds) == bonds]
            apart.append(found)
        for i, j in itertools.combinations(range(len(self.atoms)), 2):
            bonds = apart[host.get(i, i)].get(host.get(j, j), 4)
            if bonds > 2:
                yield i, j, bonds == 3

    def depth(self, a, b, near):
        """eps and Rmin of a pair."""
        both = self.nbfix.get(key(a, b))
        if both:
            eps, rmin = both[2:] if near and len(both) > 2 else both[:2]
            return abs(eps), rmin
        p, q = (v[2:] if near and len(v) > 2 else v for v in (self.lj[a], self.lj[b]))
        return math.sqrt(p[0] * q[0]), p[1] + q[1]

    def pair(self, i, j, near, side, off=12.0, on=10.0):
        a, b = self.atoms[i], self.atoms[j]
        d = sub(a.x, b.x)
        r = math.hypot(*(v - side * round(v / side) for v in d) if side else d)
        eps, rmin = self.depth(a.type, b.type, near)
        qq, p, q = COULOMB * a.charge * b.charge, eps * rmin**12, 2 * eps * rmin**6
        if not side:
            return p / r**12 - q / r**6, qq / r
        if r >= off:
            return 0.0, 0.0
        elec = qq * (1 - r / off) ** 2 / r
        if r < on:
            return p * (r**-12 - (on * off) ** -6) - q * (r**-6 - (on * off) ** -3), elec
        p *= off**6 / (off**6 - on**6)
        q *= off**3 / (off**3 - on**3)
        return p * (r**-6 - off**-6) ** 2 - q * (r**-3 - off**-3) ** 2, elec


def twist(phi, k, n, delta):
    away = phi - math.radians(delta)
    if n:
        return k * (1 + math.cos(n * phi - math.radians(delta)))
    return k * (away - 2 * math.pi * round(away / 2 / math.pi)) ** 2


# ---- cross terms: CHARMM's spline ----------------------------------------------------------------

def slopes(y):
    """Derivatives at the points, by a natural spline through two periods (CHARMM's way)."""
    n = len(y)
    e = [y[(i + n // 2) % n] for i in range(2 * n)]
    a, u, s = [0.0] * 2 * n, [0.0] * 2 * n, [0.0] * 2 * n
    for i in range(1, 2 * n - 1):
        p = 0.5 * a[i - 1] + 2
        a[i] = -0.5 / p
        u[i] = (3 * (e[i + 1] - 2 * e[i] + e[i - 1]) - 0.5 * u[i - 1]) / p
    for i in reversed(range(2 * n - 1)):
        s[i] = a[i] * s[i + 1] + u[i]
    return [e[k + 1] - e[k] - s[k] / 3 - s[k + 1] / 6 for k in range(n // 2, n // 2 + n)]


def turned(m):
    return [list(row) for row in zip(*m)]


def surface(grid, phi, psi):
    """The bicubic surface: values and derivatives at the corners of the square."""
    value = [grid[i * POINTS:(i + 1) * POINTS] for i in range(POINTS)]
    along = turned([slopes(c) for c in turned(value)])
    corner = {(0, 0): value, (1, 0): along, (0, 1): [slopes(r) for r in value],
              (1, 1): [slopes(r) for r in along]}

    def place(angle):
        v = (math.degrees(angle) + 180) * POINTS / 360
        return int(v) % POINTS, v - int(v)

    def weight(t):  # [derivative][end]
        return [[(1 + 2 * t) * (1 - t) ** 2, t * t * (3 - 2 * t)], [t * (1 - t) ** 2, -t * t * (1 - t)]]

    (i, t), (j, u) = place(phi), place(psi)
    return sum(corner[a, b][(i + p) % POINTS][(j + q) % POINTS] * weight(t)[a][p] * weight(u)[b][q]
               for a, b, p, q in itertools.product((0, 1), repeat=4))
