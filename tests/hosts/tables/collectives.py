"""The page of collective operations: hnow beside its peers and the model's bounds."""

import json

from . import plan, text_page

AIM_BOUND, AIM_PEER = 1.15, 1.5

INTRODUCTION = """    tests/hosts/table --peer mpich --peer openmpi collectives

This command measures this page again. Hosts are network namespaces on one machine.

Times are milliseconds, medians of single operations, from an agreed moment until the last task is
done. The columns:

* `auto`: what programs get; in brackets the minimum and the 99th percentile.
* `plan`: the plan that `auto` followed.
* `pred.`: predicted over measured time of `auto`. In brackets, the time until all tasks had begun is
  added to the prediction.
* `bound`: the model's lower bound for messages to one rank each. Multicasts can be below it.
* `aim`: `ok` means faster than the best peer, and within {bound} of the bound or {peer} times as fast as
  that peer. `peer`: a peer is faster. `bound`: faster than the peers, but not by enough.
"""


def rows_of(run):
    """(operation, bytes) -> the results and peers of that case."""
    document = json.loads(run["printed"])
    rows = {}
    for kind in ("results", "peers"):
        for result in document[kind]:
            row = rows.setdefault((result["bench"], result["bytes"]), {"results": [], "peers": []})
            row[kind].append(result)
    return rows


def verdict(auto, peers):
    if not peers:
        return "-"
    best = min(p["median"] for p in peers)
    if auto["median"] >= best:
        return "peer"
    bound = auto.get("lower_bound", 0)
    close = bound > 0 and auto["median"] <= AIM_BOUND * bound
    return "ok" if close or best >= AIM_PEER * auto["median"] else "bound"


def milliseconds(seconds):
    return f"{seconds * 1e3:.3g}" if seconds < 1 else f"{seconds * 1e3:.0f}"


def time_of(result):
    return (f"{milliseconds(result['median'])} [{milliseconds(result['min'])}–"
            f"{milliseconds(result['p99'])}]")


def size_word(size):
    for unit, letter in ((1 << 20, "M"), (1 << 10, "K")):
        if size and size % unit == 0:
            return f"{size // unit} {letter}B"
    return f"{size} B" if size else ""


def prediction_text(auto):
    """Predicted over measured: the operation alone, and with the waking of all tasks before it."""
    if not auto.get("predicted"):
        return "-"
    late = auto.get("begin", 0)
    return (f"{auto['predicted'] / auto['median']:.2f}"
            + (f" ({(auto['predicted'] + late) / auto['median']:.2f})" if late else ""))


def row_text(key, row, verdicts):
    auto = next((r for r in row["results"] if r.get("asked") == "auto"), None)
    if not auto:
        return None
    word = verdict(auto, row["peers"])
    verdicts[word] = verdicts.get(word, 0) + 1
    peers = {p["peer"]: milliseconds(p["median"]) for p in row["peers"]}
    bound = auto.get("lower_bound")
    return " | ".join((
        f"| {key[0]} {size_word(key[1])}".strip(), time_of(auto), auto["plan"],
        prediction_text(auto),
        milliseconds(bound) if bound else "-",
        peers.get("mpich", "-"), peers.get("openmpi", "-"), f"{word} |"))


def network_text(network, runs, verdicts):
    lines = [f"## {network}", "", f"{text_page.circumstances(runs[0])} for the first of "
             f"{len(runs)} runs, the last at {runs[-1]['date']}", "",
             "| operation | auto | plan | pred. | bound | MPICH | Open MPI | aim |",
             "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    order = [operation for operation, _, _ in plan.CELLS]
    rows = {}
    for run in runs:
        rows.update(rows_of(run))
    for key in sorted(rows, key=lambda k: (order.index(k[0]), k[1])):
        text = row_text(key, rows[key], verdicts)
        if text:
            lines.append(text)
    return lines + [""]


def page(title, names, keep):
    lines = [f"# {title}", "", INTRODUCTION.format(
        bound=AIM_BOUND, peer=AIM_PEER)]
    verdicts = {}
    for name in names:
        every = text_page.stored(keep, name)
        for network in plan.TABLES[name].networks:
            runs = sorted((r for r in every if r["topology"] == network), key=lambda r: r["date"])
            if runs:
                lines += network_text(network, runs, verdicts)
    total = sum(verdicts.values())
    lines += ["## All cells", "", f"{total} cells: " + ", ".join(
        f"{n} `{word}`" for word, n in sorted(verdicts.items())) + "."]
    return "\n".join(lines).rstrip() + "\n"
