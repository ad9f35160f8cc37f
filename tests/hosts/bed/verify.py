"""How true the emulation is: round trips and TCP rates between hosts, wanted and measured.

One row for each kind of path in a topology (equal media and equal host costs count as one kind).
Wanted round trips are the delays, the frames' time on each wire and the hosts' own costs, and
nothing for software; wanted rates are what TCP can deliver after all headers, on a shared segment
also after its acknowledgements, which use the same wire.

Measured: pings (98-byte frames for IPv4) by a raw socket, least and median; one TCP stream,
without its first quarter. Both run in children inside the hosts' namespaces.
"""

import contextlib
import os
import select
import socket
import statistics
import struct
import time

from . import lifecycle, machine, network

DATA = 56  # bytes of a ping behind its ICMP header, as ping(8) sends
ICMP_HEADER = 8
IP_HEADER = {4: 20, 6: 40}
TCP_HEADER = 32  # with time stamps
ETHERNET = 14
MTU = 1500
PINGS = 30
PORT = 7777
LEAST_FRAMES = 600  # of a stream, however slow the wire
LEAST_TRIPS = 40


def frame_seconds(medium, frame):
    return (frame + network.FRAME_EXTRA) * 8 / medium.rate if medium.rate else 0.0


def cost_seconds(cost, size):
    return cost.message * 1e-9 + cost.byte_ps * size * 1e-12


def wanted_trip(version, media, source, target):
    """Seconds from host to host and back; SOURCE and TARGET are the hosts' Ports."""
    frame = ETHERNET + IP_HEADER[version] + ICMP_HEADER + DATA
    way = sum(m.delay * 1e-9 + frame_seconds(m, frame) * (2 if m.kind == "switched" else 1)
              for m in media)
    size = ICMP_HEADER + DATA
    own = sum(cost_seconds(c, size) for p in (source, target) for c in (p.send, p.recv))
    return 2 * way + own


def wanted_rate(version, media, source, target):
    """Bits of data a second, or None where nothing is shaped."""
    data = MTU - IP_HEADER[version] - TCP_HEADER
    full = MTU + ETHERNET + network.FRAME_EXTRA
    ack = max(60, ETHERNET + IP_HEADER[version] + TCP_HEADER) + network.FRAME_EXTRA
    rates = [m.rate * 2 * data / (2 * full + (ack if m.kind == "shared" else 0))
             for m in media if m.rate]
    rates += [8e12 / c.byte_ps for c in (source.send, target.recv) if c.byte_ps]
    return min(rates, default=None)


def pairs(plan):
    """(version, source, target, media) for the first pair of each kind."""
    seen = set()
    hosts = plan.topology.hosts
    for source in hosts:
        for target in hosts:
            if source is target or target.firewall:
                continue
            for version in (4, 6):
                media = plan.path(version, source.name, target.name)
                if not media:
                    continue
                kind = (version, str([(m.kind, m.rate, m.delay) for m in media]),
                        str([(n.cpu, n.ports[0].send, n.ports[0].recv)
                             for n in (source, target)]))
                if kind not in seen:
                    seen.add(kind)
                    seen.add((version, str([(m.kind, m.rate, m.delay) for m in media[::-1]]),
                              str([(n.cpu, n.ports[0].send, n.ports[0].recv)
                                   for n in (target, source)])))
                    yield version, source, target, media
                break


