"""Short real runs of the tools: enough to see that a build works as a whole."""

# The bundled system, as apps/hmd/demo runs it.
HMD = ("-psf {s}/apps/hmd/data/alad.psf -par {s}/apps/hmd/data/alad.prm -crd {s}/apps/hmd/data/alad.crd"
       " -box 25,25,25 -cutnb 12 -ctofnb 10 -ctonnb 8")

# name, command ({b} is the build directory, {s} the source directory), what its output must match
RUNS = (
    ("hrun runs a program that knows nothing of hnow",
     "{b}/hrun -np 3 echo hello", r"^hello$"),
    ("hello on one task, without hrun",
     "{b}/hello", r"rank 0 of 1"),
    ("hello on three tasks",
     "{b}/hrun -np 3 {b}/hello", r"rank 2 of 3"),
    ("hplan plans a broadcast",
     "{b}/hplan -net {s}/apps/examples/lab.net -op bcast -bytes 100000", r"^bcast, 10 hosts"),
    ("hmd takes five steps on two tasks",
     "{b}/hrun -np 2 {b}/hmd " + HMD + " -nstep 5", r"DYNA>"),
)


def run(suite, stage, build, **environment):
    directory = suite.builds.make(build)
    if not directory:
        return
    for name, command, pattern in RUNS:
        if suite.wants(name):
            words = [word.format(b=directory, s=suite.source) for word in command.split()]
            suite.check(stage, name, words, pattern=pattern, limit=120,
                        env=suite.environment(directory, **environment))
