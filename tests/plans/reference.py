"""A second, simple implementation of the heuristics of the papers, as a reference for tests.

It is slow: small integers, sums in Python. Each function takes an instance as a dictionary (the `input` of
hplan -vector) and returns {name: (makespan, schedule or order)}.
"""

import itertools


# ---- broadcast: Bhat, Barchet-Steffenel ----------------------------------------------------------

def costs(given):
    """(busy, deliver, local, node cost) of a broadcast instance."""
    n, model = given["n"], given["model"]
    size = range(n)
    if model == "blocking":
        busy = deliver = given["cost"]
        local = [0] * n
    elif model == "plogp":
        busy, local = given["g"], given["T"]
        deliver = [[busy[i][j] + given["L"][i][j] for j in size] for i in size]
    else:
        m = given["message_length"]
        send = [given["Sc"][i] + given["Sm"][i] * m for i in size]
        busy = [[0 if i == j else send[i] for j in size] for i in size]
        deliver = [[0 if i == j else send[i] + given["Xc"][i][j] + given["Xm"][i][j] * m +
                    given["Rc"][j] + given["Rm"][j] * m for j in size] for i in size]
        return busy, deliver, [0] * n, send
    return busy, deliver, local, [sum(row) for row in busy]


class Broadcast:
    """Informed nodes, waiting nodes, and when the informed ones are free."""

    def __init__(self, given):
        self.n, self.root = given["n"], given["root"]
        self.busy, self.deliver, self.local, self.node = costs(given)
        self.informed, self.ready, self.schedule = [self.root], {self.root: 0}, []
        self.waiting = [j for j in range(self.n) if j != self.root]

    def take(self, i, j):
        start = self.ready[i]
        self.ready[i] = start + self.busy[i][j]
        self.ready[j] = start + self.deliver[i][j]
        self.schedule.append([i, j, start, self.ready[j]])
        self.informed = sorted(self.informed + [j])
        self.waiting.remove(j)

    def rest(self, j):
        return [k for k in self.waiting if k != j]

    def arrival(self, i, j):
        return self.ready[i] + self.deliver[i][j]

    def best_pair(self, key):
        return min((key(i, j), i, j) for i in self.informed for j in self.waiting)[1:]

    # The rules; each returns the next (sender, receiver).
    def flat(self):
        return self.root, self.waiting[0]

    def fef(self):
        return self.best_pair(lambda i, j: self.deliver[i][j])

    def ecef(self):
        return self.best_pair(self.arrival)

    def look(self, ahead):
        return self.best_pair(lambda i, j: self.arrival(i, j) + ahead(j, self.rest(j)))

    def ecef_la(self):
        return self.look(lambda j, rest: min((self.deliver[j][k] for k in rest), default=0))

    def ecef_la_t(self):
        return self.look(lambda j, rest: min((self.deliver[j][k] + self.local[k] for k in rest),
                                             default=0))

    def ecef_la_T(self):
        return self.look(lambda j, rest: max((self.deliver[j][k] + self.local[k] for k in rest),
                                             default=0))

    def mean(self, senders):
        def key(i, j):
            edges = [self.deliver[a][k] for a in senders(j) for k in self.rest(j)]
            return max(len(edges), 1) * self.arrival(i, j) + sum(edges)
        return self.best_pair(key)

    def ecef_la_avg(self):
        return self.mean(lambda j: [j])

    def ecef_la_avg_ab(self):
        return self.mean(lambda j: self.informed + [j])

    def slowest_first(self, reach):
        found = [min((reach(i, j) + self.local[j], i) for i in self.informed) + (j,)
                 for j in self.waiting]
        value, i, j = max(found, key=lambda f: (f[0], -f[2]))
        return i, j

    def bottom_up(self):
        return self.slowest_first(lambda i, j: self.deliver[i][j])

    def bottom_up_rt(self):
        return self.slowest_first(self.arrival)

    def fnf(self):
        j = min((self.node[j], j) for j in self.waiting)[1]
        return min((self.arrival(i, j), i) for i in self.informed)[1], j

    def makespan(self):
        return max(self.ready[i] + self.local[i] for i in range(self.n))


