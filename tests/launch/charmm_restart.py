"""charmm_restart.py NOW NEXT OUT [CHANGE...]: a restart file as CHARMM's leapfrog writes it.

NOW and NEXT are hmd's own files of one run at a step and at the next one; from them come the places
x(n), the move to x(n + 1), and the velocity (x(n + 1) - x(n - 1)) / (2 dt). CHANGE: box=A,B,C and
symmetric elements (xx,xy,yy,xz,yz,zz), verlet (the original integrator's form), nose (its numbers
before), old (version 21), tiny (exponents of three digits in the place of a letter), atoms=N.
"""
import sys

AKMA = 4.88882129e-2  # ps


def hmd_file(path):
    with open(path, encoding="ascii") as f:
        lines = f.read().split("\n")
    begin = lines.index("coordinates") + 1
    head = dict(line.split(" ", 1) for line in lines[:begin - 1])
    atoms = [[float(w) for w in line.split()] for line in lines[begin:begin + int(head["atoms"])]]
    return head, [a[:3] for a in atoms], [a[3:6] for a in atoms]


def fortran(v, tiny=False):
    """D22.15: 0.ddddddddddddddd and an exponent."""
    if v == 0 and tiny:
        return " 0.100000000000000-100"
    digits, exponent = f"{abs(v):.14e}".split("e")
    power = int(exponent) + 1 if v else 0
    return f"{'-' if v < 0 else ' '}0.{digits.replace('.', '')}D{'-' if power < 0 else '+'}{abs(power):02d}"


def main():
    now, following, out, *words = sys.argv[1:]
    change = dict((w.split("=") + [""])[:2] for w in words)
    head, x, move = hmd_file(now)
    _, x1, _ = hmd_file(following)
    dt = float(head["timestep"]) / AKMA
    n = int(change.get("atoms", head["atoms"]))
    step = [[b - a for a, b in zip(p, q)] for p, q in zip(x, x1)]
    v = [[(a + b) / (2 * dt) for a, b in zip(p, q)] for p, q in zip(move, step)]
    version = 21 if "old" in change else 35
    kind = -1 if "verlet" in change else 1
    crystal = "CUBI" if "box" in change else "    "
    with open(out, "w", encoding="ascii") as f:
        f.write(f"REST{version:6d}{kind:6d}  {crystal}  {'NOSE' if 'nose' in change else '    '}\n")
        f.write(f"\n{2:8d} !NTITLE followed by title\n* a run\n* !X, Y, Z\n")

        def part(name, rows):
            f.write(f"\n !{name}\n")
            for row in rows:
                f.write("".join(fortran(c, "tiny" in change) for c in row) + "\n")

        if "nose" in change:
            part("NOSE-HOOVER PARAMETES", [[1, 2, 3]] * 40)
        if "box" in change:
            b = [float(w) for w in change["box"].split(",")]
            part("CRYSTAL PARAMETERS", [b[:3], b[3:]] + [[0, 0, 0]] * 12)
        width = 8 if "old" in change else 12
        counts = [n, int(head["step"]), 10, 10, 10, 0, 3 * n - 6]
        f.write("\n !NATOM,NPRIV,NSTEP,NSAVC,NSAVV,JHSTRT,NDEGF,SEED,NSAVL\n")
        f.write("".join(f"{c:{width}d}" for c in counts) + fortran(4711.0) + f"{0:{width}d}\n")
        f.write("\n !ENERGIES and STATISTICS\n" + "T" * 60 + "\n" + "T" * 128 + "\n")
        f.write(f"{0:8d}" + fortran(-1e9) + fortran(2.0) + fortran(300.0) + "\n")
        f.write((fortran(-8e3) + fortran(-4e6) + fortran(3e10) + "\n") * 60)
        part("XOLD, YOLD, ZOLD", x)
        part("VX, VY, VZ", v)
        part("X, Y, Z", x1 if "verlet" in change else step)


main()
