"""A PSF and a CRD without some of their atoms, for test_hmd_delete.

    delete_check.py PSF CRD RADIUS OUT    writes OUT.psf and OUT.crd, prints how many atoms stay

Gone are the residues of the second segment with an oxygen closer than RADIUS to a heavy atom of the
first (no images), and of the first segment the atoms CR, HR1, HR2 and HR3, with all terms that name them.
"""

import math
import sys

WIDTH = {"NBOND": 2, "NTHETA": 3, "NPHI": 4, "NIMPHI": 4, "NDON": 2, "NACC": 2, "NCRTERM": 8}
TAIL = ("CR", "HR1", "HR2", "HR3")


def sections(lines):
    """(title's lines, atoms' lines, [(name, numbers)])"""
    at = next(i for i, line in enumerate(lines) if "!NATOM" in line)
    end = at + 1 + int(lines[at].split()[0])
    rest, name = [], None
    for line in lines[end:]:
        if "!" in line:
            name = line.split("!")[1].split()[0].rstrip(":")
            rest.append((name, []))
        elif name:
            rest[-1][1].extend(int(w) for w in line.split())
    return lines[:at], lines[at + 1:end], rest


def gone(atoms, places, radius):
    words = [a.split() for a in atoms]
    solute = [p for w, p in zip(words, places) if w[1] != "WAT" and not w[4].startswith("H")]
    near = {w[2] for w, p in zip(words, places) if w[1] == "WAT" and w[4] == "OH2"
            and any(math.dist(p, q) < radius for q in solute)}
    return [w[2] in near if w[1] == "WAT" else w[4] in TAIL for w in words]


def main():
    psf, crd, radius, out = sys.argv[1:]
    with open(psf, encoding="ascii") as file:
        title, atoms, rest = sections(file.read().splitlines())
    with open(crd, encoding="ascii") as file:
        lines = [line for line in file.read().splitlines() if not line.startswith("*")][1:]
    places = [tuple(float(x) for x in line.split()[4:7]) for line in lines]
    leaves = gone(atoms, places, float(radius))
    place, left = {}, 0
    for i, leave in enumerate(leaves, 1):
        if not leave:
            left += 1
            place[i] = left
    with open(out + ".psf", "w", encoding="ascii") as file:
        file.write("\n".join(title) + f"\n{left:8} !NATOM\n")
        for i, line in enumerate(atoms, 1):
            if i in place:
                file.write(f"{place[i]:8}{line[8:]}\n")
        for name, numbers in rest:
            if name not in WIDTH:
                continue
            width = WIDTH[name]
            terms = [numbers[k:k + width] for k in range(0, len(numbers), width)]
            kept = [[place[a] for a in t] for t in terms if all(a in place for a in t)]
            file.write(f"\n{len(kept):8} !{name}\n")
            file.writelines("".join(f"{a:8}" for a in t) + "\n" for t in kept)
        file.write("\n       0 !NNB\n\n")
    with open(out + ".crd", "w", encoding="ascii") as file:
        file.write(f"* cut\n*\n{left:5}\n")
        for i, line in enumerate(lines, 1):
            if i in place:
                file.write(f"{place[i]:5}{line[5:]}\n")
    print(left)


main()
