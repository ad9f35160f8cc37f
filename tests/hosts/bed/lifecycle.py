"""The commands up, down, run and exec: creates a bed in order, and removes it completely."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys

from . import cpu, layout, machine, network, record, ssh, topology

GRACE_SECONDS = 5.0
TOPOLOGIES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                          "topologies")


class Ended(BaseException):
    """Raised when a signal requests the tool to end."""

    def __init__(self, number):
        super().__init__(number)
        self.number = number


def find_topology(text):
    """Returns the path of a topology: a given file, or one of this folder by its name."""
    own = os.path.join(TOPOLOGIES, text)
    return own if os.sep not in text and not os.path.exists(text) and os.path.exists(own) else text


def check_machine():
    """Checks the requirements of a bed before anything is created."""
    if os.geteuid() != 0:
        raise machine.MachineError("namespaces need root: run it as root or with sudo")
    if not machine.may_administer():
        raise machine.MachineError("namespaces need the rights of CAP_SYS_ADMIN and CAP_NET_ADMIN, "
                                   "which root does not have in this container")
    for program, package in (("ip", "iproute2"), ("tc", "iproute2"), ("ssh-keygen",
                             "openssh-client"), (ssh.SSHD, "openssh-server")):
        if not shutil.which(program):
            raise machine.MachineError(f"{program} is missing: apt-get install {package}")
    if not os.path.exists("/dev/net/tun"):
        raise machine.MachineError("/dev/net/tun is missing: no TAP interfaces on this machine")


def build(bed, plan):
    hosts = plan.topology.hosts
    ssh.make_keys(bed, hosts)
    ssh.write_configs(bed, plan)
    network.make_namespaces(bed, plan)
    network.start_emulator(bed, plan, record.path(bed["prefix"], "wire.log"))
    network.make_bridges(bed, plan)
    network.configure(bed, plan)
    network.shape(bed, plan)
    network.protect(bed, plan)
    slow_down(bed, hosts)
    ssh.start_servers(bed, hosts)


def slow_down(bed, hosts):
    slow = [h for h in hosts if h.cpu]
    try:
        for host in slow:
            cpu.make(bed["prefix"], host.name, host.cpu)
    except OSError as error:
        print(f"hosts: {slow[0].name}: cpu= is left out, this machine has no cpu control group "
              f"for us: {error}", file=sys.stderr)


def up(filename, prefix, keep_owner=False):
    """Creates a bed and returns its record and layout. After a failure everything is removed."""
    plan_of = topology.read(find_topology(filename))
    check_machine()
    bed = record.claim(prefix, find_topology(filename))
    plan = layout.Layout(plan_of, bed["number"])
    try:
        build(bed, plan)
    except BaseException:
        with uninterrupted():
            record.clear(prefix)
        raise
    if not keep_owner:
        record.release(bed)
    return bed, plan


def down(prefix):
    """Removes a bed, and what killed tools have left. Returns whether there was anything."""
    with record.locked():
        there = bool(record.load(prefix) or machine.namespaces(prefix))
        if there:
            record.clear(prefix)
        record.sweep()
    return there


def attach(prefix):
    """Returns the record and layout of a bed that is up."""
    bed = record.load(prefix)
    if not bed or "number" not in bed:
        raise machine.MachineError(f"no bed '{prefix}' is up: `hosts up TOPOLOGY --prefix "
                                   f"{prefix}`")
    return bed, layout.Layout(topology.read(bed["topology"]), bed["number"])


def command_on(bed, plan, host, command):
    """The command that runs COMMAND on a host; `root` is the machine itself."""
    if host == "root":
        return command
    if host not in plan.topology.nodes:
        raise machine.MachineError(f"no host '{host}' in {bed['topology']}: there are "
                                   f"{', '.join(plan.topology.nodes)}, root")
    return network.on(bed, host, command)


def environment(bed):
    return {**os.environ, "HNOW_HOSTS": ssh.hosts_file(bed)}


def execute(prefix, host, command):
    """Replaces this process by the command on that host."""
    bed, plan = attach(prefix)
    line = command_on(bed, plan, host, command)
    cpu.join(prefix, host)
    os.execvpe(line[0], line, environment(bed))


def guard(bed):
    """A process that clears the bed away as soon as this one has ended, however it ended (SIGKILL
    too): it waits for the end of a pipe whose other end only this process has."""
    reading, writing = os.pipe()
    if os.fork():
        os.close(reading)
        return writing
    os.setsid()
    os.close(writing)
    set_signals(signal.SIG_IGN)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    os.read(reading, 1)
    with contextlib.suppress(Exception), record.locked():
        left = record.load(bed["prefix"])
        if left and left.get("token") == bed["token"]:
            record.clear(bed["prefix"])
    os._exit(0)


def raise_ended(number, _frame):
    raise Ended(number)


@contextlib.contextmanager
def ended_by_signals():
    """Signals become the exception Ended, so that what was begun is cleared away."""
    set_signals(raise_ended)
    yield


@contextlib.contextmanager
def uninterrupted():
    """Blocks signals while a bed is removed."""
    set_signals(signal.SIG_IGN)
    yield
    set_signals(raise_ended)


def set_signals(action):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, action)


def on_terminal():
    """Whether the terminal sends its signals to the child process, too."""
    try:
        return os.tcgetpgrp(0) == os.getpgrp()
    except OSError:
        return False


def wait_for_command(process):
    """Returns the command's status. Signals are forwarded, and the command gets some time to end."""
    try:
        return process.wait()
    except Ended as end:
        set_signals(signal.SIG_IGN)
        if not (end.number == signal.SIGINT and on_terminal()):
            process.send_signal(end.number)
        try:
            process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        return -end.number


@contextlib.contextmanager
def bed_for_a_while(filename, prefix):
    """A bed that goes down at the end of the `with`, or with this process."""
    bed, plan = up(filename, prefix, keep_owner=True)
    held = guard(bed)
    try:
        yield bed, plan
    finally:
        with uninterrupted():
            down(prefix)
            os.close(held)


def run(filename, prefix, host, command):
    """Creates a bed, runs COMMAND and removes the bed. Returns the status as a shell does."""
    with bed_for_a_while(filename, prefix) as (bed, plan):
        line = command_on(bed, plan, host, command)

        def start():
            machine.die_with_parent()
            cpu.join(prefix, host)
        status = wait_for_command(subprocess.Popen(line, env=environment(bed), preexec_fn=start))
    return status if status >= 0 else 128 - status
