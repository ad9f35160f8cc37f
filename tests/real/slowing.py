"""A host whose way out is slow for a while, and jobs of tests/real/programs/real_adapt.c meanwhile."""

import contextlib
import os
import re
import subprocess

import real

PROGRAM = os.path.join(real.BUILD, "tests", "real", "real_adapt")


def device_of(bed, host):
    lines = bed.on(host, "ip", "-o", "link").splitlines()
    return next(line.split(":")[1].strip().split("@")[0] for line in lines if "lo:" not in line)


@contextlib.contextmanager
def slow(bed, host, rate):
    """The host sends at that rate (of tc) for a while."""
    device = device_of(bed, host)
    was = re.search(r"rate (\S+) burst (\S+) lat (\S+)", bed.on(host, "tc", "qdisc", "show", "dev", device))
    bed.on(host, "tc", "qdisc", "replace", "dev", device, "root", "tbf", "rate", rate, "burst", "16k",
           "limit", "512k")
    try:
        yield
    finally:
        if was:
            bed.on(host, "tc", "qdisc", "replace", "dev", device, "root", "tbf", "rate", was[1], "burst",
                   was[2], "latency", was[3])
        else:
            bed.on(host, "tc", "qdisc", "del", "dev", device, "root")


def probe(bed):
    """What hprobe finds now: a network file."""
    path = os.path.join(bed.folder, "net")
    job = bed.start(["-hosts", bed.hosts(), "-o", path], hrun=os.path.join(real.BUILD, "hprobe")).end()
    real.ends(job, 0)
    with open(path, encoding="utf-8") as file:
        return bed.file(file.read())


class Broadcasts:
    """A job that broadcasts in phases; between them the network may change."""

    def __init__(self, bed, net, form, size, counts, *words):
        self.running = bed.start(["-v", "-hosts", net, *words, PROGRAM, form, size, *counts],
                                 stdin=subprocess.PIPE)
        self.phase = 0

    def median(self):
        """Of the phase that ends next, in milliseconds."""
        self.running.await_text(f"^phase {self.phase}: ")
        found = re.search(f"^phase {self.phase}: (\\S+) ms", self.running.said(), re.MULTILINE)
        self.phase += 1
        return float(found[1])

    def go_on(self):
        self.running.process.stdin.write(b"\n")
        self.running.process.stdin.flush()

    def until(self, pattern):
        """Further phases until the job has said that; the median of the last. There must be enough."""
        median = None
        while median is None or not re.search(pattern, self.running.said(1), re.MULTILINE):
            self.go_on()
            median = self.median()
        return median

    def end(self):
        self.running.process.stdin.close()
        job = self.running.end()
        real.ends(job, 0)
        return job
