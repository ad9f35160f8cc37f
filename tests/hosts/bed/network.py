"""Makes the namespaces and wires of a bed.

Every node is a namespace PREFIX.NODE with interfaces e0, e1, ...; the namespace PREFIX holds what
is between them: a bridge for each subnet that is not emulated, and the emulator's process.

    emulated medium   eK is a TAP interface whose other end hosts-wire holds
    switched, fast    eK is a veth; tbf on both of its ends shapes what the host sends and receives
    plain             the same without tbf

tbf also stands on the TAP interfaces of hosts: it holds back what the wire cannot carry yet inside
the host, where TCP notices (the kernel counts it against the socket), as a network card would.
Otherwise all of a window would wait inside the emulator, behind TCP's back.
"""

import os
import subprocess

from . import machine

FRAME_EXTRA = 24  # preamble, checksum and gap, as hosts-wire counts them (wire.h)
FULL_FRAME = 1514
FULL_FRAME_TIME = FULL_FRAME + FRAME_EXTRA  # in byte times
SEGMENTS = 8  # that TCP may hand to a veth as one packet: more is cheaper, less is truer
LATE_US = 100  # of the kernel's timers
NEIGHBOURS = 900  # the kernel has room for 1024


def netns(bed, node):
    return f"{bed['prefix']}.{node}"


def on(bed, node, command):
    """The command that runs COMMAND on a host or router, under its own host name: there are
    programs (Open MPI) that take hosts of one name for one host."""
    return ["ip", "netns", "exec", netns(bed, node), "unshare", "--uts",
            "sh", "-c", 'echo "$0" >/proc/sys/kernel/hostname; exec "$@"', node, *command]


def binary(name):
    """A program of the newest build of this source tree, or of $HNOW_BUILD."""
    here = os.path.dirname(os.path.abspath(__file__))
    root = os.path.dirname(os.path.dirname(os.path.dirname(here)))
    builds = [os.environ["HNOW_BUILD"]] if os.environ.get("HNOW_BUILD") else [
        os.path.join(root, d) for d in os.listdir(root) if d.startswith("build")]
    found = [p for p in (os.path.join(b, "tests/hosts", name) for b in builds)
             if os.access(p, os.X_OK)]
    if not found:
        raise machine.MachineError(f"{name} is not built: `meson setup build && ninja -C build`, "
                                   "or name the build directory in $HNOW_BUILD")
    return max(found, key=os.path.getmtime)


def make_namespaces(bed, layout):
    names = [bed["prefix"]] + [netns(bed, n) for n in layout.topology.nodes]
    machine.run(["ip", "-batch", "-"], "".join(f"netns add {n}\n" for n in names))
    with machine.cubic_allowed():
        for node in layout.topology.nodes.values():
            with machine.inside(netns(bed, node.name)):
                settle(node)


def settle(node):
    """Before any interface exists: no chatter, no waiting, and the TCP that baselines use."""
    has_v6 = any(6 in p.versions for p in node.ports)
    machine.sysctl(ipv6__conf__default__accept_dad=0, ipv6__conf__default__accept_ra=0,
                   ipv6__conf__default__router_solicitations=0,
                   ipv6__conf__default__disable_ipv6=int(not has_v6),
                   ipv6__conf__lo__disable_ipv6=int(not has_v6),
                   ipv4__conf__all__rp_filter=0, ipv4__conf__default__rp_filter=0,
                   ipv4__tcp_no_metrics_save=1)
    machine.use_cubic()
    if node.forwards:
        machine.sysctl(ipv4__ip_forward=1, ipv6__conf__all__forwarding=1)


def wires(bed, layout):
    """What hosts-wire reads (config.h)."""
    kinds = {"shared": "bus", "switched": "switch", "link": "link"}
    lines = []
    for medium in layout.topology.media.values():
        if not layout.is_emulated(medium.name):
            continue
        lines.append(f"medium {kinds[medium.kind]} {medium.rate} {medium.delay} {medium.jitter} "
                     f"{medium.queue} {medium.loss_ppm} {int(medium.collisions)}")
        for i in layout.members[medium.name]:
            send, recv = i.port.send, i.port.recv
            lines.append(f"port {netns(bed, i.node.name)} {i.name} {send.message} {send.byte_ps} "
                         f"{recv.message} {recv.byte_ps}")
    return "".join(line + "\n" for line in lines)


def start_emulator(bed, layout, log):
    text = wires(bed, layout)
    if not text:
        return

    def enter():
        os.setsid()
        machine.setns(os.open(f"{machine.NETNS_DIR}/{bed['prefix']}", os.O_RDONLY | os.O_CLOEXEC))
    with open(log, "w", encoding="utf-8") as errors:
        process = subprocess.Popen([binary("hosts-wire")], text=True, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=errors, preexec_fn=enter)
    try:
        process.stdin.write(text)
        process.stdin.close()
    except BrokenPipeError:
        pass  # its own words are in the log
    if process.stdout.readline() != "ready\n":
        process.wait()
        with open(log, encoding="utf-8") as errors:
            said = errors.read().strip().splitlines()
        raise machine.MachineError(f"the link emulator did not start: {(said or ['?'])[0]}")
    process.stdout.close()


def make_bridges(bed, layout):
    """veth pairs between the hosts of the other subnets and a bridge."""
    outside, hub = [], []
    for medium in layout.topology.media.values():
        if layout.is_emulated(medium.name):
            continue
        m = layout.index[medium.name]
        hub += [f"link add b{m} type bridge stp_state 0 mcast_snooping 0", f"link set b{m} up"]
        for k, i in enumerate(layout.members[medium.name], 1):
            outside.append(f"link add {i.name} netns {netns(bed, i.node.name)} type veth "
                           f"peer name b{m}p{k} netns {bed['prefix']}")
            hub.append(f"link set b{m}p{k} master b{m} up")
    if hub:
        with machine.inside(bed["prefix"]):
            machine.sysctl(ipv6__conf__all__disable_ipv6=1, ipv6__conf__default__disable_ipv6=1)
        machine.run(["ip", "-batch", "-"], "\n".join(outside) + "\n")
        machine.run(["ip", "-n", bed["prefix"], "-batch", "-"], "\n".join(hub) + "\n")


