#!/usr/bin/env python3
"""The topology language and what follows from it without touching the machine."""

import os
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, HERE)

import tap  # noqa: E402
from bed import layout, network, topology, verify  # noqa: E402

BAD = [  # text, the line that is wrong, a word of the message
    ("", 0, "no hosts"),
    ("subnet lan switched 10mbit", 1, "no hosts"),
    ("subnet lan switched", 1, "write 'subnet"),
    ("subnet lan plain 10mbit", 1, "write 'subnet"),
    ("subnet lan plain delay=1ms", 1, "unknown option"),
    ("subnet lan switched 10", 1, "rate"),
    ("subnet lan switched 0mbit", 1, "above zero"),
    ("subnet lan switched -1mbit", 1, "rate"),
    ("subnet lan switched nanmbit", 1, "rate"),
    ("subnet lan switched 1e9mbit", 1, "rate"),
    ("subnet lan switched 99999999999999999999mbit", 1, "rate"),
    ("subnet lan switched 10mbit collisions", 1, "shared"),
    ("subnet lan switched 10mbit delay=5", 1, "time"),
    ("subnet lan switched 10mbit delay=1ms delay=2ms", 1, "twice"),
    ("subnet lan switched 10mbit loss=2", 1, "loss"),
    ("subnet lan switched 10mbit queue=many", 1, "size"),
    ("subnet lan switched 10mbit ip=5", 1, "IP version"),
    ("subnet Lan switched 10mbit", 1, "name"),
    ("subnet lan plain\nsubnet lan plain", 2, "exists already (line 1)"),
    ("subnet lan plain\nhosts lan", 2, "write 'hosts"),
    ("subnet lan plain\nhosts wan h1", 2, "no subnet 'wan'"),
    ("subnet lan plain\nhosts lan h1 h1", 2, "already"),
    ("subnet lan plain\nhosts lan H1", 2, "name"),
    ("subnet lan plain\nhosts lan h[4-1]", 2, "range"),
    ("subnet lan plain\nhosts lan h[1-251]", 2, "250"),
    ("subnet lan plain\nhosts lan h[1-99999999]", 2, "range"),
    ("subnet lan plain\nhosts lan h1 cpu=0", 2, "percentage"),
    ("subnet lan plain\nhosts lan h1 send=1us", 2, "not shaped"),
    ("subnet lan switched 1mbit\nhosts lan h1 send=1us+x", 2, "cost"),
    ("subnet lan plain\nhosts lan h1 slots=0", 2, "slots"),
    ("subnet lan plain\nhosts lan h1 speed=3", 2, "known here: cpu="),
    ("subnet lan plain\nhosts lan h1 ip=6", 2, "ip=46"),
    ("subnet lan plain\nhosts lan h1 via=h2", 2, "not another host"),
    ("subnet lan plain\nhosts lan h1\nrouter h1 lan", 3, "exists already"),
    ("subnet lan plain\nhosts lan h1\nrouter r wan", 3, "no subnet"),
    ("subnet lan plain\nrouter r lan\nhosts lan r", 3, "router already"),
    ("subnet lan plain\nhosts lan h1\nrouter r lan\nlink r h1 1ms 1mbit", 4, "is a host"),
    ("subnet lan plain\nhosts lan h1\nrouter r lan\nlink r s 1ms 1mbit", 4, "no host or router"),
    ("subnet lan plain\nhosts lan h1\nrouter r lan\nlink r r 1ms 1mbit", 4, "write 'link"),
    ("subnet lan plain\nhosts lan h1\nnat h1 lan", 3, "does not hide"),
    ("subnet lan plain\nhosts lan h1\nfirewall h2", 3, "no host 'h2'"),
    ("subnet lan plain\nhosts lan h1\nfirewall h1 open=99999", 3, "ports"),
    ("subnet lan plain\nhosts lan h1\ndecoy h1 e0 172.17.0.1/16", 3, "cannot be an interface"),
    ("subnet lan plain\nhosts lan h1\ndecoy h1 docker0 172.17.0.300/16", 3, "172.17.0.300"),
    ("subnet lan plain\n\n# comment\nnodes lan h1", 4, "unknown statement 'nodes'"),
]


def parsed(text):
    return topology.parse(text, "net")


def plan_of(name):
    return layout.Layout(topology.read(f"{HERE}/topologies/{name}"), 64)


@tap.case("every topology file of ours is understood")
def _():
    names = sorted(os.listdir(f"{HERE}/topologies"))
    assert len(names) >= 10
    for name in names:
        plan = plan_of(name)
        addresses = [a for n in plan.topology.nodes for a in plan.addresses(n)]
        assert len(addresses) == len(set(addresses)), name


