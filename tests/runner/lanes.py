"""Runs programs side by side: most of them leave a processor idle, or wait.

Each gets a process of its own, forked off the runner, that does what the runner does when it runs
one program: it is the subreaper, has a TMPDIR and a prefix for beds, and so knows what its program
left behind.  What came of it goes through a pipe to the runner, which alone prints and counts.
"""

import os
import pickle
import selectors
import traceback
from dataclasses import dataclass
from typing import Callable

from . import process

WIDTH = max(2, min(4, os.cpu_count() or 1))


@dataclass
class Job:
    stage: str
    name: str
    run: Callable  # (suite of the lane) -> what came of it; in a process of its own
    done: Callable  # (what came of it); in the runner


def side_by_side(suite, jobs, width=WIDTH):
    """Runs all jobs, so many at a time, in this order; nothing of them is left in the end."""
    waiting, running = list(reversed(jobs)), selectors.DefaultSelector()
    while waiting or running.get_map():
        while waiting and len(running.get_map()) < width:
            begin(suite, waiting.pop(), running)
        for key, _ in running.select():
            lane = key.data
            if piece := os.read(lane.pipe, 1 << 16):
                lane.said += piece
            else:
                running.unregister(lane.pipe)
                end(suite, lane)
    left = [f"process {one}" for one in process.reap_rest(0)] + suite.watch.lasting()
    if jobs and left:
        suite.results.failed(jobs[0].stage, "leaves nothing behind", "\n".join(left))


@dataclass
class Lane:
    job: Job
    pid: int
    pipe: int
    said: bytes = b""


def begin(suite, job, running):
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        in_lane(suite, job, writing)
    os.close(writing)
    running.register(reading, selectors.EVENT_READ, Lane(job, pid, reading))


def in_lane(suite, job, pipe):
    """Never returns: what is the runner's to clean up must not be cleaned up here, too."""
    status = 1
    try:
        process.become_subreaper()
        own = suite.lane()
        try:
            said = pickle.dumps(job.run(own))
        except Exception:
            said = pickle.dumps(Broken(traceback.format_exc()))
        finally:
            own.close()
        with os.fdopen(pipe, "wb") as file:
            file.write(said)
        status = 0
    finally:
        os._exit(status)


@dataclass
class Broken:
    text: str


def end(suite, lane):
    os.close(lane.pipe)
    _, status = os.waitpid(lane.pid, 0)
    came = pickle.loads(lane.said) if status == 0 else Broken(f"its lane ended by itself: {status}")
    if isinstance(came, Broken):
        suite.results.failed(lane.job.stage, lane.job.name, came.text)
    else:
        lane.job.done(came)
