"""Common functions of the tests on hosts: beds, jobs on them, and a check that no job leaves processes.

    with real.bed("lan4") as bed:
        job = bed.run(["-hosts", bed.hosts(), "hostname"])     hrun on h1; a Job when it has ended
        real.ends(job, 0, out=r"...")                          its status, what it printed
        running = bed.start([...]); ...; job = running.end()   the same in two steps

A bed consists of network namespaces with an sshd each (tests/hosts). Every process of a job is in one of
them, even after it has left its session or its parent. So the check is exact: after a job the bed's
namespaces have the same processes as before. `end` checks this each time.
"""

import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(SOURCE, "tests", "hosts"))

import tap  # noqa: E402
from bed import lifecycle, machine, network, record, topology  # noqa: E402

BUILD = os.environ.get("HNOW_BUILD", os.path.join(SOURCE, "build"))
os.environ["HNOW_BUILD"] = BUILD
PREFIX = os.environ.get("HNOW_BED_PREFIX", f"r{os.getpid()}")
BUSY = 3  # so many times as long may everything take on a machine that has other things to do
LIMIT = 40 * BUSY  # seconds that a job may take before it counts as hanging
SOON = 5 * BUSY  # seconds in which everything of an ended job is gone
HRUN = os.path.join(BUILD, "hrun")
HMD = os.path.join(BUILD, "apps", "hmd", "hmd")
HBENCH = os.path.join(BUILD, "apps", "hbench", "hbench")
HELLO = os.path.join(BUILD, "apps", "examples", "hello")
TASK = os.path.join(BUILD, "tests", "real", "real_task")


class Wrong(AssertionError):
    """Raised for a wrong result, with the output of the job."""


class Job:
    """An ended run: status as a shell gives it, out and err as text, seconds."""

    def __init__(self, words, status, out, err, seconds):
        self.words, self.status, self.raw, self.seconds = words, status, out, seconds
        self.out = out.decode(errors="replace")
        self.err = err.decode(errors="replace")

    def __str__(self):
        def some(text):
            return text if len(text) < 3000 else text[:1500] + "\n[...]\n" + text[-1500:]
        return (f"$ hrun {shlex.join(self.words)}\nstatus {self.status} after {self.seconds:.1f} s"
                f"\nout: {some(self.out)}\nerr: {some(self.err)}")


class Running:
    """A job under way; `end` waits for it and looks for what it left."""

    def __init__(self, bed, words, command, **options):
        self.bed, self.words = bed, words
        self.before = bed.processes()
        self.began = time.monotonic()
        self.files = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("stdout", self.files[0])
        options.setdefault("stderr", self.files[1])
        self.process = subprocess.Popen(command, **options)
        self.pid = self.process.pid
        self.ended = None
        self.watch = threading.Thread(target=self._watch, daemon=True)
        self.watch.start()

    def _watch(self):
        """Notes when it ends, also when nobody asks until later."""
        self.process.wait()
        self.ended = time.monotonic()

    def said(self, stream=0):
        """What it has printed so far (0) or said on standard error (1)."""
        file = self.files[stream]
        return os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0).decode(errors="replace")

    def await_text(self, pattern, count=1, stream=0):
        """Waits until that many lines match."""
        found = lambda: len(re.findall(pattern, self.said(stream), re.MULTILINE))  # noqa: E731
        machine.wait_for(lambda: found() >= count or self.process.poll() is not None, LIMIT, 0.02)
        if found() < count:
            self.process.terminate()
            raise Wrong(f"{count} x {pattern!r} never came\n{self.end()}")

    def wait(self, limit=LIMIT):
        """Waits until it has ended; a Job."""
        hung = False
        try:
            self.process.wait(limit)
        except subprocess.TimeoutExpired:
            hung = True
            self.process.kill()
            self.process.wait()
        self.watch.join()
        seconds = self.ended - self.began
        out, err = (os.pread(f.fileno(), os.fstat(f.fileno()).st_size, 0) for f in self.files)
        for file in self.files:
            file.close()
        status = self.process.returncode
        job = Job(self.words, status if status >= 0 else 128 - status, out, err, seconds)
        if hung:
            raise Wrong(f"still running after {limit} s\n{job}")
        return job

    def end(self, limit=LIMIT):
        """Waits; a Job. Nothing is left of it SOON."""
        try:
            job = self.wait(limit)
        finally:
            left = self.bed.await_only(self.before)
        if left:
            raise Wrong(f"left behind: {left}\n{job}")
        return job


