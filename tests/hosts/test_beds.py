#!/usr/bin/env python3
"""Beds of hosts on this machine: that they work, are as slow as they should be, and go away.

Every bed here has a prefix that begins with $HNOW_BED_PREFIX, so several runs do not disturb each
other. Times are never required to be short; only what the emulation promises is (rates, and that
round trips last at least as long as the wires take).
"""
# runs alone: it measures rates

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, HERE)

import tap  # noqa: E402
from bed import cpu, lifecycle, machine, network, record, verify  # noqa: E402

TOOL = f"{HERE}/hosts"
PREFIX = os.environ.get("HNOW_BED_PREFIX", f"t{os.getpid()}")
PATIENCE = 30  # seconds for anything that should happen soon


def tool(*words, prefix=PREFIX, check=True, **options):
    done = subprocess.run([TOOL, words[0], "--prefix", prefix, *words[1:]], text=True,
                          capture_output=True, check=False, timeout=120, **options)
    assert not check or done.returncode == 0, (words, done.returncode, done.stderr)
    return done


def on(host, *command, **options):
    return tool("exec", host, *command, **options)


@contextlib.contextmanager
def bed(topology, prefix=PREFIX):
    """The bed's record and layout; afterwards nothing of it is left."""
    before = time.monotonic()
    tool("up", topology, prefix=prefix)
    try:
        found, plan = lifecycle.attach(prefix)
        plan.seconds = time.monotonic() - before
        yield found, plan
    finally:
        tool("down", prefix=prefix)
        assert_nothing_left(prefix)


def left(prefix):
    """What of a bed is there: namespaces, folders, processes, groups."""
    found = machine.namespaces(prefix) + cpu.processes(prefix)
    for place in (record.ROOT, record.NETNS_ETC, *filter(None, [(cpu.controller() or "  ")[1]])):
        if os.path.isdir(place):
            found += [f"{place}/{n}" for n in os.listdir(place)
                      if n == prefix or n.startswith((prefix + ".", f"hnow-hosts-{prefix}"))]
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/cmdline", "rb") as file:
            if f"{record.folder(prefix)}/".encode() in file.read():
                found.append(f"process {pid}")
    return found


def assert_nothing_left(prefix):
    machine.wait_for(lambda: not left(prefix), PATIENCE, 0.05)
    assert not left(prefix), left(prefix)


def ssh(found, *words):
    return ["ssh", "-F", record.path(found["prefix"], "ssh", "config"), *words]


def can_connect(source, address, port):
    text = (f"import socket; socket.create_connection(('{address}', {port}), 1.5).close()")
    return on(source, sys.executable, "-c", text, check=False).returncode == 0


@contextlib.contextmanager
def listening(found, host, port):
    with machine.inside(network.netns(found, host)):
        with socket.create_server(("", port)):
            yield


GROUP, GROUP_PORT, GROUP_MOST = "239.104.110.1", 7100, 32768  # bytes of a datagram


def group_socket(found, plan, host):
    """In the host's network, a member of the group."""
    own = socket.inet_aton(plan.addresses(host)[0])
    with machine.inside(network.netns(found, host)):
        member = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    member.bind(("", GROUP_PORT))
    for option, value in ((socket.IP_ADD_MEMBERSHIP, socket.inet_aton(GROUP) + own),
                          (socket.IP_MULTICAST_IF, own), (socket.IP_MULTICAST_LOOP, 0),
                          (socket.IP_MULTICAST_TTL, 8)):  # routers may not be what stops it
        member.setsockopt(socket.IPPROTO_IP, option, value)
    return member


def seconds_to_group(members, source, receivers, size):
    """Until a datagram from one host to the group is at all receivers; None: one has not got it."""
    before = time.monotonic()
    members[source].sendto(bytes(size), (GROUP, GROUP_PORT))
    for name in receivers:
        members[name].settimeout(1)
        with contextlib.suppress(TimeoutError):
            if len(members[name].recv(size + 1)) == size:
                continue
        return None
    return time.monotonic() - before


