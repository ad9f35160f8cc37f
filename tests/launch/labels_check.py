"""labels_check.py TOOL TEXT JSON: what both outputs of a tool have in common has the same name and value."""
import json
import math
import re
import sys


def differ(name, text, document, digits=2e-5):
    """Whether a number of the text is not that of the document, rounded."""
    if math.isclose(text, document, rel_tol=2e-4, abs_tol=digits):
        return False
    print(f"# {name}: {text} in the text, {document} in the document")
    return True


def hmd(text, document):
    layout = {"": ("step", "time", "TOTE", "TOTK", "ENER", "TEMP"),
              "INTERN": ("BOND", "ANGL", "UREY", "DIHE", "IMPR"), "CROSS": ("CMAP",),
              "EXTERN": ("VDW", "ELEC_REAL"), "EWALD": ("EWKS", "EWSE", "EWEX", "EWQC"),
              "PRESS": (None, "VIRI", None, "PRESSI", "VOLU")}
    named, bad = set(), False
    for key, column in (("AVER", "average"), ("FLUC", "fluctuation")):
        rows = re.findall(rf"^{key} ?([A-Z]*)>(.*)$", text, re.M)
        bad |= len(rows) < 5
        for part, values in rows:
            for name, value in zip(layout[part], values.split()):
                if name in (None, "step", "time"):
                    continue
                named.add(name)
                if name not in document[column]:
                    print(f"# {name} is not in the document")
                    bad = True
                elif name != "EWQC":
                    bad |= differ(f"{column} {name}", float(value), document[column][name])
    parts = re.findall(r"^TIME> +(?:of it )?(\w+)", text, re.M)
    for part in parts:
        for key in (part, part + "_least", part + "_most"):
            if key not in document["time"]:
                print(f"# {key} is not in the document's times")
                bad = True
    told = {"HARM", "CDIH", "step", "PIXX", "PIYY", "PIZZ", "GRMS", "CONS", "ELEC"}
    told |= set() if "EWKS" in named else {"EWKS", "EWSE", "EWEX", "EWQC"}
    more = set(document["last"]) - named - told
    if more:
        print(f"# only in the document: {sorted(more)}")
    # The parts make the whole, and CHARMM's lines have the part in real space.
    last = document["last"]
    whole = sum(last[k] for k in ("ELEC_REAL", "EWKS", "EWSE", "EWEX", "EWQC"))
    bad |= differ("the parts of ELEC", whole, last["ELEC"])
    line = re.findall(r"^DYNA EXTERN> +\S+ +(\S+)", text, re.M)[-1]
    bad |= differ("ELEC_REAL", float(line), last["ELEC_REAL"])
    return bad or len(parts) != 6 or bool(more) or document["ener"] != last


def hplan(text, document):
    head, *rows = [line for line in text.splitlines() if line][1:]
    names = [re.sub(r" \(s\)", "", n).replace(" ", "_") for n in re.split(r"  +|(?<=\)) ", head)]
    bad = len(rows) != len(document["plans"])
    for row, plan in zip(rows, document["plans"]):
        for name, value in zip(names, row.replace(" ms", "").split()):
            if name not in plan:
                print(f"# {name} is not in the document")
                bad = True
            elif name == "plan":
                bad |= value != plan[name]
            elif name != "planning_time":  # measured anew
                bad |= differ(name, float(value), plan[name], 1e-9 if name != "ratio" else 1e-3)
        bad |= plan["messages"] != len(plan["steps"])
    return bad


with open(sys.argv[2], encoding="ascii") as t, open(sys.argv[3], encoding="ascii") as j:
    sys.exit({"hmd": hmd, "hplan": hplan}[sys.argv[1]](t.read(), json.load(j)))