class Bed:
    """Hosts that are up."""

    def __init__(self, made, plan, folder):
        self.made, self.plan, self.folder = made, plan, folder
        self.names = [h.name for h in plan.topology.hosts]
        with open(lifecycle.ssh.hosts_file(made), encoding="utf-8") as file:
            rows = [line.strip() for line in file if not line.startswith("#")]
        self.lines = {row.split()[0]: row for row in rows}
        self.ssh = record.path(made["prefix"], "ssh")

    def address(self, host, number=0):
        return self.plan.addresses(host)[number]

    def home(self, host):
        """Where tasks on that host are at home."""
        return lifecycle.ssh.home(self.made, host)

    def file(self, text, name=None, mode=0o644):
        """A file with this text in the script's own folder; its path."""
        descriptor, path = tempfile.mkstemp(prefix="f", dir=self.folder)
        if name:
            os.rename(path, os.path.join(self.folder, name))
            path = os.path.join(self.folder, name)
        with open(descriptor, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        os.chmod(path, mode)
        return path

    def hosts(self, *names, extra="", **changed):
        """A hosts file of these hosts (all by default): their lines with `extra` behind them;
        changed: NAME="line" replaces one, or adds it."""
        chosen = {n: self.lines[n] for n in names or self.names}
        chosen = {n: f"{line} {extra}" for n, line in chosen.items()} | changed
        return self.file("".join(line + "\n" for line in chosen.values()))

    def line(self, name, **words):
        """A host's line with some words changed: line("h1", slots=2, key=None)."""
        kept = [w for w in shlex.split(self.lines[name])[1:] if w.partition("=")[0] not in words]
        kept += [f"{k}={v}" for k, v in words.items() if v is not None]
        return " ".join([name] + [quoted(w) for w in kept])

    def processes(self):
        """What runs on the hosts: ids with the time of birth, which together never come again."""
        return {(pid, machine.birth(pid)) for pid in machine.processes_in(
            network.netns(self.made, n) for n in self.plan.topology.nodes)
            if machine.is_running(pid)}

    def await_only(self, before):
        """Waits until nothing else than that runs; the commands of what does not go. What is left
        is killed, so that the next case begins with clean hosts."""
        machine.wait_for(lambda: not self.processes() - before, SOON, 0.05)
        left = sorted(self.processes() - before)
        words = [f"{pid} {command_of(pid)}" for pid, _ in left]
        for pid, _ in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return words

    def find(self, pattern, host=None):
        """Ids of the processes on a host (on any) whose command matches."""
        names = [host] if host else self.plan.topology.nodes
        found = machine.processes_in([network.netns(self.made, n) for n in names])
        return sorted(p for p in found if re.search(pattern, command_of(p)))

    def await_processes(self, pattern, count):
        def there():
            return len(self.find(pattern)) >= count
        if not machine.wait_for(there, LIMIT, 0.05):
            raise Wrong(f"{count} processes {pattern!r} never came: {self.find(pattern)}")

    def on(self, host, *command, **options):
        """Runs a command on a host; its output."""
        words = lifecycle.command_on(self.made, self.plan, host, list(command))
        return subprocess.run(words, check=True, capture_output=True, text=True, timeout=LIMIT,
                              **options).stdout

    def start(self, words, host="h1", hrun=HRUN, under=(), **options):
        """hrun with these words on a host, in the script's own folder. under: a command before it."""
        words = [str(w) for w in words]
        command = lifecycle.command_on(self.made, self.plan, host, [*under, hrun, *words])
        options.setdefault("cwd", self.folder)
        return Running(self, words, command, **options)

    def run(self, words, **options):
        return self.start(words, **options).end()

    def together(self, *jobs):
        """Several jobs (words) side by side, for those that must take long; a function that waits
        for them and returns the Jobs."""
        before = self.processes()
        started = [self.start(words) for words in jobs]

        def collect():
            ended = [running.wait() for running in started]
            left = self.await_only(before)
            if left:
                raise Wrong(f"left behind: {left}\n" + "\n".join(map(str, ended)))
            return ended
        return collect

    @contextlib.contextmanager
    def server(self, host, *command):
        """A process on a host for a while."""
        words = lifecycle.command_on(self.made, self.plan, host, list(command))
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            yield process
        finally:
            process.kill()
            process.wait()

    @contextlib.contextmanager
    def sshd(self, host, port, shells=None, options=()):
        """Another sshd on that host for a while, on its own port. shells: further accounts there
        with the rights of root, {name: login shell}: they exist in that namespace alone."""
        etc = os.path.join(record.NETNS_ETC, network.netns(self.made, host))
        with open("/etc/shadow", encoding="utf-8") as file:
            shadow = file.read() + "".join(f"{user}:*:19000::::::\n" for user in shells or {})
        for name, mode, text in (("passwd", 0o644, lifecycle.ssh.passwd(self.made, host, shells)),
                                 ("shadow", 0o600, shadow)):
            with open(os.path.join(etc, name), "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(os.path.join(etc, name), mode)
        words = [lifecycle.ssh.SSHD, "-D", "-f", f"{self.ssh}/sshd_config", "-p", str(port),
                 "-o", f"HostKey={self.ssh}/host-{host}", "-o", "PidFile=none"]
        for option in options:
            words += ["-o", option]
        with self.server(host, *words) as process:
            self.await_port(host, port, process)
            yield

    def await_port(self, host, port, process):
        def there():
            return process.poll() is not None or self.on(host, "ss", "-Htln", "sport", "=", f":{port}")
        machine.wait_for(there, LIMIT, 0.05)
        if process.poll() is not None:
            raise Wrong(f"nothing listens on {host} port {port}: status {process.returncode}")

    def link(self, host, state):
        """Cuts a host's wire ("down") or mends it ("up"). The host sees no change of carrier, as when
        a cable further away is cut: what is sent and what comes vanishes."""
        rule = "".join(f"chain {hook} {{\ntype filter hook {hook} priority -5;\n{way} != lo drop\n}}\n"
                       for hook, way in (("input", "iif"), ("output", "oif")))
        rule = f"table inet cut {{\n{rule}}}\n"
        if state == "down":
            self.on(host, "nft", "-f", "-", input=rule)
        else:
            self.on(host, "nft", "delete", "table", "inet", "cut")

    def reset(self, host):
        """Resets whatever connection of a task sends something to this host now."""
        rule = """table inet resets {
            chain in {
                type filter hook input priority -5;
                iif "lo" accept
                tcp sport 22 accept
                tcp dport 22 accept
                meta l4proto tcp reject with tcp reset
            }
        }
        """
        self.on(host, "nft", "-f", "-", input=rule)
        time.sleep(0.02)
        self.on(host, "nft", "delete", "table", "inet", "resets")


def quoted(word):
    key, _, value = word.partition("=")
    return f'{key}="{value}"' if " " in value else word


def command_of(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return ""


@contextlib.contextmanager
def bed(name, prefix="a"):
    """A bed for a while. Without the rights for it the whole script is skipped."""
    folder = tempfile.mkdtemp(prefix="real.")
    try:
        lifecycle.check_machine()
    except machine.MachineError as why:
        shutil.rmtree(folder)
        tap.skip_all(why)
    path = name
    if "\n" in name:
        path = os.path.join(folder, "topology")
        with open(path, "w", encoding="utf-8") as file:
            file.write(name)
    try:
        with lifecycle.bed_for_a_while(path, f"{PREFIX}{prefix}") as (made, plan):
            yield Bed(made, plan, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def ends(job, status, line=None, out=None, within=None):
    """The job ended so: its status (one, or several that are right), hrun said exactly one line and
    it matches (`line`; "": nothing was said at all), the output matches, it took no longer (or BUSY
    times as long)."""
    statuses = status if isinstance(status, (tuple, range)) else (status,)
    wrong = []
    if job.status not in statuses:
        wrong.append(f"status {job.status}, not {status}")
    if line is not None:
        said = re.findall("^hrun: .*", job.err, re.MULTILINE)
        if line == "" and job.err:
            wrong.append("standard error should be empty")
        elif line and len(said) != 1:
            wrong.append(f"{len(said)} lines of hrun, not 1")
        elif line and not re.search(line, said[0]):
            wrong.append(f"the line does not match {line!r}")
    if out is not None and not re.search(out, job.out, re.MULTILINE):
        wrong.append(f"the output does not match {out!r}")
    if within and job.seconds > within * BUSY:
        wrong.append(f"it took {job.seconds:.1f} s, more than {within * BUSY}")
    if wrong:
        raise Wrong("; ".join(wrong) + f"\n{job}")


def known_fault(job, symptom, what):
    """Skips the case when it shows a fault that is known and not mended yet."""
    if symptom in job.err:
        raise tap.Skip(f"known fault: {what}")


def count(job, pattern, wanted):
    """That many lines of the output match."""
    found = len(re.findall(pattern, job.out, re.MULTILINE))
    if found != wanted:
        raise Wrong(f"{found} lines match {pattern!r}, not {wanted}\n{job}")


def same(got, wanted, what):
    if got != wanted:
        raise Wrong(f"{what}: {got!r}, not {wanted!r}")