def in_child(netns, function):
    """Run FUNCTION in a child inside a namespace; its pid and a file with what it returns."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, os.fdopen(reading)
    status = 1
    with contextlib.suppress(BaseException):
        os.close(reading)
        with machine.inside(netns):
            os.write(writing, repr(function()).encode())
        status = 0
    os._exit(status)


def result(child):
    pid, file = child
    with file:
        text = file.read()
    os.waitpid(pid, 0)
    return [float(word) for word in text.strip("[]").split(",") if word.strip()]


def checksum(data):
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    total = (total & 0xFFFF) + (total >> 16)
    return ~(total + (total >> 16)) & 0xFFFF


def ping_once(raw, version, address, sequence, patience):
    request, reply = (8, 0) if version == 4 else (128, 129)
    identity = os.getpid() & 0xFFFF
    head = struct.pack("!BBHHH", request, 0, 0, identity, sequence)
    data = head + bytes(DATA)
    if version == 4:  # the kernel does it for ICMPv6
        data = head[:2] + struct.pack("!H", checksum(data)) + data[4:]
    start = time.monotonic()
    raw.sendto(data, (address, 0))
    while (left := start + patience - time.monotonic()) > 0:
        if not select.select([raw], [], [], left)[0]:
            break
        packet = raw.recv(2048)
        message = packet[(packet[0] & 15) * 4:] if version == 4 else packet
        if (message[0], *struct.unpack("!HH", message[4:8])) == (reply, identity, sequence):
            return time.monotonic() - start
    return None


def pings(netns, version, address, count=PINGS, patience=2.0):
    """Round trips in seconds; fewer than COUNT when some were lost."""
    def work():
        kind, protocol = ((socket.AF_INET, socket.IPPROTO_ICMP) if version == 4
                          else (socket.AF_INET6, socket.IPPROTO_ICMPV6))
        with socket.socket(kind, socket.SOCK_RAW, protocol) as raw:
            ping_once(raw, version, address, 0, patience)  # also resolves the neighbours
            got = []
            for i in range(1, count + 1):
                got.append(ping_once(raw, version, address, i, patience))
                time.sleep(0.005)
        return [t for t in got if t is not None]
    return result(in_child(netns, work))


def receive(listener, seconds):
    listener.settimeout(seconds + 10)
    peer = listener.accept()[0]
    room = bytearray(1 << 18)
    got, marks, start = 0, [], time.monotonic()
    with peer:
        peer.settimeout(seconds + 10)
        while size := peer.recv_into(room):
            got += size
            now = time.monotonic()
            marks.append((now, got))
            if now - start > seconds:
                break
    first = next((m for m in marks if m[0] > start + seconds / 4), marks[0])
    return [8 * (marks[-1][1] - first[1]) / max(1e-9, marks[-1][0] - first[0])]


def send(family, address, seconds):
    data = bytes(1 << 16)
    with socket.socket(family) as peer:
        peer.settimeout(seconds + 10)
        peer.connect((address, PORT))
        with contextlib.suppress(OSError):
            while True:
                peer.send(data)
    return []


def stream(source_netns, target_netns, version, address, seconds):
    """Bits a second that arrive over one TCP connection; None if it did not come about."""
    family = socket.AF_INET if version == 4 else socket.AF_INET6
    with machine.inside(target_netns):
        listener = socket.create_server((address, PORT), family=family)
    with listener:
        receiver = in_child(target_netns, lambda: receive(listener, seconds))
    sender = in_child(source_netns, lambda: send(family, address, seconds))
    rates = result(receiver)
    result(sender)
    return rates[0] if rates else None


def measure(bed, plan, pair, seconds):
    """One row: the pair, then (wanted, least, median) seconds and (wanted, got) bits a second."""
    version, source, target, media = pair
    ports = source.ports[0], target.ports[0]
    address = next(i.addresses[version] for i in plan.interfaces[target.name]
                   if version in i.addresses)
    trip, rate = (wanted_trip(version, media, *ports), wanted_rate(version, media, *ports))
    netns = [network.netns(bed, n.name) for n in (source, target)]
    got = pings(netns[0], version, address)
    if rate:
        seconds = max(seconds, LEAST_FRAMES * MTU * 8 / rate, LEAST_TRIPS * trip)
    bits = stream(*netns, version, address, seconds)
    return (f"{source.name}-{target.name}", (trip, min(got, default=None),
            statistics.median(got) if got else None), (rate, bits))


def shown(value, factor, digits):
    return "-" if value is None else f"{value * factor:.{digits}f}"


def main(topologies, prefix, seconds):
    print("| topology | pair | rtt wanted, ms | got: least | median | goodput wanted, Mb/s | got |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for filename in topologies:
        with lifecycle.bed_for_a_while(filename, prefix) as (bed, plan):
            for pair in pairs(plan):
                name, trips, rates = measure(bed, plan, pair, seconds)
                cells = [os.path.basename(filename), name, *(shown(t, 1e3, 3) for t in trips),
                         *(shown(r, 1e-6, 2) for r in rates)]
                print("| " + " | ".join(cells) + " |", flush=True)
    return 0