def surplus(members):
    """How many more datagrams the members have, a while after what was sent has arrived."""
    time.sleep(0.1)
    count = 0
    for member in members.values():
        member.settimeout(0)
        with contextlib.suppress(BlockingIOError):
            while member.recv(GROUP_MOST + 1):
                count += 1
    return count


def check_group(found, plan):
    """One host's datagrams come to all hosts of its subnet, once, and to nobody else."""
    with contextlib.ExitStack() as stack:
        members = {h.name: stack.enter_context(group_socket(found, plan, h.name))
                   for h in plan.topology.hosts}
        medium = plan.topology.hosts[0].ports[0].medium
        source, *receivers = [i.node.name for i in plan.members[medium] if i.node.is_host]
        wire = plan.topology.media[medium]
        packets = GROUP_MOST // 1480 + 1
        least = (GROUP_MOST + 8 + packets * (34 + network.FRAME_EXTRA)) * 8 / wire.rate

        def measure():
            small = [seconds_to_group(members, source, receivers, n) for n in (1, 1472)]
            large = seconds_to_group(members, source, receivers, GROUP_MOST)
            more = surplus(members)
            good = None not in (*small, large) and not more
            once = good and (wire.kind != "shared" or least < large < 1.5 * least)
            return once, (f"{source} to {len(receivers)} of {len(members) - 1}: {large or 0:.4f} s, "
                          f"at least {least:.4f}; {more} too many")
        return measure_until(measure)


def timers_are_late():
    """By a quarter of a millisecond, one in a hundred: wires that let three packets through at once
    are slower then than they should be, whatever the bed does."""
    late = []
    for _ in range(1000):
        before = time.monotonic()
        time.sleep(0.0002)
        late.append(time.monotonic() - before - 0.0002)
    return sorted(late)[989] > 250e-6


def measure_until(measure):
    """What measure() returns, (good, text), when it is good: as often as this busy machine needs."""
    attempts, late = 16, 0
    for _ in range(attempts):
        good, text = measure()
        if good:
            return text
        late += timers_are_late()
    if late >= attempts // 4:
        raise tap.Skip(f"this machine's timers are late: {text}")
    raise AssertionError(text)


def check_pair(found, plan, pair):
    """Rate within 5 %, round trip not shorter than wanted."""
    def measure():
        name, (trip, least, _), (wanted, got) = verify.measure(found, plan, pair, 1.0)
        good = got and abs(got / wanted - 1) < 0.05 and trip - 50e-6 < least < trip + 500e-6
        return good, (f"{name}: {least * 1e3:.3f} ms (wanted {trip * 1e3:.3f}), {got / 1e6:.2f} Mb/s "
                      f"(wanted {wanted / 1e6:.2f})")
    return measure_until(measure)


def streams_at_once(found, plan, pairs):
    """Mb/s of each stream, all of them running at the same time."""
    text = ("import sys; sys.path.insert(0, sys.argv[1]); from bed import verify; "
            "verify.PORT = int(sys.argv[5]); "
            "print(verify.stream(sys.argv[2], sys.argv[3], 4, sys.argv[4], 3.0))")
    started = [subprocess.Popen(
        [sys.executable, "-B", "-c", text, HERE, network.netns(found, a), network.netns(found, b),
         plan.addresses(b)[0], str(7000 + i)], text=True, stdout=subprocess.PIPE)
        for i, (a, b) in enumerate(pairs)]
    return [float(p.communicate(timeout=60)[0]) / 1e6 for p in started]


try:
    lifecycle.check_machine()
    network.binary("hosts-wire")
except machine.MachineError as error:
    tap.skip_all(str(error))


