#!/usr/bin/env python3
"""Reads a file of hrun -trace as a viewer would, and says what is wrong with it.

    trace_check.py FILE [KEY=VALUE...]     prints a summary; keys of it may be demanded; a value
                                           may be another key that is not 0

The format is Google's "Trace Event Format" (2016).  Beyond it: events of a row nest, each message
has one arrow, from the event that sent it to one that received it, and not before it was sent.
"""

import json
import sys
from collections import Counter, defaultdict

FIELDS = {"X": {"name", "cat", "ts", "dur", "pid", "tid", "args"},
          "s": {"name", "cat", "id", "ts", "pid", "tid"},
          "f": {"name", "cat", "id", "ts", "pid", "tid", "bp"}, "M": {"name", "pid", "args"}}
NAMES = {"process_name": "name", "process_sort_index": "sort_index", "thread_name": "name"}
EXACT = 2 ** 53  # numbers that viewers, being JavaScript, keep apart
SLACK = 0.002  # us: times are rounded to ns


def nested(events):
    """Events of a row, which must lie inside or behind each other."""
    ends = []
    for event in sorted(events, key=lambda e: (e["ts"], -e["dur"])):
        end = event["ts"] + event["dur"]
        while ends and ends[-1] <= event["ts"] + SLACK:
            ends.pop()
        assert not ends or end <= ends[-1] + SLACK, f"half inside another: {event}"
        ends.append(end)


def enclosed(arrow, rows):
    row = rows[arrow["pid"], arrow["tid"]]
    assert any(e["ts"] - SLACK <= arrow["ts"] <= e["ts"] + e["dur"] + SLACK for e in row), arrow


def well_formed(event):
    """Its fields are there, and of the types that viewers take."""
    missing = FIELDS[event["ph"]] - set(event)
    assert not missing, f"{missing} missing in {event}"
    for key in {"pid", "tid", "id"} & set(event):
        most = EXACT if key == "id" else 2 ** 32
        assert type(event[key]) is int and 0 <= event[key] < most, f"{key} of {event}"
    for key in {"ts", "dur"} & set(event):
        assert type(event[key]) in (int, float) and 0 <= event[key] < EXACT, f"{key} of {event}"
    assert type(event["name"]) is str and event["name"], f"name of {event}"
    assert type(event.get("args", {})) is dict, f"args of {event}"
    if event["ph"] == "M":
        assert NAMES[event["name"]] in event["args"], event


def check(trace):
    rows, arrows, named = defaultdict(list), defaultdict(dict), {}
    assert trace.get("displayTimeUnit") in ("ms", "ns"), "displayTimeUnit"
    for event in trace["traceEvents"]:
        well_formed(event)
        if event["ph"] == "X":
            rows[event["pid"], event["tid"]].append(event)
        elif event["ph"] == "M":
            named[event["pid"], event.get("tid")] = event["args"].get("name", "")
        else:
            arrow = arrows[event["cat"], event["name"], event["id"]]
            assert event["ph"] not in arrow, f"two ends: {event}"
            assert event.get("bp", "e") == "e", f"an arrow to what comes next: {event}"
            arrow[event["ph"]] = event
    assert set(rows) <= set(named), f"rows without a name: {set(rows) - set(named)}"
    hosts = {host["pid"]: host for host in trace["otherData"]["hosts"]}
    for row in rows.values():
        nested(row)
    for arrow in arrows.values():
        for end in arrow.values():
            enclosed(end, rows)
        if len(arrow) == 2:
            slack = SLACK  # one host has one clock, and one function places all of it
            if arrow["s"]["pid"] != arrow["f"]["pid"]:
                slack += sum(hosts[end["pid"]]["clock_error_us"] for end in arrow.values())
            assert arrow["s"]["ts"] <= arrow["f"]["ts"] + slack, f"received before sent: {arrow}"
    tasks = [row for row in rows if " thread " not in named[row]]
    return rows, tasks, arrows, hosts


def summary(trace):
    rows, tasks, arrows, hosts = check(trace)
    names = Counter(event["name"] for row in rows.values() for event in row)
    whole = sum(len(arrow) == 2 for arrow in arrows.values())
    off = [abs(h["clock_offset_us"]) <= h["clock_error_us"] for h in hosts.values()
           if h["clock_samples"]]
    hours = "/".join(str(round(h["clock_offset_us"] / 3.6e9)) for h in hosts.values())
    starts = [event["ts"] for row in rows.values() for event in row]
    steps = sum("step" in event["args"] for row in rows.values() for event in row)
    return dict(names) | {
        "tasks": len(tasks), "arrows": len(arrows), "whole": whole, "hosts": len(hosts),
        "one_clock": all(off), "hours": hours, "steps": steps,
        "messaging": names["isend"] + names["recv"] + names["wait"],
        "near": max(starts, default=0) - min(starts, default=0) < 60e6,
        "dropped": trace["otherData"]["dropped"],
        "missing": trace["otherData"]["tasks_missing"]}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        found = summary(json.load(file))
    print(found)
    for demand in sys.argv[2:]:
        key, _, value = demand.partition("=")
        value = str(found.get(value) or value)
        assert str(found.get(key, 0)) == value, f"{key} is {found.get(key, 0)}, not {value}"


main()
