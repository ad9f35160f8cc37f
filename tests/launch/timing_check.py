#!/usr/bin/env python3
"""timing_check FILE.json TASKS OPERATION...: a timing diagram of hmd is whole and possible: lanes have
no gaps, go through the same operations, and nobody ends one that needs all before the last has begun it."""

import json
import sys

NEEDS_ALL = ("reduce", "gather", "sum", "transpose")


def lane_of(spans, expected, where):
    operations = [span for span in spans if span["what"] != "compute"]
    assert [span["what"] for span in operations] == expected, (where, spans)
    for before, after in zip(spans, spans[1:]):
        assert before["end"] == after["begin"], (where, before, after)
    for span in spans:
        assert span["end"] >= span["begin"] >= 0, (where, span)
    return operations


def check(document, tasks, expected):
    assert document["tasks"] == tasks == len(document["lanes"]), document["tasks"]
    assert [lane["task"] for lane in document["lanes"]] == list(range(tasks))
    slack = 2 * document["clock_error"] + 1e-6
    for kind in ("measured", "predicted"):
        lanes = [lane_of(lane[kind], expected, (kind, lane["task"])) for lane in document["lanes"]]
        for k, what in enumerate(expected):
            last = max(lane[k]["begin"] for lane in lanes)
            first = min(lane[k]["end"] for lane in lanes)
            assert what not in NEEDS_ALL or first >= last - slack, (kind, what, first, last)
    for what in set(expected):
        assert what == "exchange" or document["plans"].get(what), document["plans"]


with open(sys.argv[1], encoding="utf-8") as file:
    check(json.load(file), int(sys.argv[2]), sys.argv[3:])
