"""Runs programs in parallel, since most of them wait or leave processors idle.

Each program has a process of its own, forked from the runner, which works like the runner for a single
program: it is the subreaper, and has a TMPDIR and a prefix for beds, so it finds what its program left
behind.  Results are sent through a pipe to the runner, which prints and counts them.
"""

import os
import pickle
import selectors
import traceback
from dataclasses import dataclass
from typing import Callable

from . import process

WIDTH = max(2, min(4, os.cpu_count() or 1))
# Of what fills idle processors: a tenth of the time of what it competes with, and a seventieth (sched(7)).
NICE, IDLE = 10, 19


@dataclass
class Job:
    stage: str
    name: str
    run: Callable  # (suite of the lane) -> what came of it; in a process of its own
    done: Callable  # (what came of it); in the runner
    computes: bool = False  # without a pause
    alone: bool = False  # with nothing beside it


def side_by_side(suite, jobs, width=WIDTH, fill=(), nice=NICE):
    """Runs all jobs, `width` at a time, in this order.  No process of a job is left at the end.

    The jobs of `fill` run at the same time, WIDTH at a time and niced: they compute, and get the processors
    that the other jobs leave idle.
    """
    queues = [Queue(list(reversed(jobs)), width, 0), Queue(list(reversed(fill)), WIDTH, nice)]
    running = selectors.DefaultSelector()
    while running.get_map() or any(queue.waiting for queue in queues):
        for queue in queues:
            while queue.waiting and queue.running < queue.width:
                begin(suite, queue, running)
        for key, _ in running.select():
            lane = key.data
            if piece := os.read(lane.pipe, 1 << 16):
                lane.said += piece
            else:
                running.unregister(lane.pipe)
                lane.queue.running -= 1
                end(suite, lane)
    left = [f"process {one}" for one in process.reap_rest(0)] + suite.watch.lasting()
    if left and (jobs or fill):
        suite.results.failed((jobs or fill)[0].stage, "leaves nothing behind", "\n".join(left))


@dataclass
class Queue:
    waiting: list  # of jobs; the next one is the last
    width: int  # of these so many run at a time
    nice: int
    running: int = 0


@dataclass
class Lane:
    queue: Queue
    job: Job
    pid: int
    pipe: int
    said: bytes = b""


def begin(suite, queue, running):
    job = queue.waiting.pop()
    queue.running += 1
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        os.nice(queue.nice)
        in_lane(suite, job, writing)
    os.close(writing)
    running.register(reading, selectors.EVENT_READ, Lane(queue, job, pid, reading))


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
    if suite.progress:
        suite.progress.end_program(lane.job.stage, lane.job.name)
