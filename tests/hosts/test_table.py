#!/usr/bin/env python3
"""The tables of `table`: what it would run fits the topologies, and what was measured is judged
as the aims say. Nothing is measured here."""

import json
import os
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, HERE)

import tap  # noqa: E402
from bed import lifecycle, topology  # noqa: E402
from tables import collectives, plan, text_page  # noqa: E402


@tap.case("every network of a table has a topology, every run a file of its own")
def _():
    files = []
    for name, table in plan.TABLES.items():
        for network in table.networks:
            topology.read(lifecycle.find_topology(network))
            files += [run.file for run in plan.runs(name, network, ["mpich"])]
    assert len(files) == len(set(files)) > 20
    assert set(plan.PAGES) == set(plan.TABLES)


def result(median, **more):
    return {"bench": "bcast", "bytes": 8, "plan": "eco", "asked": "auto", "median": median,
            "min": median, "p99": median, **more}


@tap.case("cells are judged by the aims")
def _():
    for median, bound, peers, word in ((1.0, 0.9, [2.0, 1.1], "ok"), (1.0, 0.5, [1.6], "ok"),
                                       (1.0, 0.5, [1.4], "bound"), (1.0, 0.95, [0.9], "peer"),
                                       (1.0, 0, [1.4], "bound"), (1.0, 0.5, [], "-")):
        auto = result(median, lower_bound=bound)
        assert collectives.verdict(auto, [result(p) for p in peers]) == word, (median, bound, peers)


@tap.case("pages are made of what has been measured")
def _():
    with tempfile.TemporaryDirectory() as keep:
        document = {"hosts": ["h1"], "tasks": 8, "results": [result(0.002, predicted=0.001, begin=0.0004)],
                    "peers": [{**result(0.004), "peer": "mpich"}]}
        run = {"topology": "eco8", "words": ["bcast"], "printed": json.dumps(document),
               "date": "2026-01-02 03:04 UTC", "seconds": 5, "machine": "a machine",
               "load": [0.5, 0.6]}
        with open(f"{keep}/collectives.eco8.bcast.8.json", "w", encoding="utf-8") as file:
            json.dump(run, file)
        with open(f"{keep}/eco3.eco8.json", "w", encoding="utf-8") as file:
            json.dump({**run, "printed": "ECO  1.00\n"}, file)
        page = collectives.page("T", ["collectives"], keep)
        assert "| bcast 8 B | 2 [2–2] | eco | 0.50 (0.70) | - | 4 | - | ok |" in page, page
        assert page.count("\n## ") == 2 and "1 cells: 1 `ok`." in page
        page = text_page.page("T", plan.of_page("eco.md"), keep)
        assert "ECO  1.00" in page and "a machine" in page and "Table 3" in page
        assert "Table 4" not in page


tap.finish()
