"""hprobe on the hosts of a bed, what the network file says that it has written, and cases about it."""

import json
import os

import real
from real import machine, tap

HPROBE = os.path.join(real.BUILD, "hprobe")
TRIES = 3
STOLEN = 0.05  # of its processors, which a virtual machine may lose to others before times mean nothing


def processors():
    """(ticks of all processors, those that others have taken), since the machine is up."""
    with open("/proc/stat", encoding="ascii") as file:
        ticks = [int(word) for word in file.readline().split()[1:9]]
    return sum(ticks), ticks[7]


def case(name):
    """tap.case() for one that measures: tried again when it fails while others take this machine's
    processors away, and at last skipped."""
    def report(function):
        @tap.case(name)
        def _():
            for _ in range(TRIES):
                total, taken = processors()
                try:
                    return function()
                except real.Wrong:
                    now_total, now_taken = processors()
                    stolen = (now_taken - taken) / max(1, now_total - total)
                    if stolen < STOLEN:
                        raise
            raise tap.Skip(f"others take {stolen:.0%} of this machine's processors, {TRIES} times")
        return function
    return report


def undisturbed(text):
    """What hprobe printed, but that others took processors away, which they may do at any time."""
    return "".join(line for line in text.splitlines(True)
                   if not line.startswith("hprobe: others took "))


def said(job):
    return undisturbed(job.err)


def start(bed, hosts, *words):
    raw, out = os.path.join(bed.folder, "raw"), os.path.join(bed.folder, "net")
    for path in (raw, out):
        if os.path.exists(path):
            os.unlink(path)
    return bed.start(["-hosts", hosts, "-o", out, "-raw", raw, *words], hrun=HPROBE)


def measured(bed):
    """The network file that was written, as JSON."""
    shown = bed.on("h1", HPROBE, "-show", os.path.join(bed.folder, "net"), "-json")
    return json.loads(shown)


def await_sample(bed, running, kind):
    """Waits until the measurement has come to samples of that kind."""
    raw = os.path.join(bed.folder, "raw")

    def there():
        if running.process.poll() is not None or not os.path.exists(raw):
            return running.process.poll() is not None
        with open(raw, encoding="utf-8") as file:
            return f"sample {kind} " in file.read()
    if not machine.wait_for(there, real.LIMIT, 0.01) or running.process.poll() is not None:
        raise real.Wrong(f"no sample of kind {kind} while it ran\n{running.end()}")


def subnets(net):
    return sorted(sorted(s["hosts"]) for s in net["subnets"])


def media(net):
    return {s["medium"] for s in net["subnets"] if len(s["hosts"]) > 1}


def multicasts(net):
    return [s["hosts"] for s in net["subnets"] if s["multicast"]]
