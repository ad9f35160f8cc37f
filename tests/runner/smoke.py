"""Short real runs of the tools: enough to see that a build works as a whole."""

import functools
import shlex

from . import lanes

# The bundled system, as apps/hmd/demo runs it.
HMD = ("-psf {s}/apps/hmd/data/alad.psf -par {s}/apps/hmd/data/alad.prm -crd {s}/apps/hmd/data/alad.crd"
       " -box 25,25,25 -cutnb 12 -ctofnb 10 -ctonnb 8")
PVM = "{b}/hrun -on-failure notify -np 4 {b}/tests/launch/pvm_"

# stages, name, command ({b} is the build directory, {s} the source directory), what its output must match
RUNS = (
    ("asan tsan", "hrun runs a program that knows nothing of hnow",
     "{b}/hrun -np 3 echo hello", r"^hello$"),
    ("asan tsan", "hello on one task, without hrun",
     "{b}/apps/examples/hello", r"rank 0 of 1"),
    ("asan tsan", "hello on three tasks",
     "{b}/hrun -np 3 {b}/apps/examples/hello", r"rank 2 of 3"),
    ("asan tsan", "jacobi on four tasks",
     "{b}/hrun -np 4 {b}/apps/examples/jacobi", r"^after 200 steps the heat is 1000\.0"),
    ("asan", "an agent that gives up frees what it holds",
     "sh -c '{b}/hrun -np 2 sh -c \"kill \\$PPID; sleep 60\" 2>&1 | cat'",
     r"its agent ended: hnowd: the agent was ended by signal 15"),
    ("asan", "hrun among agents that are made up", "env HNOW_BUILD={b} {s}/tests/services/test_made_up", r"^1\.\.8$"),
    ("asan", "hplan plans a broadcast",
     "{b}/hplan -net {s}/apps/examples/lab.net -op bcast -bytes 100000", r"^bcast, 10 hosts"),
    ("asan", "hmd takes five steps on two tasks",
     "{b}/hrun -np 2 {b}/apps/hmd/hmd " + HMD + " -nstep 5", r"DYNA>"),
    ("asan", "a PVM program's messages", PVM + "task packing", None),
    ("asan", "a PVM program's group", PVM + "group_task operations", None),
    ("asan", "a PVM program's children", "{b}/hrun -on-failure notify -np 1 {b}/tests/launch/pvm_job_task family",
     None),
)


def jobs(suite, build, **environment):
    """Those of a sanitizer's build, which is called as its stage."""
    directory = suite.builds.make(build)
    return [
        lanes.Job(build, name, functools.partial(run_one, directory=directory, command=command, pattern=pattern,
                                                 environment=environment),
                  lambda came, name=name: suite.results.check(build, name, *came), computes=True)
        for stages, name, command, pattern in RUNS if directory and build in stages.split() and suite.wants(name)]


def run_one(suite, directory, command, pattern, environment):
    words = [word.format(b=directory, s=suite.source) for word in shlex.split(command)]
    return suite.check_run(words, pattern=pattern, limit=120, env=suite.environment(directory, **environment))
