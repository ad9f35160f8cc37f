"""A System (forms_system) as CHARMM's, psfgen's and others' programs write it: PSF, parameters, topology,
stream, CRD, PDB. Each writer returns the text of a file."""

import re

from forms_system import MASS, POINTS

NONBONDED = ["NONBONDED nbxmod  5 atom cdiel fshift vatom vdistance vfswitch -",
             "cutnb 14.0 ctofnb 12.0 ctonnb 10.0 eps 1.0 e14fac 1.0 wmin 1.5"]
OLD_NONBONDED = ["NBONDED  NBXMOD 5 ATOM CDIEL FSHIFT VATOM VDISTANCE -",
                 "    VFSWITCH CUTNB 14.0 -  ! a comment behind the dash", "! a comment amid",
                 "    CTOFNB 12. CTONNB 10. EPS 1.0 -", "    E14FAC 1.0 WMIN 1.5", "!"]
OLD_HBONDS = ["HBOND AEXP 4 REXP 6 HAEX 4 AAEX 0   NOACCEPTORS  HBNOEXCLUSIONS  ALL  -",
              "   CUTHB 0.5 CTOFHB 5.0 CTONHB 4.0  CUTHA 90.0  CTOFHA 90.0  CTONHA 90.0",
              "N*+* O*        -0.00         2.9", "OH*  O*       -0.00         2.8"]


# ---- PSF -----------------------------------------------------------------------------------------

def psf_atoms(s, writer, numbered, fluctuating):
    for i, a in enumerate(s.atoms):
        kind = f"{s.types.index(a.type) + 1:4}" if numbered else f"{a.type:<6}"
        row = f"{a.charge:14.6f}{MASS[a.type]:14.6g}{0:8}"
        if writer == "namd":
            yield (f"{i + 1} {a.segment} {a.resid} {a.residue} {a.name} {a.type} {a.charge:.6f} "
                   f"{MASS[a.type]:.4f} 0")
        else:
            yield (f"{i + 1:10} {a.segment:<8} {a.resid:<8} {a.residue:<8} {a.name:<8} {kind} {row}"
                   + (f"{0:14.6f}{-0.301:14.6g}" if fluctuating else ""))


def psf_flow(items, name, a_line):
    """A section of numbers from 1, so many a line."""
    flat = [v + 1 for item in items for v in item]
    yield from ("", f"{len(items):10} !{name}")
    for k in range(0, max(len(flat), 1), a_line):
        yield "".join(f"{v:10}" for v in flat[k:k + a_line])


