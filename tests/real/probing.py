"""hprobe on the hosts of a bed, and what the network file says that it has written."""

import json
import os

import real
from real import machine

HPROBE = os.path.join(real.BUILD, "hprobe")


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
    """Waits until the campaign has come to samples of that kind."""
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