@tap.case("four hosts on a switch: names, addresses, ssh from a host and from the machine itself")
def _():
    with bed("lan4") as (found, plan):
        assert [n.name for n in plan.topology.hosts] == ["h1", "h2", "h3", "h4"]
        lines = [x for x in tool("hosts").stdout.splitlines() if not x.startswith("#")]
        assert [x.split()[0] for x in lines] == ["h1", "h2", "h3", "h4"]
        for host in ("h1", "h4", plan.addresses("h4")[0]):
            words = ssh(found, host, "echo", "$SSH_CONNECTION", "$HOME")
            there = on("h1", *words).stdout.split()
            assert there[0] == plan.addresses("h1")[0] and len(there) == 5, there
            assert subprocess.run(words, capture_output=True, check=True).stdout
        assert "h3" in on("h2", "getent", "hosts", "h3").stdout
        assert on("h2", "uname", "-n").stdout.strip() == "h2"
        name = ssh(found, "h3", "uname", "-n")
        assert subprocess.run(name, capture_output=True, text=True).stdout.strip() == "h3"
        assert on("h2", "sh", "-c", "exit 7", check=False).returncode == 7
        return f"up in {plan.seconds:.2f} s"


@tap.case("lan4 is as fast and as slow as 100 Mb/s Ethernet")
def _():
    with bed("lan4") as (found, plan):
        return "; ".join(check_pair(found, plan, p) for p in verify.pairs(plan))


@tap.case("eco8 is as slow as three 10 Mb/s segments")
def _():
    with bed("eco8") as (found, plan):
        return "; ".join(check_pair(found, plan, p) for p in verify.pairs(plan))


@tap.case("two streams share a bus, and do not share a switch")
def _():
    for topology, pairs, wanted in (("eco8", (("h1", "h2"), ("h3", "h2")), 9.15),
                                    ("lan4", (("h1", "h2"), ("h3", "h4")), 2 * 94.15)):
        with bed(topology) as (found, plan):
            def measure(found=found, plan=plan, pairs=pairs, wanted=wanted):
                total = sum(streams_at_once(found, plan, pairs))
                return abs(total / wanted - 1) < 0.08, f"{topology}: {total:.1f} Mb/s, not {wanted}"
            measure_until(measure)


@tap.case("a multicast reaches all of its subnet once, a bus carries it once, no router does")
def _():
    texts = []
    for topology in ("eco8", "lan8", "hnow8m"):
        with bed(topology) as (found, plan):
            texts.append(check_group(found, plan))
    return "; ".join(texts)


@tap.case("a gigabit subnet and a router between subnets")
def _():
    with bed("grid6") as (found, plan):
        pairs = {(s.name, t.name): p for p in verify.pairs(plan) for _, s, t, _ in [p]}
        return check_pair(found, plan, pairs["h1", "h2"])


@tap.case("a firewall lets in ssh and its open ports only")
def _():
    with bed("firewall") as (found, plan):
        addresses = {h.name: plan.addresses(h.name)[0] for h in plan.topology.hosts}
        with listening(found, "h2", 7001), listening(found, "h2", 9000), \
                listening(found, "h3", 7001), listening(found, "h1", 9000):
            assert can_connect("h1", addresses["h2"], 7001)
            assert not can_connect("h1", addresses["h2"], 9000)
            assert can_connect("h1", addresses["h3"], 22)
            assert not can_connect("h1", addresses["h3"], 7001)
            assert can_connect("h3", addresses["h1"], 9000)


@tap.case("hosts behind address translation get out, nobody gets in but through the gateway")
def _():
    with bed("nat") as (found, plan):
        inner, outer = plan.addresses("h3")[0], plan.addresses("h1")[0]
        assert can_connect("h3", outer, 22) and can_connect("h2", inner, 22)
        assert not can_connect("h1", inner, 22)
        text = on("h3", *ssh(found, "h1", "echo", "$SSH_CONNECTION")).stdout
        assert text.split()[0] == plan.addresses("h2")[0], text
        assert " via=h2" in tool("hosts").stdout
        assert on("h1", *ssh(found, "-J", "h2", "h3", "true")).returncode == 0


@tap.case("hosts with IPv6 only, and with either version")
def _():
    for topology in ("v6pair", "mixed"):
        with bed(topology) as (found, plan):
            for host in plan.topology.hosts:
                assert on("h1", *ssh(found, host.name, "echo", "yes")).stdout == "yes\n"