def psf(s, words="EXT CMAP XPLOR", writer="charmm", numbered=False, fluctuating=False, groups=True,
        molecules=False):
    titles = ["* A TITLE ! WITH 5 !NATOM LIKE WORDS", "* DATE"]
    if writer == "namd":
        titles = [" REMARKS topology a.inp"] * 2
    lines = ["PSF " + words, "", f"{2:10} !NTITLE", *titles, "", f"{len(s.atoms):10} !NATOM",
             *psf_atoms(s, writer, numbered, fluctuating)]
    for items, name, a_line in ((s.bonds, "NBOND: bonds", 8), (s.angles, "NTHETA: angles", 9),
                                (s.dihedrals, "NPHI: dihedrals", 8),
                                (s.impropers, "NIMPHI: impropers", 8), ([], "NDON: donors", 8),
                                ([], "NACC: acceptors", 8)):
        lines += psf_flow(items, name, a_line)
    lines += ["", f"{0:10} !NNB", ""]
    lines += [f"{0:10}" * min(8, len(s.atoms) - k) for k in range(0, len(s.atoms), 8)]
    if groups:
        lines += ["", f"{2:10}{0:10} !NGRP NST2", f"{0:10}" * 3 + f"{5:10}" * 3]
    if molecules:
        lines += ["", f"{2:10} !MOLNT"] + [f"{1:10}" * 8] * ((len(s.atoms) + 7) // 8)
    lines += psf_lone_pairs(s)
    lines += psf_flow(s.crosses, "NCRTERM: cross-terms", 8)
    return "\n".join(lines) + "\n"


def psf_lone_pairs(s):
    flat = [v + 1 for i, hosts in s.pairs for v in (i, *hosts)]
    yield from ("", f"{len(s.pairs):10}{len(flat):10} !NUMLP NUMLPH")
    for k in range(len(s.pairs)):
        yield f"{3:10}{4 * k + 1:10}   F{-0.15:14.6g}{0.0:14.6g}{0.0:14.6g}"
    for k in range(0, len(flat), 8):
        yield "".join(f"{v:10}" for v in flat[k:k + 8])


# ---- force field ---------------------------------------------------------------------------------

def topology(s, numbers=True):
    lines = ["* A TOPOLOGY", "*", "   36  1", ""]
    lines += [f"MASS {k + 1 if numbers else -1:5} {t:<6} {MASS[t]:10.5f} ! x" for k, t in enumerate(s.types)]
    return "\n".join(lines + ["", "DECL -CA", "DEFA FIRS NONE LAST NONE", "AUTO ANGL DIHE", "",
                              "RESI ZZZ 0.0", "GROUP", "ATOM C1 CTL2 0.1", "BOND C1 C2", "", "END", ""])


class Sections:
    """The sections of a parameter file: lines in a random order, types in a random direction."""

    def __init__(self, s, r):
        def row(types, *values):
            types = types if r.random() < 0.5 else types[::-1]
            return " ".join(f"{t:<6}" for t in types) + "  " + " ".join(map(str, values))

        self.masses = [f"MASS  -1  {t:<6} {MASS[t]:9.5f} ! x" for t in s.types]
        self.bonds = [row(k, *v) for k, v in s.bond_of.items()]
        self.angles = [row(k, *v) + " ! comment - 1.0" for k, v in s.angle_of.items()]
        self.dihedrals = [row(k, *v) for k, terms in s.dihedral_of.items() for v in terms]
        self.impropers = [row(k, *v) for k, v in s.improper_of.items()]
        self.pairs = [f"{t:<6} 0.0 {v[0]} {v[1]}" + (f"  0.0 {v[2]} {v[3]}" if v[2:] else "")
                      for t, v in s.lj.items()]
        self.nbfix = [row(k, *v) for k, v in s.nbfix.items()]
        for lines in (self.bonds, self.angles, self.impropers, self.pairs, self.nbfix):
            r.shuffle(lines)
        self.crosses = []
        for types, grid in s.cross_of.items():
            self.crosses.append(" ".join(types) + f" {POINTS}")
            for i in range(POINTS):
                at = [f"{v:.6f}" for v in grid[i * POINTS:(i + 1) * POINTS]]
                self.crosses += ["", f"! {-180 + 15 * i}"] + [" ".join(at[k:k + 5]) for k in range(0, POINTS, 5)]


def parameters(s, r, style="36"):
    p = Sections(s, r)
    parts = [["ATOMS"] + p.masses, ["BONDS", "!", "!V(bond) = Kb(b - b0)**2"] + p.bonds,
             ["ANGLES"] + p.angles, ["DIHEDRALS"] + p.dihedrals, ["IMPROPER"] + p.impropers,
             ["CMAP"] + p.crosses, NONBONDED + [""] + p.pairs, ["NBFIX"] + p.nbfix, ["HBOND CUTHB 0.5"]]
    if style == "old":
        parts = [["BOND"] + p.bonds, ["THETAS"] + p.angles, ["PHI"] + p.dihedrals,
                 ["IMPHI"] + p.impropers, ["CMAP"] + p.crosses, OLD_NONBONDED + p.pairs,
                 ["NBFI"] + p.nbfix, OLD_HBONDS]
    if style == "order":
        parts = parts[6:7] + parts[:1] + parts[7:8] + parts[5:0:-1]
    text = "\n".join(["* PARAMETERS", "*", ""] + [line for part in parts for line in part + [""]]
                     + ["END", ""])
    if style == "lower":
        return text.lower()
    if style == "tabs, CRLF":
        return re.sub(" +", "\t", text).replace("\n", "\r\n")
    if style == "continued":  # behind the third type of an angle
        return re.sub(r"^(\w+ +\w+ +\w+) +(\d[^!\n]*)!.*$", r"\1 -\n    \2", text, flags=re.M)
    if style == "exponents":
        return re.sub(r"(?<= )-?\d+\.\d+(?= |$)", lambda m: f"{float(m[0]):.10E}".replace("E", "D"),
                      text, flags=re.M)
    return text


def stream(s, r):
    return "\n".join(["* A STREAM", "*", "", "ioformat extended", "", "read rtf card append",
                      topology(s, numbers=False), "read para flex card append", parameters(s, r),
                      "RETURN", ""])


# ---- coordinates ---------------------------------------------------------------------------------

def real_atoms(s):
    return [a for a in s.atoms if a.type != "LPT"]


def crd(s, lone_pairs=True):
    atoms = s.atoms if lone_pairs else real_atoms(s)
    lines, residues = ["* COORDINATES", "* 2 !x", "*", f"{len(atoms):10}  EXT"], []
    for i, a in enumerate(atoms):
        if (a.segment, a.resid) not in residues:
            residues.append((a.segment, a.resid))
        lines.append(f"{i + 1:10}{len(residues):10}  {a.residue:<8}  {a.name:<8}"
                     + "".join(f"{v:20.10f}" for v in a.x) + f"  {a.segment:<8}  {a.resid:<8}{0:20.10f}")
    return "\n".join(lines) + "\n"


def pdb(s, segments=True, chains=False, serial=str, models=False, hetero=False):
    lines = ["REMARK x", "CRYST1   35.000   35.000   35.000  90.00  90.00  90.00 P 1           1"]
    lines += ["MODEL        1"] if models else []
    for i, a in enumerate(real_atoms(s)):
        code = a.resid[-1] if a.resid[-1].isalpha() else " "
        name = a.name if len(a.name) >= 4 else f" {a.name:<3}"
        if hetero and i % 9 == 8:
            lines += ["TER", "ANISOU    1  X   ABC A   1     1000   1000   1000      0      0      0"]
        lines.append(f"{'HETATM' if hetero and i % 3 else 'ATOM':<6}{serial(i + 1):>5} {name:<4} "
                     f"{a.residue[:4]:<4}{a.segment[0] if chains else ' '}{a.resid.rstrip(code):>4}{code}   "
                     + "".join(f"{v:8.3f}" for v in a.x) + f"{1:6.2f}{0:6.2f}      "
                     + (a.segment[:4] if segments else ""))
    if models:
        lines += ["ENDMDL", "MODEL        2", lines[3], "ENDMDL"]
    return "\n".join(lines + ["END", ""])