BROADCASTS = ["flat", "fef", "ecef", "ecef_la", "ecef_la_avg", "ecef_la_avg_ab", "ecef_la_t",
              "ecef_la_T", "bottom_up", "bottom_up_rt", "fnf"]


def broadcast(given):
    found = {}
    for name in BROADCASTS:
        b = Broadcast(given)
        while b.waiting:
            b.take(*getattr(b, name)())
        found[name] = (b.makespan(), b.schedule)
    return found


def broadcast_bound(given):
    """The largest of: the longest of the shortest paths; the root's first send and its local part; and
    the time in which copies double, each at the cost of the cheapest send."""
    n, root = given["n"], given["root"]
    busy, deliver, local, _ = costs(given)
    others = [j for j in range(n) if j != root]
    if not others:
        return local[root]
    way = list(deliver[root])
    way[root] = 0
    for _ in range(n):
        way = [min([way[j]] + [way[i] + deliver[i][j] for i in range(n) if i != j])
               for j in range(n)]
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
    again, there = min(busy[i][j] for i, j in pairs), min(deliver[i][j] for i, j in pairs)
    free, copies = [0], []
    for _ in others:
        start = min(free)
        free.remove(start)
        free += [start + again, start + there]
        copies.append(start + there)
    longest = sorted((local[j] for j in others), reverse=True)
    return max([way[j] + local[j] for j in others] +
               [min(busy[root][j] for j in others) + local[root]] +
               [copy + late for copy, late in zip(sorted(copies), longest)])


def broadcast_optimum(given):
    """The best of all trees and orders, by exhaustive search."""
    busy, deliver, local, _ = costs(given)
    best = float("inf")

    def go(ready, waiting):
        nonlocal best
        now = max(ready[i] + local[i] for i in ready)
        if now >= best:
            return
        if not waiting:
            best = now
        for i in ready:
            for j in waiting:
                then = dict(ready)
                then[j] = ready[i] + deliver[i][j]
                then[i] = ready[i] + busy[i][j]
                go(then, [k for k in waiting if k != j])
    go({given["root"]: 0}, [j for j in range(given["n"]) if j != given["root"]])
    return best


# ---- total exchange: Bhat ------------------------------------------------------------------------

def execute(n, cost, events):
    send, recv, schedule = [0] * n, [0] * n, []
    for i, j in events:
        start = max(send[i], recv[j])
        send[i] = recv[j] = start + cost[i][j]
        schedule.append([i, j, start, start + cost[i][j]])
    return max((event[3] for event in schedule), default=0), schedule


def owed(n, cost, i):
    return [j for j in range(n) if j != i or cost[i][i] > 0]


def exchange_greedy(n, cost):
    wanted = {i: sorted(owed(n, cost, i), key=lambda j, i=i: (-cost[i][j], j)) for i in range(n)}
    turn, events = [i for i in range(n) if wanted[i]], []
    while turn:
        taken, served, idle = set(), [], []
        for i in turn:
            j = next((j for j in wanted[i] if j not in taken), None)
            if j is None:
                idle.append(i)
                continue
            taken.add(j)
            wanted[i].remove(j)
            served.append(i)
            events.append((i, j))
        turn = idle + served if idle else turn[-1:] + turn[:-1]
        turn = [i for i in turn if wanted[i]]
    return execute(n, cost, events)


def exchange_open_shop(n, cost, longest):
    send, recv, events = [0] * n, [0] * n, []
    rest = {i: owed(n, cost, i) for i in range(n)}
    while any(rest.values()):
        i = min((send[i], i) for i in rest if rest[i])[1]
        if longest:
            j = min((max(recv[j], send[i]), -cost[i][j], j) for j in rest[i])[2]
        else:
            j = min((recv[j], j) for j in rest[i])[1]
        send[i] = recv[j] = max(send[i], recv[j]) + cost[i][j]
        rest[i].remove(j)
        events.append((i, j))
    return execute(n, cost, events)


