"""Each host's sshd, and what an unmodified ssh needs to reach it: keys, known hosts, a config file.

Everything stands in the bed's own folder; ~/.ssh is neither read nor written. The config file
serves both sides. Inside the bed, ssh connects over the emulated network. On the machine itself,
which has no address there, it connects by hosts-dial inside the target's namespace; a `Match exec`
that compares network namespaces tells the two apart.

All hosts share this machine's processors: keys are exchanged by the cheapest algorithm, as OpenSSH's
default takes an eighth of a second of a processor more for each login (sntrup761, OpenSSH 9.2).
"""

import contextlib
import os
import subprocess

from . import cpu, machine, network, record

SSHD = "/usr/sbin/sshd"
START_SECONDS = 20

SSHD_CONFIG = """# hosts for tests: the server of each host of bed '{prefix}'
Port 22
AuthorizedKeysFile {folder}/ssh/id_ed25519.pub
AuthenticationMethods publickey
PermitRootLogin prohibit-password
StrictModes no
KexAlgorithms curve25519-sha256
UsePAM no
UseDNS no
PermitUserEnvironment no
PermitTTY yes
MaxStartups 500
MaxSessions 500
PrintMotd no
PrintLastLog no
Subsystem sftp internal-sftp
"""

CLIENT_COMMON = """# hosts for tests: how to reach the hosts of bed '{prefix}' (ssh -F this-file HOST)
Host *
    User root
    IdentityFile {folder}/ssh/id_ed25519
    IdentitiesOnly yes
    IdentityAgent none
    UserKnownHostsFile {folder}/ssh/known_hosts
    GlobalKnownHostsFile /dev/null
    StrictHostKeyChecking yes
    UpdateHostKeys no
    CheckHostIP no
    BatchMode yes
"""

CLIENT_HOST = """Host {names}
    HostName {address}
    HostKeyAlias {host}
Match originalhost {commas} exec "test $(readlink /proc/self/ns/net) = '{home}'"
    ProxyCommand {dial} {netns} %h %p
"""


def keygen(path, comment):
    machine.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", path])


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def public_key(path):
    with open(path + ".pub", encoding="utf-8") as file:
        return " ".join(file.read().split()[:2])


def make_keys(bed, hosts):
    place = record.path(bed["prefix"], "ssh")
    os.makedirs(place)
    keygen(f"{place}/id_ed25519", f"user of bed {bed['prefix']}")
    machine.run_all([(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", h.name,
                       "-f", f"{place}/host-{h.name}"], "") for h in hosts])
    write(f"{place}/known_hosts", "".join(
        f"{h.name} {public_key(f'{place}/host-{h.name}')}\n" for h in hosts))


def write_configs(bed, layout):
    """ssh's and sshd's configuration, the hosts file, and what of /etc each namespace has of its own."""
    words = {"prefix": bed["prefix"], "folder": record.folder(bed["prefix"])}
    place = record.path(bed["prefix"], "ssh")
    write(f"{place}/sshd_config", SSHD_CONFIG.format(**words))
    dial = network.binary("hosts-dial")
    client = CLIENT_COMMON.format(**words)
    for host in layout.topology.hosts:
        names = [host.name, *layout.addresses(host.name)]
        client += CLIENT_HOST.format(
            names=" ".join(names), commas=",".join(names), address=names[1], host=host.name,
            home=bed["home"], dial=dial, netns=network.netns(bed, host.name))
    # ssh uses the first value it finds, so what holds for all hosts may stand first.
    write(f"{place}/config", client)
    write(hosts_file(bed), hosts_text(bed, layout))
    write_names(bed, layout)


def hosts_file(bed):
    return record.path(bed["prefix"], "hosts")


def hosts_text(bed, layout):
    """A hosts file of hnow: the order of lines is the order of ranks."""
    place = record.path(bed["prefix"], "ssh")
    lines = [f"# bed {bed['prefix']}: {bed['topology']}"]
    for host in layout.topology.hosts:
        via = f" via={host.via}" if host.via else ""
        lines.append(f"{host.name} addr={layout.addresses(host.name)[0]} port=22 "
                     f"slots={host.slots} key={place}/id_ed25519 "
                     f"ssh=\"-F {place}/config\"{via}")
    return "\n".join(lines) + "\n"


def home(bed, host):
    """Where root is at home on a host: an empty folder, so that no start-up file of the machine's
    own root makes logging in slow, or different from machine to machine."""
    return record.path(bed["prefix"], "home", host)


def passwd(bed, host, more=None):
    """The accounts on a host: the machine's, and further ones with root's rights, {name: shell}."""
    with open("/etc/passwd", encoding="utf-8") as file:
        rows = [row.rstrip("\n").split(":") for row in file]
    place = home(bed, host)
    rows = [[*row[:5], place, *row[6:]] if row[0] == "root" else row for row in rows]
    rows += [[name, "x", "0", "0", "", place, shell] for name, shell in (more or {}).items()]
    return "".join(":".join(row) + "\n" for row in rows)


LOCALHOST = "127.0.0.1 localhost\n::1 localhost\n"


def provide_hosts_file():
    """A file is mounted over another one only: a system made by debootstrap has no /etc/hosts."""
    with contextlib.suppress(FileExistsError), open("/etc/hosts", "x", encoding="utf-8") as file:
        file.write(LOCALHOST)


def write_names(bed, layout):
    """`ip netns exec` mounts what is in /etc/netns/NAME over the same names in /etc."""
    provide_hosts_file()
    text = LOCALHOST
    for node in layout.topology.nodes:
        text += "".join(f"{a} {node}\n" for a in layout.addresses(node))
    for node in layout.topology.nodes:
        etc = f"{record.NETNS_ETC}/{network.netns(bed, node)}"
        os.makedirs(etc)
        write(f"{etc}/hosts", text)
        write(f"{etc}/passwd", passwd(bed, node))
        os.makedirs(home(bed, node))


def start_servers(bed, hosts):
    os.makedirs("/run/sshd", exist_ok=True)  # sshd's own requirement
    place = record.path(bed["prefix"], "ssh")
    started = [(h, start_server(bed, h, place)) for h in hosts]
    for host, process in started:
        if not machine.wait_for(lambda h=host, p=process: p.poll() is not None
                                or os.path.exists(f"{place}/{h.name}.pid"), START_SECONDS):
            raise machine.MachineError(f"sshd of {host.name} has not started in {START_SECONDS} s:"
                                       f" see {place}/{host.name}.log")
        if process.poll() is not None:
            with open(f"{place}/{host.name}.log", encoding="utf-8", errors="replace") as file:
                said = file.read().strip().splitlines()[-1:] or ["nothing"]
            raise machine.MachineError(f"sshd of {host.name} ended at once; it said: {said[0]}")


def start_server(bed, host, place):
    def enter():
        os.setsid()
        cpu.join(bed["prefix"], host.name)
    command = network.on(bed, host.name, [
        SSHD, "-D", "-f", f"{place}/sshd_config", "-E", f"{place}/{host.name}.log",
        "-o", f"HostKey={place}/host-{host.name}", "-o", f"PidFile={place}/{host.name}.pid"])
    with open(f"{place}/{host.name}.log", "w", encoding="utf-8") as log:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                preexec_fn=enter)
