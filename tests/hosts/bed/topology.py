"""The topology language: text in, a Topology or the first error out.

Each line is a statement, words separated by blanks, `#` begins a comment; ../README.md describes
the statements. Everything that can be wrong in the text is found here, with file and line, so the
later steps need not check again. Times are held in nanoseconds, rates in bits a second, sizes in
bytes, costs for a byte in picoseconds.
"""

import dataclasses
import ipaddress
import re


class TopologyError(Exception):
    """`FILE:LINE: what is wrong: what to do`"""


@dataclasses.dataclass
class Medium:
    """A subnet, or the wire of a link."""

    name: str
    kind: str  # plain, switched, shared, link
    rate: int = 0  # 0: not shaped
    delay: int = 0
    jitter: int = 0
    queue: int = 512_000
    loss_ppm: int = 0
    collisions: bool = False
    direct: bool = False
    versions: tuple = (4,)
    line: int = 0


@dataclasses.dataclass
class Cost:
    """What a host's own work for each message and each byte costs (send=, recv=)."""

    message: int = 0
    byte_ps: int = 0


@dataclasses.dataclass
class Port:
    """Where a node is attached to a medium."""

    medium: str
    versions: tuple = (4,)
    send: Cost = dataclasses.field(default_factory=Cost)
    recv: Cost = dataclasses.field(default_factory=Cost)


@dataclasses.dataclass
class Node:
    """A host or a router: both become a namespace."""

    name: str
    is_host: bool
    ports: list = dataclasses.field(default_factory=list)
    forwards: bool = False
    hidden: set = dataclasses.field(default_factory=set)  # subnets behind its address translation
    cpu: int = 0  # percent of a core; 0: not limited
    slots: int = 1
    via: str = ""
    firewall: str = ""  # ports that stay open; "": no firewall
    decoys: list = dataclasses.field(default_factory=list)  # (interface, address/length)


@dataclasses.dataclass
class Topology:
    media: dict = dataclasses.field(default_factory=dict)
    nodes: dict = dataclasses.field(default_factory=dict)

    @property
    def hosts(self):
        return [n for n in self.nodes.values() if n.is_host]


NAME = re.compile(r"[a-z][a-z0-9-]{0,19}")
RANGE = re.compile(r"(.*)\[(\d+)-(\d+)\](.*)")
RATES = {"bit": 1, "kbit": 10**3, "mbit": 10**6, "gbit": 10**9}
TIMES = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}
SIZES = {"": 1, "k": 10**3, "m": 10**6}
MAX_HOSTS_IN_SUBNET = 250
MAX_RANGE = 1000


def number(text, units, what):
    match = re.fullmatch(r"(\d{1,12}(?:\.\d{1,6})?)([a-z]*)", text)
    if not match or match[2] not in units:
        known = ", ".join(u for u in units if u)
        raise ValueError(f"'{text}' is not a {what}: write a number and one of {known}")
    return round(float(match[1]) * units[match[2]])


def rate(text):
    value = number(text, RATES, "rate")
    if value == 0:
        raise ValueError(f"'{text}': a rate must be above zero")
    return value


def delay(text):
    return number(text, TIMES, "time")


def size(text):
    return number(text, SIZES, "size in bytes")


def loss(text):
    if not re.fullmatch(r"\d(\.\d{1,9})?", text) or float(text) > 1:
        raise ValueError(f"'{text}' is not a loss: write a fraction from 0 to 1, like 0.01")
    return round(float(text) * 1_000_000)


def cost(text):
    match = re.fullmatch(r"([^+]+)(?:\+(\d{1,6}(?:\.\d{1,3})?))?", text)
    if not match:
        raise ValueError(f"'{text}' is not a cost: write a time for each message and, after +, "
                         "nanoseconds for each byte, like 40us+50")
    return Cost(delay(match[1]), round(float(match[2] or 0) * 1000))


def percent(text):
    if not re.fullmatch(r"\d{1,4}", text) or not 1 <= int(text) <= 6400:
        raise ValueError(f"'{text}' is not a percentage of a core: write 1 to 6400")
    return int(text)


def slots(text):
    if not re.fullmatch(r"\d{1,4}", text) or int(text) == 0:
        raise ValueError(f"'{text}' is not a number of slots: write 1 to 9999")
    return int(text)


def versions(text):
    known = {"4": (4,), "6": (6,), "46": (4, 6)}
    if text not in known:
        raise ValueError(f"'{text}' is not an IP version: write ip=4, ip=6 or ip=46")
    return known[text]


def open_ports(text):
    one = r"\d{1,5}(-\d{1,5})?"
    if not re.fullmatch(rf"{one}(,{one})*", text) or any(
            not 0 < int(p) < 65536 for p in re.split("[,-]", text)):
        raise ValueError(f"'{text}' is not a list of ports: write something like 22,7000-7010")
    return text