def exchange_matchings(n, cost, sign):
    used, events, steps = set(), [], []
    for _ in range(n):
        free = [p for p in itertools.permutations(range(n))
                if not any((i, p[i]) in used for i in range(n))]
        best = max(free, key=lambda p: (sign * sum(cost[i][p[i]] for i in range(n)),
                                        [-to for to in p]))
        steps.append(list(best))
        used |= set(enumerate(best))
        events += enumerate(best)
    return execute(n, cost, events) + (steps,)


def exchange(given):
    n, cost = given["n"], given["cost"]
    turns = [(i, (i + s) % n) for s in range(n) for i in range(n)]
    found = {"caterpillar": execute(n, cost, turns),
             "greedy": exchange_greedy(n, cost),
             "open_shop": exchange_open_shop(n, cost, False),
             "open_shop_longest": exchange_open_shop(n, cost, True)}
    if n <= 6:
        found["max_matching"] = exchange_matchings(n, cost, 1)
        found["min_matching"] = exchange_matchings(n, cost, -1)
    return found


# ---- multiple multicast: Wu ----------------------------------------------------------------------

class Multicast:
    """The messages of each node, and its tasks so far."""

    def __init__(self, given, preemptive):
        self.given, self.preemptive, n = given, preemptive, given["n"]
        self.messages = given["messages"]
        self.all = range(len(self.messages))
        self.has = [{m["source"]: 0} for m in self.messages]
        self.wanted = [set(m["destinations"]) for m in self.messages]
        self.free, self.sent = [0] * n, [0] * n
        self.receives = [[] for _ in range(n)]
        self.work, self.virtual = [0] * n, {}
        self.order, self.makespan = [], 0

    def cost(self, name, k, *where):
        constant, per_byte = self.given[name + "c"], self.given[name + "m"]
        for index in where:
            constant, per_byte = constant[index], per_byte[index]
        return constant + per_byte * self.messages[k]["length"]

    def send_at(self, i, k):
        if not self.preemptive:
            return self.free[i]
        t = max(self.sent[i], self.has[k][i])
        for begin, end in self.receives[i]:
            if end <= t:
                continue
            if t + self.cost("S", k, i) <= begin:
                break
            t = end
        return t

    def complete(self, i, j, k):
        arrival = self.send_at(i, k) + self.cost("S", k, i) + self.cost("X", k, i, j)
        last = self.receives[j][-1][1] if self.receives[j] else 0
        busy = max(self.sent[j], last) if self.preemptive else self.free[j]
        return max(arrival, busy) + self.cost("R", k, j)

    def decide(self, k, i, j):
        done, start = self.complete(i, j, k), self.send_at(i, k)
        begun = self.virtual[i, k] if i != self.messages[k]["source"] else 0
        begun += self.cost("S", k, i) + self.cost("X", k, i, j)
        known = self.receives[j] != []
        self.work[j] = (max(self.work[j], begun) if known else begun) + self.cost("R", k, j)
        self.virtual[j, k] = self.work[j]
        self.free[j] = done
        self.free[i] += self.cost("S", k, i)
        self.sent[i] = start + self.cost("S", k, i)
        self.receives[j].append((done - self.cost("R", k, j), done))
        self.has[k][j] = done
        self.wanted[k].discard(j)
        self.order.append([k, i, j])
        self.makespan = max(self.makespan, done)

    def triples(self):
        return ((k, i, j) for k in self.all for i in self.has[k] for j in self.wanted[k])

    def fef(self):
        return min((self.cost("S", k, i) + self.cost("X", k, i, j) + self.cost("R", k, j), k, i, j)
                   for k, i, j in self.triples())[1:]

    def ecf(self):
        return min((self.complete(i, j, k), k, i, j) for k, i, j in self.triples())[1:]

    def wr(self):
        longest = max(self.all, key=lambda k: self.messages[k]["length"])
        j = min((self.work[j], self.cost("R", longest, j), self.cost("S", longest, j), j)
                for _, _, j in self.triples())[3]
        k, i = min((self.complete(i, j, k), k, i)
                   for k, i, to in self.triples() if to == j)[1:]
        return k, i, j