@tap.case("a slow host gets its share of a core and no more")
def _():
    if not cpu.controller():
        raise tap.Skip("no cpu control group on this machine")
    text = ("import time; clock, cpu = time.monotonic(), time.process_time()\n"
            "while time.monotonic() < clock + 1: pass\n"
            "print((time.process_time() - cpu) / (time.monotonic() - clock))")
    with bed("slow") as (found, _):
        by_exec = float(on("h4", sys.executable, "-c", text).stdout)
        by_ssh = float(on("h1", *ssh(found, "h4", sys.executable, "-c", f"'{text}'")).stdout)
        assert max(by_exec, by_ssh) < 0.28, (by_exec, by_ssh)
        return f"25 % wanted, {100 * by_exec:.1f} % and {100 * by_ssh:.1f} % got"


@tap.case("two beds at once, and none twice")
def _():
    with bed("lan4") as (one, _):
        with bed("lan4", PREFIX + "b") as (two, _):
            assert one["number"] != two["number"]
            done = tool("up", "lan4", check=False)
            assert done.returncode == 1 and "is up already" in done.stderr, done
            listed = subprocess.run([TOOL, "list"], capture_output=True, text=True, check=True)
            assert f"{PREFIX}b  up" in listed.stdout


@tap.case("64 hosts")
def _():
    place = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"{PREFIX}-many")
    try:
        with open(place, "w", encoding="ascii") as file:
            file.write("subnet lan switched 100mbit\nhosts lan h[1-64]\n")
        with bed(place) as (found, plan):
            assert on("h1", *ssh(found, "h64", "echo", "yes")).stdout == "yes\n"
            return f"up in {plan.seconds:.2f} s"
    finally:
        os.unlink(place)


def start_run(*words):
    return subprocess.Popen([TOOL, "run", "--prefix", PREFIX, "lan4", *words], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            start_new_session=True)


@tap.case("run: the command's status, its hosts file, and nothing is left")
def _():
    done = tool("run", "lan4", "sh", "-c", 'grep -c "^h" $HNOW_HOSTS; exit 5', check=False)
    assert (done.returncode, done.stdout) == (5, "4\n"), done
    assert_nothing_left(PREFIX)
    done = tool("run", "lan4", "sh", "-c", "kill -9 $$", check=False)
    assert done.returncode == 137, done
    done = tool("run", "--from", "root", "lan4", "readlink", "/proc/self/ns/net")
    assert done.stdout.strip() == machine.home_namespace()
    done = tool("run", "--from", "h9", "lan4", "true", check=False)
    assert done.returncode == 1 and "no host 'h9'" in done.stderr, done
    assert_nothing_left(PREFIX)


@tap.case("run: a signal ends command and bed, SIGKILL too")
def _():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
        process = start_run("sh", "-c", "echo started; exec sleep 1000")
        assert process.stdout.readline() == "started\n"
        process.send_signal(number)
        process.wait(PATIENCE)
        want = -9 if number == signal.SIGKILL else 128 + number
        assert process.returncode == want, (number, process.returncode, process.stderr.read())
        process.communicate()
        assert_nothing_left(PREFIX)


@tap.case("an up that is killed half-way is cleared away by the next up")
def _():
    swept = 0
    for wait in (0.08, 0.12, 0.16, 0.20):
        process = subprocess.Popen([TOOL, "up", "--prefix", PREFIX, "lan4"])
        time.sleep(wait)  # wherever that is: each moment must do
        process.kill()
        process.wait()
        found = record.load(PREFIX)
        swept += bool(found and record.is_leftover(found))
        if found and not record.is_leftover(found):
            tool("down")  # it had come to its end
        with bed("lan4"):
            pass
    return f"{swept} of 4 were killed half-way"


@tap.case("an up that cannot be completed leaves nothing")
def _():
    done = tool("up", "lan4", check=False, env={**os.environ, "HNOW_BUILD": "/nonexistent"})
    assert done.returncode == 1 and "is not built" in done.stderr, done
    assert_nothing_left(PREFIX)


tap.finish()
