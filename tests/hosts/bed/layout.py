"""Computes addresses, interfaces and routes from a topology, without changing the machine.

Bed number N uses 10.N.M.0/24 and fd68:6e:N:M::/64 for the M-th medium (subnet or link, counted in
the order of the file); the I-th node on it has the address that ends in I. Interface K of a node
is eK, in the order in which the file attaches it.

Routes are shortest paths by delay, then by hops (Dijkstra), for each IP version, with two exceptions.
If two routers have a `direct` link, all packets from one to the other's subnets use it, even if another
route is shorter. And no packet passes a translating node from outside to inside.
"""

import dataclasses
import heapq

SLOW = 200_000_000  # bits a second: the emulator is for rates below, tbf for those from here on


@dataclasses.dataclass
class Interface:
    node: object
    port: object
    name: str
    addresses: dict  # IP version -> address


@dataclasses.dataclass
class Route:
    network: str
    via: str
    interface: str


def emulated(medium):
    """Whether this medium needs the link emulator; otherwise it is veth and a bridge, with tbf."""
    if medium.kind == "plain":
        return False
    return (medium.kind != "switched" or medium.rate < SLOW or bool(medium.delay)
            or bool(medium.jitter) or bool(medium.loss_ppm))


class Layout:
    def __init__(self, topology, number):
        self.topology = topology
        self.number = number
        self.index = {m: i for i, m in enumerate(topology.media, 1)}
        self.members = {m: [] for m in topology.media}  # Interfaces, in order
        self.interfaces = {}  # node name -> its Interfaces
        for node in topology.nodes.values():
            self.interfaces[node.name] = [self._interface(node, i, port)
                                          for i, port in enumerate(node.ports)]

    def _interface(self, node, order, port):
        members = self.members[port.medium]
        last = len(members) + 1
        addresses = {v: self._address(v, port.medium, last) for v in port.versions}
        interface = Interface(node, port, f"e{order}", addresses)
        members.append(interface)
        return interface

    def _address(self, version, medium, last):
        m = self.index[medium]
        return (f"10.{self.number}.{m}.{last}" if version == 4
                else f"fd68:6e:{self.number:x}:{m:x}::{last:x}")

    def network(self, version, medium):
        m = self.index[medium]
        return (f"10.{self.number}.{m}.0/24" if version == 4
                else f"fd68:6e:{self.number:x}:{m:x}::/64")

    def is_emulated(self, medium):
        """Costs of a host are modelled by the emulator only, so they need it at any rate."""
        costly = any(c.message or c.byte_ps for i in self.members[medium]
                     for c in (i.port.send, i.port.recv))
        return costly or emulated(self.topology.media[medium])

    def addresses(self, node):
        """All addresses of a node, IPv4 first on each interface: the first is the main one."""
        return [a for i in self.interfaces[node] for _, a in sorted(i.addresses.items())]

    def _neighbours(self, version, node, came_by):
        """(next node's Interface, own Interface) for each forwarding or final step from NODE."""
        for own in self.interfaces[node.name]:
            medium = own.port.medium
            inward = medium in node.hidden and came_by and came_by not in node.hidden
            if version not in own.addresses or medium == came_by or inward:
                continue
            yield own, [i for i in self.members[medium]
                        if version in i.addresses and i.node is not node and i.node.forwards]

    def first_steps(self, version, source):
        """Medium -> (own Interface, next Interface or None when the medium is its own)."""
        node = self.topology.nodes[source]
        heap, seen, result, count = [((0, 0), 0, node, "", None)], set(), {}, 0
        while heap:
            far, _, node, came_by, first = heapq.heappop(heap)
            if (node.name, came_by) in seen:
                continue
            seen.add((node.name, came_by))
            for own, forwarders in self._neighbours(version, node, came_by):
                medium = self.topology.media[own.port.medium]
                result.setdefault(medium.name, first or (own, None))
                for step in forwarders:
                    count += 1
                    cost = (far[0] + medium.delay, far[1] + 1)
                    heapq.heappush(heap, (cost, count, step.node, medium.name,
                                          first or (own, step)))
        self._prefer_direct(version, source, result)
        return result

    def _prefer_direct(self, version, source, result):
        for own in self.interfaces[source]:
            if not self.topology.media[own.port.medium].direct or version not in own.addresses:
                continue
            far = next(i for i in self.members[own.port.medium] if i is not own)
            for port in far.node.ports:
                beyond = result.get(port.medium)
                if beyond and beyond[1] and self.topology.media[port.medium].kind != "link":
                    result[port.medium] = (own, far)

    def routes(self, source):
        """The routes that SOURCE needs besides those of its own interfaces."""
        result = []
        for version in (4, 6):
            for medium, (own, step) in self.first_steps(version, source).items():
                if step:
                    result.append(Route(self.network(version, medium), step.addresses[version],
                                        own.name))
        return result

    def path(self, version, source, target):
        """The media from host to host, as the routes lead; None: no way."""
        media, node = [], source
        goal = next((i.port.medium for i in self.interfaces[target] if version in i.addresses),
                    None)
        while goal and len(media) < len(self.topology.nodes):
            step = self.first_steps(version, node).get(goal)
            if not step:
                return None
            media.append(self.topology.media[step[0].port.medium])
            if not step[1]:
                return media
            node = step[1].node.name
        return None
