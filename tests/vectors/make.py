#!/usr/bin/env python3
"""make.py [DIRECTORY]: writes the instances of this folder, solved by tests/plans/reference.py.

They are drawn once, from the seeds below. `hplan -vector FILE` and the unit tests solve them again:
kinds and fields are those of docs/hplan.md. Small integers, so that there are ties, and sums are exact.
"""
import json
import os
import random
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "plans"))

import reference  # noqa: E402


def numbers(dice, most, *shape):
    if len(shape) == 1:
        return [dice.randint(1, most) for _ in range(shape[0])]
    return [[0 if i == j else dice.randint(1, most) for j in range(shape[1])]
            for i in range(shape[0])]


def sxr(dice, n, most):
    given = {name: numbers(dice, most, n) for name in ("Sc", "Sm", "Rc", "Rm")}
    given.update({name: numbers(dice, most, n, n) for name in ("Xc", "Xm")})
    return given


def clusters(dice, n, inside, between):
    """Costs of hosts in groups of three."""
    return [[0 if i == j else dice.randint(*(inside if i // 3 == j // 3 else between))
             for j in range(n)] for i in range(n)]


def broadcast(dice, n, model, most):
    given = {"model": model, "n": n, "root": dice.randrange(n)}
    if model == "blocking":
        given["cost"] = numbers(dice, most, n, n)
    elif model == "plogp":
        given.update(g=clusters(dice, n, (1, 4), (5, 20)), L=clusters(dice, n, (1, 4), (20, most)),
                     T=numbers(dice, most, n))
    else:
        given.update(sxr(dice, n, most), message_length=dice.choice([1, 16, 1000]))
    return given


def solve_broadcast(given):
    busy, deliver, local, node = reference.costs(given)
    expected = {"derived": {"busy": busy, "deliver": deliver, "local": local, "node_cost": node},
                "lower_bound": reference.broadcast_bound(given),
                "algorithms": {name: {"makespan": makespan, "schedule": schedule}
                               for name, (makespan, schedule) in reference.broadcast(given).items()}}
    if given["n"] <= 6:
        expected["optimum"] = reference.broadcast_optimum(given)
    return expected


def solve_exchange(given):
    n, cost = given["n"], given["cost"]
    sums = [sum(row) for row in cost] + [sum(row[j] for row in cost) for j in range(n)]
    return {"lower_bound": max(sums),
            "algorithms": {name: {"makespan": answer[0], "schedule": answer[1]}
                           for name, answer in reference.exchange(given).items()}}


def multicast(dice, n, most):
    messages = [{"source": dice.randrange(n), "length": dice.choice([1, 10, 100])} for _ in range(n)]
    for message in messages:
        others = [j for j in range(n) if j != message["source"]]
        message["destinations"] = sorted(dice.sample(others, dice.randint(1, n - 1)))
    return dict(sxr(dice, n, most), n=n, messages=messages)


def solve_multicast(given):
    return {"algorithms": {name: {"makespan": makespan, "order": order}
                           for name, (makespan, order) in reference.multicast(given).items()}}


def topology(dice, n):
    return {"n": n, "cost": clusters(dice, n, (10, 12), (14, 60)), "tolerances": [0, 0.25, 1],
            "roots": [0, n - 1], "k": 2}


def solve_topology(given):
    n, cost = given["n"], given["cost"]
    w = [[(cost[i][j] + cost[j][i]) / 2 for j in range(n)] for i in range(n)]
    partitions = []
    for tolerance in given["tolerances"]:
        subnets = [list(members) for members in reference.partition(w, tolerance)]
        tour, length, crossings = reference.ring(w, subnets)
        partitions.append({"tolerance": tolerance, "subnets": subnets, "ring": tour,
                           "ring_cost": length, "ring_crossings": crossings})
    return {"partitions": partitions}


def formulae(dice, n):
    types = [dice.choice(["quick", "slow"]) for _ in range(n)]
    table = {"quick": [20, 0.25, 30, 0.5], "slow": [50, 1.5, 70, 0.75]}
    return {"types": types, "table": table, "Xc": 8, "Xm": 0.125, "sizes": [0, 1, 64, 1024],
            "trees": {"flat": [list(range(1, n))] + [[]] * (n - 1),
                      "chain": [[i + 1] for i in range(n - 1)] + [[]],
                      "pairs": [[j for j in (2 * i + 1, 2 * i + 2) if j < n] for i in range(n)]}}


def solve_formulae(given):
    return reference.formulae(given)


INSTANCES = [("broadcast_blocking_5", "broadcast", broadcast, (5, "blocking", 5), solve_broadcast),
             ("broadcast_blocking_11", "broadcast", broadcast, (11, "blocking", 9), solve_broadcast),
             ("broadcast_plogp_9", "broadcast", broadcast, (9, "plogp", 40), solve_broadcast),
             ("broadcast_plogp_13", "broadcast", broadcast, (13, "plogp", 40), solve_broadcast),
             ("broadcast_sxr_6", "broadcast", broadcast, (6, "sxr", 4), solve_broadcast),
             ("broadcast_sxr_10", "broadcast", broadcast, (10, "sxr", 20), solve_broadcast),
             ("exchange_5", "exchange", lambda d, n, m: {"n": n, "cost": numbers(d, m, n, n)}, (5, 6), solve_exchange),
             ("exchange_9", "exchange", lambda d, n, m: {"n": n, "cost": numbers(d, m, n, n)}, (9, 30), solve_exchange),
             ("multicast_4", "multicast", multicast, (4, 5), solve_multicast),
             ("multicast_8", "multicast", multicast, (8, 30), solve_multicast),
             ("topology_9", "topology", topology, (9,), solve_topology),
             ("topology_14", "topology", topology, (14,), solve_topology),
             ("formulae_7", "formulae", formulae, (7,), solve_formulae)]


def document(name, kind, draw, arguments, solve):
    given = draw(random.Random(name), *arguments)
    return {"name": name, "kind": kind, "title": "drawn by tests/vectors/make.py", "unit": "us",
            "input": given, "expected": solve(given)}


if __name__ == "__main__":
    for instance in INSTANCES:
        with open(os.path.join(*sys.argv[1:2] or [HERE], instance[0] + ".json"), "w", encoding="ascii") as f:
            json.dump(document(*instance), f, separators=(",", ":"))
            f.write("\n")