def multicast(given):
    found = {}
    for name, rule, preemptive in (("fef", "fef", False), ("ecf", "ecf", False),
                                   ("wr", "wr", False), ("wrp", "wr", True),
                                   ("ecf_preempt", "ecf", True)):
        m = Multicast(given, preemptive)
        while any(m.wanted):
            m.decide(*getattr(m, rule)())
        found[name] = (m.makespan, m.order)
    return found


# ---- subnets and rings: ECO ----------------------------------------------------------------------

def partition(w, tolerance):
    """ECO, Figure 2."""
    n, limit = len(w), 1 + tolerance
    least = [min((w[i][j] for j in range(n) if j != i), default=0) for i in range(n)]
    group = [{i} for i in range(n)]
    cheapest = {}
    for cost, a, b in sorted((w[i][j], i, j) for i in range(n) for j in range(i + 1, n)):
        known = [cheapest[id(group[x])] for x in (a, b) if len(group[x]) > 1]
        if group[a] is group[b] or any(cost > limit * least[x] for x in (a, b)):
            continue
        if any(cost > limit * value for value in known):
            continue
        merged = group[a] | group[b]
        cheapest[id(merged)] = min([cost] + known)
        for x in merged:
            group[x] = merged
    return sorted({tuple(sorted(g)) for g in group})


def ring(w, subnets):
    """(the ring, its cost, how often it changes the subnet)."""
    n = len(w)
    of = {i: k for k, members in enumerate(subnets) for i in members}
    tour, left = [0], set(range(1, n))
    while left:
        here = tour[-1]
        near = [j for j in left if of[j] == of[here]] or left
        tour.append(min((w[here][j], j) for j in near)[1])
        left.remove(tour[-1])
    steps = [(tour[i], tour[(i + 1) % n]) for i in range(n)]
    return tour, sum(w[a][b] for a, b in steps), sum(of[a] != of[b] for a, b in steps)


# ---- formulae of the S/X/R model -----------------------------------------------------------------

def formulae(given):
    """Times of messages, broadcasts along trees, scatters and gathers, in the form of hplan -vector."""
    n = len(given["types"])
    found = {"point_to_point": [], "broadcast": [], "scatter": [], "gather": []}
    for m in given["sizes"]:
        rows = [given["table"][name] for name in given["types"]]
        send, receive = [r[0] + r[1] * m for r in rows], [r[2] + r[3] * m for r in rows]
        x = given["Xc"] + given["Xm"] * m
        found["point_to_point"].append({"m": m, "T": [
            [0 if i == j else send[i] + x + receive[j] for j in range(n)] for i in range(n)]})
        for name, tree in given["trees"].items():
            arrives, order = {0: 0}, [0]
            for i in order:
                for rank, j in enumerate(tree[i], 1):
                    arrives[j] = arrives[i] + rank * send[i] + x + receive[j]
                    order.append(j)
            found["broadcast"].append({"m": m, "tree": name, "T_recv": [arrives[i] for i in range(n)],
                                       "completion": max(arrives.values())})
        last = max(j * send[0] + x + receive[j] for j in range(1, n))
        found["scatter"].append({"m": m, "completion": last})
        t = 0
        for i, s in enumerate(sorted(send[1:]), 1):
            t = max(t, s + i * x) + receive[0]
        found["gather"].append({"m": m, "completion": t})
    return found