def is_crowded(layout):
    """Whether all hosts that know each other would not find room in the table of neighbours. It is
    one for all namespaces, while real hosts have one each; when it is full, packets wait for
    seconds. Neighbours that stand in it for good do not count."""
    return sum(len(m) * (len(m) - 1) for m in layout.members.values()) > NEIGHBOURS


def hardware(layout, interface):
    """A hardware address for each interface of a crowded bed, so that all know it beforehand."""
    medium = layout.index[interface.port.medium]
    number = layout.members[interface.port.medium].index(interface)
    return f"02:68:6e:{medium:02x}:{number >> 8:02x}:{number & 255:02x}"


def neighbours(layout, interface):
    return [f"neigh replace {a} lladdr {hardware(layout, i)} dev {interface.name} nud permanent"
            for i in layout.members[interface.port.medium] if i is not interface
            for v, a in i.addresses.items() if v in interface.addresses]


def configure(bed, layout):
    """Addresses and routes, one `ip` for each namespace, side by side."""
    jobs = []
    crowded = is_crowded(layout)
    for node in layout.topology.nodes.values():
        lines = ["link set lo up"]
        for i in layout.interfaces[node.name]:
            lines += [f"addr add {a}/{24 if v == 4 else 64} dev {i.name}"
                      + (" nodad" if v == 6 else "") for v, a in i.addresses.items()]
            small = f"gso_max_segs {SEGMENTS} " if is_bucket(layout, i.port.medium) else ""
            known = f"address {hardware(layout, i)} " if crowded else ""
            lines.append(f"link set {i.name} {known}{small}up")
            lines += neighbours(layout, i) if crowded else []
        for decoy, address in node.decoys:
            lines += [f"link add {decoy} type bridge", f"addr add {address} dev {decoy}",
                      f"link set {decoy} up"]
        lines += [f"route add {r.network} via {r.via} dev {r.interface}"
                  for r in layout.routes(node.name)]
        jobs.append((["ip", "-n", netns(bed, node.name), "-batch", "-"], "\n".join(lines) + "\n"))
    machine.run_all(jobs)


def host_rate(layout, interface):
    """Bits a second at which a host can hand frames to its wire."""
    rate = layout.topology.media[interface.port.medium].rate
    slow = interface.port.send.byte_ps
    return min(rate, 8 * 10**12 // slow) if slow else rate


def is_bucket(layout, medium):
    return bool(layout.topology.media[medium].rate) and not layout.is_emulated(medium)


def shape(bed, layout):
    jobs = {}
    for medium in layout.topology.media.values():
        if not medium.rate:
            continue
        fast = is_bucket(layout, medium.name)
        for k, i in enumerate(layout.members[medium.name], 1):
            if fast or i.node.is_host:
                jobs.setdefault(netns(bed, i.node.name), []).append(
                    bucket(i.name, host_rate(layout, i), medium.queue, fast))
            if fast:
                jobs.setdefault(bed["prefix"], []).append(
                    bucket(f"b{layout.index[medium.name]}p{k}", medium.rate, medium.queue, fast))
    machine.run_all([(["tc", "-n", name, "-batch", "-"], "\n".join(lines) + "\n")
                     for name, lines in jobs.items()])


def bucket(interface, rate, queue, fast):
    """A line for tc. The burst is two of the packets that TCP hands over, and what passes while
    the kernel's timer is late. tbf does not see what a frame costs besides its own bytes, so the
    rate is less by that share of a full frame."""
    packet = SEGMENTS * FULL_FRAME if fast else FULL_FRAME
    burst = 2 * packet + rate // 8 * LATE_US // 10**6
    return (f"qdisc add dev {interface} root tbf rate {rate * FULL_FRAME // FULL_FRAME_TIME}bit "
            f"burst {burst} limit {max(queue, burst)}")


FIREWALL = """table inet firewall {{
    chain in {{
        type filter hook input priority 0; policy drop;
        iif lo accept
        ct state established,related accept
        meta l4proto {{ icmp, icmpv6 }} accept
        tcp dport {{ {ports} }} accept
    }}
}}
"""

TRANSLATION = """table inet translation {{
    chain out {{
        type nat hook postrouting priority 100;
        {masquerade}
    }}
    chain through {{
        type filter hook forward priority 0; policy drop;
        iifname {{ {inside} }} accept
        ct state established,related accept
    }}
}}
"""


def translation(layout, node):
    """Rules that let the node's hidden subnets out under its own address, and nothing in."""
    hidden = [i for i in layout.interfaces[node.name] if i.port.medium in node.hidden]
    if not hidden:
        return ""
    inside = ", ".join(i.name for i in hidden)
    masquerade = "\n        ".join(
        f"{'ip' if v == 4 else 'ip6'} saddr {layout.network(v, i.port.medium)} "
        f"oifname != {{ {inside} }} masquerade" for i in hidden for v in i.addresses)
    return TRANSLATION.format(inside=inside, masquerade=masquerade)


def protect(bed, layout):
    jobs = []
    for node in layout.topology.nodes.values():
        rules = FIREWALL.format(ports=node.firewall) if node.firewall else ""
        rules += translation(layout, node)
        if rules:
            jobs.append((["ip", "netns", "exec", netns(bed, node.name), "nft", "-f", "-"], rules))
    machine.run_all(jobs)