def name(text, what):
    if not NAME.fullmatch(text):
        raise ValueError(f"'{text}' is not a name for a {what}: write a small letter, then up to "
                         "19 small letters, digits or '-'")
    return text


def expand(words):
    """`h[1-4]` stands for four words, as in a hosts file."""
    for word in words:
        match = RANGE.fullmatch(word)
        if not match:
            yield word
            continue
        first, last = int(match[2]), int(match[3])
        if not 0 <= last - first < MAX_RANGE:
            raise ValueError(f"'{word}' is an empty or far too long range")
        for i in range(first, last + 1):
            yield f"{match[1]}{i:0{len(match[2])}}{match[4]}"


def split_options(words, known):
    """Words of the form key=value (or a known flag) are options, the others are arguments."""
    plain, options = [], {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals and not (key in known and known[key] is None):
            plain.append(word)
            continue
        if key not in known or bool(equals) != (known[key] is not None):
            names = ", ".join(k + ("=" if known[k] else "") for k in known) or "none"
            raise ValueError(f"unknown option '{word}': known here: {names}")
        if key in options:
            raise ValueError(f"'{key}' is given twice")
        options[key] = known[key](value) if equals else True
    return plain, options


SHAPE_OPTIONS = {"delay": delay, "queue": size, "loss": loss, "jitter": delay}
FIELD_OF_OPTION = {"loss": "loss_ppm", "ip": "versions"}


class Parser:
    """One method a statement; a ValueError in any of them becomes `FILE:LINE: ...`."""

    def __init__(self):
        self.topology = Topology()
        self.line = 0
        self.via_lines = {}

    def medium(self, identifier, kind, options, shape=0):
        if identifier in self.topology.media:
            raise ValueError(f"subnet '{identifier}' exists already "
                             f"(line {self.topology.media[identifier].line})")
        fields = {FIELD_OF_OPTION.get(k, k): v for k, v in options.items()}
        if len(self.topology.media) == 250:
            raise ValueError("more than 250 subnets and links: split the network")
        medium = Medium(identifier, kind, rate=shape, line=self.line, **fields)
        self.topology.media[identifier] = medium
        return medium

    def known_subnet(self, text):
        medium = self.topology.media.get(text)
        if not medium or medium.kind == "link":
            raise ValueError(f"no subnet '{text}': declare it above with 'subnet {text} ...'")
        return medium

    def known_node(self, text, hosts_only=False):
        node = self.topology.nodes.get(text)
        if not node or (hosts_only and not node.is_host):
            what = "host" if hosts_only else "host or router"
            raise ValueError(f"no {what} '{text}': declare it above")
        return node

    def attach(self, node, medium, ip, **costs):
        if any(p.medium == medium.name for p in node.ports):
            raise ValueError(f"'{node.name}' is in '{medium.name}' already")
        used = sum(any(p.medium == medium.name for p in n.ports)
                   for n in self.topology.nodes.values())
        if used >= MAX_HOSTS_IN_SUBNET:
            raise ValueError(f"more than {MAX_HOSTS_IN_SUBNET} hosts in '{medium.name}'")
        node.ports.append(Port(medium.name, ip, **costs))

    def do_subnet(self, words):
        known = {**SHAPE_OPTIONS, "ip": versions, "collisions": None}
        if len(words) >= 2 and words[1] == "plain":
            known = {"ip": versions}
        plain, options = split_options(words, known)
        wanted = {"plain": 2, "switched": 3, "shared": 3}
        if len(plain) < 2 or plain[1] not in wanted or len(plain) != wanted[plain[1]]:
            raise ValueError("write 'subnet NAME switched|shared RATE [OPTION...]' or "
                             "'subnet NAME plain'")
        if "collisions" in options and plain[1] != "shared":
            raise ValueError("only a shared subnet has collisions")
        self.medium(name(plain[0], "subnet"), plain[1], options,
                    rate(plain[2]) if len(plain) == 3 else 0)

    def do_hosts(self, words):
        known = {"cpu": percent, "send": cost, "recv": cost, "slots": slots, "ip": versions,
                 "via": lambda text: name(text, "host")}
        plain, options = split_options(words, known)
        if len(plain) < 2:
            raise ValueError("write 'hosts SUBNET NAME... [OPTION...]'")
        medium = self.known_subnet(plain[0])
        ip = options.pop("ip", medium.versions)
        if not set(ip) <= set(medium.versions):
            raise ValueError(f"subnet '{medium.name}' does not have that IP version: give it ip=46")
        costs = {k: options.pop(k) for k in ("send", "recv") if k in options}
        if costs and medium.kind == "plain":
            raise ValueError("a plain subnet is not shaped: send= and recv= need a switched or "
                             "shared one")
        for host in expand(plain[1:]):
            self.attach(self.host(host, options), medium, ip, **costs)

    def host(self, text, options):
        node = self.topology.nodes.setdefault(name(text, "host"), Node(text, True))
        if not node.is_host:
            raise ValueError(f"'{text}' is a router already")
        for key, value in options.items():
            setattr(node, key, value)
        if "via" in options:
            self.via_lines[text] = self.line
        return node

    def do_router(self, words):
        plain, _ = split_options(words, {})
        if len(plain) < 2:
            raise ValueError("write 'router NAME SUBNET...'")
        if plain[0] in self.topology.nodes:
            raise ValueError(f"'{plain[0]}' exists already")
        node = Node(name(plain[0], "router"), False, forwards=True)
        self.topology.nodes[node.name] = node
        for text in plain[1:]:
            medium = self.known_subnet(text)
            self.attach(node, medium, medium.versions)

    def do_link(self, words):
        plain, options = split_options(words, {**SHAPE_OPTIONS, "direct": None})
        options.pop("delay", None)
        if len(plain) != 4 or plain[0] == plain[1]:
            raise ValueError("write 'link ROUTER ROUTER DELAY RATE [OPTION...]'")
        ends = [self.known_node(text) for text in plain[:2]]
        for end in ends:
            if end.is_host:
                raise ValueError(f"'{end.name}' is a host: links join routers")
        ip = tuple(v for v in (4, 6) if any(v in p.versions for e in ends for p in e.ports))
        options = {**options, "delay": delay(plain[2]), "ip": ip}
        medium = self.medium(f"{plain[0]}={plain[1]}", "link", options, rate(plain[3]))
        for end in ends:
            self.attach(end, medium, ip)

    def do_nat(self, words):
        plain, _ = split_options(words, {})
        if len(plain) < 2:
            raise ValueError("write 'nat NODE SUBNET...', the subnets that it hides")
        node = self.known_node(plain[0])
        attached = {p.medium for p in node.ports}
        for text in plain[1:]:
            if self.known_subnet(text).name not in attached:
                raise ValueError(f"'{node.name}' is not in subnet '{text}'")
        node.hidden |= set(plain[1:])
        node.forwards = True
        if attached <= node.hidden:
            raise ValueError(f"'{node.name}' must also be in a subnet that it does not hide")

    def do_firewall(self, words):
        plain, options = split_options(words, {"open": open_ports})
        if not plain:
            raise ValueError("write 'firewall HOST... [open=PORTS]'")
        for text in expand(plain):
            self.known_node(text, hosts_only=True).firewall = options.get("open", "22")

    def do_decoy(self, words):
        plain, _ = split_options(words, {})
        if len(plain) < 3:
            raise ValueError("write 'decoy HOST... INTERFACE ADDRESS/LENGTH'")
        interface = name(plain[-2], "interface")
        if len(interface) > 15 or re.fullmatch(r"e\d+|lo", interface):
            raise ValueError(f"'{interface}' cannot be an interface here: take another name, of "
                             "at most 15 characters")
        ipaddress.ip_interface(plain[-1])
        for text in expand(plain[:-2]):
            self.known_node(text, hosts_only=True).decoys.append((interface, plain[-1]))

    def check_whole(self):
        if not self.topology.hosts:
            raise ValueError("no hosts: write 'hosts SUBNET NAME...'")
        for host, line in self.via_lines.items():
            self.line = line
            gateway = self.topology.nodes.get(self.topology.nodes[host].via)
            if not gateway or not gateway.is_host or gateway.name == host:
                raise ValueError(f"via={self.topology.nodes[host].via}: not another host of "
                                 "this file")


def parse(text, filename):
    """The Topology that TEXT describes; TopologyError names FILENAME and the line."""
    parser = Parser()
    try:
        for parser.line, line in enumerate(text.splitlines(), 1):
            words = line.partition("#")[0].split()
            if not words:
                continue
            statement = getattr(parser, "do_" + words[0], None)
            if not statement:
                known = ", ".join(m[3:] for m in dir(Parser) if m.startswith("do_"))
                raise ValueError(f"unknown statement '{words[0]}': known: {known}")
            statement(words[1:])
        parser.check_whole()
    except ValueError as error:
        raise TopologyError(f"{filename}:{parser.line}: {error}") from None
    return parser.topology


def read(filename):
    try:
        with open(filename, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not a text file"
        raise TopologyError(f"{filename}: {reason}: give a topology file, or the name of one in "
                            "tests/hosts/topologies") from None
    return parse(text, filename)
