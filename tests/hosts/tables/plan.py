"""Which tables there are, on which networks, by which runs of hbench."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    about: str
    networks: tuple
    words: tuple = ()   # of hbench; none: those of CELLS


@dataclass(frozen=True)
class Run:
    file: str           # in which it is kept
    words: list         # of hbench; "@water NX NY NZ": hmd's options for a box of that many copies

    def kept(self, piece):
        """The file of a piece of the run; without one, of all of it."""
        return self.file.replace(".json", f".{piece}.json") if piece else self.file


# Barchet's default, his flat tree, and his heuristics.
GRID = ("binomial,eco,subnets_fef,subnets_ecef,subnets_ecef_la,subnets_ecef_la_t,subnets_ecef_la_T,"
        "subnets_bottom_up,auto")

TABLES = {
    "eco3": Table("ECO, Table 3: broadcast of 16000 bytes", ("eco8",),
                  ("eco", "-table", "3", "-iters", "300")),
    "eco4": Table("ECO, Table 4: hmd on three shared segments", ("eco8",),
                  ("eco", "-table", "4", "-steps", "10")),
    "eco5": Table("ECO, Table 5: the same with ambient traffic", ("eco8",),
                  ("eco", "-table", "5", "-steps", "40", "-iters", "3")),
    "eco6": Table("ECO, Table 6: hmd on a switch", ("indy8",),
                  ("eco", "-table", "6", "-steps", "10")),
    "eco7": Table("ECO, Table 7: hmd on twenty hosts of several kinds", ("eco20",),
                  ("eco", "-table", "7", "-steps", "10", "-iters", "3")),
    "efficiency": Table("hmd on 1 to 8 equal hosts on a switch, 5976 atoms", ("even8",),
                        ("hmd", "-np", "1,2,4,8", "-steps", "40", "-hmd", "@water 1 2 2")),
    "grid": Table("Barchet, Figures 5 and 6: broadcasts on a grid", ("grid6",),
                  ("bcast", "-bytes", "1K,16K,64K,256K,1M,4M", "-plan", GRID)),
    "wu": Table("Wu: every host multicasts to half of the others", ("hnow8m", "grid6", "eco8"),
                ("multimulticast", "-plan", "wrp,ecf,auto", "-bytes", "1K,64K", "-iters", "16")),
    "collectives": Table("operations beside peers and bounds",
                         ("lan8", "hnow8m", "grid6", "eco8", "eco20", "gusto5")),
}

# Page, its title, and what makes it.
PAGES = {
    **{f"eco{n}": ("eco.md", "ECO's tables, measured again", "text") for n in range(3, 8)},
    "efficiency": ("efficiency.md", "hmd's parallel efficiency on one switch", "text"),
    "grid": ("grid.md", "Barchet's broadcasts on a grid, measured again", "text"),
    "wu": ("wu.md", "Wu's multiple multicasts on real hosts", "text"),
    "collectives": ("collectives.md", "Collective operations: what was reached", "collectives"),
}

# Operation, sizes that are quick everywhere, and those that take seconds on slow networks.
CELLS = (
    ("barrier", "", ""),
    ("bcast", "8,1K,64K", "1M"),
    ("reduce", "8,1K,64K", "1M"),
    ("allreduce", "8,1K,64K", "1M"),
    ("allgather", "8,1K", "64K"),
    ("allgather", "", "1M"),
    ("reduce_scatter", "8,1K", "64K"),
    ("reduce_scatter", "", "1M"),
    ("alltoall", "8,1K", "64K"),
    ("alltoall", "", "1M"),
    ("scan", "8,1K,64K", "1M"),
)
FAST = ("lan8", "hnow8m", "grid6")
# What would take minutes for one operation; peers' programs are not waited for so long.
LEFT_OUT = {"gusto5": {(operation, "1M") for operation, _, _ in CELLS},
            "eco20": {("allgather", "1M"), ("reduce_scatter", "1M"), ("alltoall", "1M")}}


def cells(network):
    """(operation, sizes, whether they take seconds) on a network."""
    for operation, quick, slow in CELLS:
        together = ",".join(filter(None, (quick, slow)))
        if network in FAST or not slow:
            yield operation, together, False
            continue
        if quick:
            yield operation, quick, False
        if (operation, slow) not in LEFT_OUT.get(network, ()):
            yield operation, slow, True


def runs(name, network, peers):
    table = TABLES[name]
    more = [word for peer in peers for word in ("-peer", peer)]
    if table.words:
        return [Run(f"{name}.{network}.json", [*table.words])]
    return [Run(f"{name}.{network}.{operation}.{sizes or '0'}.json",
                [operation, *(["-bytes", sizes] if sizes else []), "-plan", "auto",
                 *(["-iters", "2"] if few else []), "-json", *more])
            for operation, sizes, few in cells(network)]


def of_page(page):
    return [name for name in TABLES if PAGES[name][0] == page]