@tap.case("every topology file is understood, of ours and beside the checkout")
def _():
    ours, others = f"{HERE}/topologies", f"{HERE}/../../../shared/topologies"
    assert len(os.listdir(ours)) >= 10
    for place in (ours, others):
        for name in sorted(os.listdir(place)) if os.path.isdir(place) else []:
            if not name.endswith(".md"):
                topology.read(f"{place}/{name}")


@tap.case("bad topology files are refused with file, line and reason")
def _():
    for text, line, word in BAD:
        try:
            parsed(text)
        except topology.TopologyError as error:
            assert str(error).startswith(f"net:{line}: "), f"{text!r}: {error}"
            assert word in str(error), f"{text!r}: {error}"
            assert "\n" not in str(error)
        else:
            raise AssertionError(f"accepted: {text!r}")


@tap.case("the tool reports them on one line, with status 2")
def _():
    for words in (["check", "/dev/null"], ["check", "/no/such/file"], ["check", "/bin/true"],
                  ["up", "/dev/null"], ["up", "lan4", "--prefix", "Not-One"],
                  ["run", "lan4"], ["exec", "h1", "--", "-x"]):
        done = subprocess.run([f"{HERE}/hosts", *words], capture_output=True, text=True,
                              check=False)
        assert done.returncode == 2, (words, done)
        assert done.stderr.startswith("hosts: ") and done.stderr.count("\n") == 1, done.stderr


@tap.case("ranges, units and costs mean what they say")
def _():
    read = parsed("subnet lan shared 2.5mbit delay=1.5ms queue=64k loss=0.01\n"
                  "hosts lan n[08-11] send=40us+50.5 cpu=25 slots=2\n")
    lan, host = read.media["lan"], read.nodes["n08"]
    assert list(read.nodes) == ["n08", "n09", "n10", "n11"]
    assert (lan.rate, lan.delay, lan.queue, lan.loss_ppm) == (2_500_000, 1_500_000, 64_000, 10_000)
    assert (host.ports[0].send.message, host.ports[0].send.byte_ps) == (40_000, 50_500)
    assert (host.cpu, host.slots) == (25, 2)


@tap.case("routes are the shortest by delay; a direct link is used even so")
def _():
    text = ("subnet a plain\nsubnet b plain\nsubnet c plain\nhosts a h1\nhosts b h2\n"
            "hosts c h3\nrouter ra a\nrouter rb b\nrouter rc c\nlink ra rb 10ms 1mbit{}\n"
            "link ra rc 1ms 1mbit\nlink rb rc 2ms 1mbit\n")
    for direct, want in (("", ["a", "ra=rc", "rb=rc", "b"]), (" direct", ["a", "ra=rb", "b"])):
        plan = layout.Layout(parsed(text.format(direct)), 64)
        assert [m.name for m in plan.path(4, "h1", "h2")] == want
        assert [m.name for m in plan.path(4, "h2", "h1")] == want[::-1]


@tap.case("nothing leads into a network behind address translation, everything out of it")
def _():
    plan = plan_of("nat")
    assert [m.name for m in plan.path(4, "h3", "h1")] == ["cluster", "campus"]
    assert plan.path(4, "h1", "h3") is None
    assert plan_of("island").path(4, "h3", "h1") is None


@tap.case("hosts without a common IP version have no way to each other")
def _():
    plan = plan_of("mixed")
    assert plan.path(4, "h1", "h2") and plan.path(6, "h1", "h3")
    assert not plan.path(4, "h2", "h3") and not plan.path(6, "h2", "h3")


@tap.case("hosts of a bed too large for the kernel's table of neighbours know each other beforehand")
def _():
    assert not network.is_crowded(plan_of("eco20")) and not network.is_crowded(plan_of("rooms50"))
    plan = plan_of("lan64")
    assert network.is_crowded(plan)
    first, *others = [i for node in plan.interfaces.values() for i in node]
    told = network.neighbours(plan, first)
    assert len(told) == len(set(told)) == len(others)
    for other in others:
        assert network.hardware(plan, other) != network.hardware(plan, first)
        assert any(f" {other.addresses[4]} lladdr {network.hardware(plan, other)} " in line
                   for line in told), other


@tap.case("the wanted times and rates are those of the papers' networks")
def _():
    want = {"eco8": {(0.195, 9.15), (0.390, 9.15)}, "lan8": {(0.004, 941.48)},
            "gusto5": {(72.89, 0.48), (187.01, 0.23), (25.03, 1.92), (89.07, 0.37)}}
    for name, rows in want.items():
        got = set()
        for version, source, target, media in verify.pairs(plan_of(name)):
            ends = source.ports[0], target.ports[0]
            trip = verify.wanted_trip(version, media, *ends)
            got.add((round(trip * 1e3, 3 if trip < 0.001 else 2),
                     round(verify.wanted_rate(version, media, *ends) / 1e6, 2)))
        assert rows <= got, (name, sorted(got))


tap.finish()
