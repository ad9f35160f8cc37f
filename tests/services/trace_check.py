#!/usr/bin/env python3
"""Reads a file of hrun -trace as a viewer would, and says what is wrong with it.

    trace_check.py FILE [KEY=VALUE...]     prints a summary; keys of it may be demanded

The format is Google's "Trace Event Format" (2016).  Beyond it: events of a row nest, each message
has one arrow, from the event that sent it to one that received it, and not before it was sent.
"""

import json
import sys
from collections import Counter, defaultdict

FIELDS = {"X": {"name", "cat", "ts", "dur", "pid", "tid", "args"}, "s": {"id", "ts", "pid", "tid"},
          "f": {"id", "ts", "pid", "tid", "bp"}, "M": {"name", "pid", "args"}}
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


def check(trace):
    rows, arrows, named = defaultdict(list), defaultdict(dict), set()
    for event in trace["traceEvents"]:
        missing = FIELDS[event["ph"]] - set(event)
        assert not missing, f"{missing} missing in {event}"
        if event["ph"] == "X":
            assert event["dur"] >= 0 and event["name"], event
            rows[event["pid"], event["tid"]].append(event)
        elif event["ph"] == "M":
            named.add((event["pid"], event.get("tid")))
        else:
            assert event["ph"] not in arrows[event["id"]], f"two ends: {event}"
            arrows[event["id"]][event["ph"]] = event
    assert set(rows) <= named, f"rows without a name: {set(rows) - named}"
    hosts = {host["pid"]: host for host in trace["otherData"]["hosts"]}
    for row in rows.values():
        nested(row)
    for arrow in arrows.values():
        for end in arrow.values():
            enclosed(end, rows)
        if len(arrow) == 2:
            slack = sum(hosts[end["pid"]]["clock_error_us"] for end in arrow.values())
            assert arrow["s"]["ts"] <= arrow["f"]["ts"] + slack, f"received before sent: {arrow}"
    return rows, arrows, hosts


def summary(trace):
    rows, arrows, hosts = check(trace)
    names = Counter(event["name"] for row in rows.values() for event in row)
    whole = sum(len(arrow) == 2 for arrow in arrows.values())
    off = [abs(h["clock_offset_us"]) <= h["clock_error_us"] for h in hosts.values()
           if h["clock_samples"]]
    steps = sum("step" in event["args"] for row in rows.values() for event in row)
    return dict(names) | {
        "rows": len(rows), "arrows": len(arrows), "whole": whole, "hosts": len(hosts),
        "one_clock": all(off), "steps": steps, "dropped": trace["otherData"]["dropped"],
        "missing": trace["otherData"]["tasks_missing"]}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        found = summary(json.load(file))
    print(found)
    for demand in sys.argv[2:]:
        key, _, value = demand.partition("=")
        assert str(found.get(key, 0)) == value, f"{key} is {found.get(key, 0)}, not {value}"


main()
