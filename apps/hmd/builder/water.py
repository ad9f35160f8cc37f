"""Boxes of water for measurements, made of copies of the 498 molecules of the bundled system."""
import os

DATA = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "data")
SIDE = 25.0  # of the bundled box
ATOMS = (("OH2", "OT", -0.834, 15.9994), ("H1", "HT", 0.417, 1.008), ("H2", "HT", 0.417, 1.008))


def molecules():
    """Returns the water molecules of the bundled system: three positions each, not wrapped."""
    found = []
    for line in open(os.path.join(DATA, "alad.crd"), encoding="ascii"):
        word = line.split()
        if len(word) > 8 and word[2] == "TIP3":
            found.append([float(w) for w in word[4:7]])
    return [found[i : i + 3] for i in range(0, len(found), 3)]


def copies(along):
    """Returns copies of the molecules: as many along each axis as given."""
    a, b, c = along
    shift = [(SIDE * i, SIDE * j, SIDE * k) for i in range(a) for j in range(b) for k in range(c)]
    return [[[p + d for p, d in zip(atom, s)] for atom in m] for s in shift for m in molecules()]


def write(folder, water):
    n = 3 * len(water)
    with open(f"{folder}/w.psf", "w") as f:
        f.write(f"PSF EXT XPLOR\n\n 0 !NTITLE\n\n{n:10d} !NATOM\n")
        for i in range(n):
            name, kind, q, mass = ATOMS[i % 3]
            f.write(f"{i + 1} W {i // 3 + 1} TIP3 {name} {kind} {q} {mass} 0\n")
        f.write(f"\n{2 * len(water):10d} !NBOND\n")
        f.writelines(f"{i + 1} {i + 2} {i + 1} {i + 3}\n" for i in range(0, n, 3))
        f.write(f"\n{len(water):10d} !NTHETA\n")
        f.writelines(f"{i + 2} {i + 1} {i + 3}\n" for i in range(0, n, 3))
        f.write("\n 0 !NPHI\n\n 0 !NIMPHI\n\n")
    with open(f"{folder}/w.crd", "w") as f:
        f.write(f"{n:10d} EXT\n")
        for i, p in enumerate(q for m in water for q in m):
            f.write(f"{i + 1} {i // 3 + 1} TIP3 {ATOMS[i % 3][0]} {p[0]:.5f} {p[1]:.5f} {p[2]:.5f} "
                    f"W {i // 3 + 1} 0\n")


def options(folder, along):
    """Returns the options with which hmd reads the files."""
    box = ",".join(str(SIDE * n) for n in along)
    return ["-psf", f"{folder}/w.psf", "-par", f"{DATA}/alad.prm", "-crd", f"{folder}/w.crd", "-box", box]
