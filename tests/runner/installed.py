"""The stage that installs hnow by the README's commands, and uses the installation as a new user does.

It runs in a root directory of its own (own_root.py), in which /usr/local is empty. The README's commands are
run unchanged, and everything that they install is removed afterwards.
"""

import functools
import glob
import os
import re

from . import lanes, own_root, process, snippets
from .results import Gathered
from .suite import LIMIT, which

PREFIX = "/usr/local"  # meson's default
OTHER = "/opt/hnow"
MOVED = "/opt/elsewhere"
# What a user's shell may have in it and a new one has not.
LEADING = ("PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR", "LD_LIBRARY_PATH", "LD_RUN_PATH", "LIBRARY_PATH", "CPATH")


def install(suite):
    """The README's installation and its next line; headers, tools, hnow.pc in several places."""
    if not suite.builds.make("gcc"):
        return
    lanes.side_by_side(suite, [lanes.Job("install", "a stranger's use", in_own_root, functools.partial(counted, suite))])


def counted(suite, gathered):
    if isinstance(gathered, str):
        suite.results.skipped("install", "all of it", gathered)
    else:
        gathered.into(suite.results)


def in_own_root(suite):
    """-> what was found out, or why there is no such root."""
    os.umask(0o022)
    build = os.path.join(suite.source, "build")
    why = own_root.enter(os.path.join(suite.tmp, "copy"), ["/usr/local", "/opt", "/var/cache/ldconfig"],
                         ["/etc", build])
    if why:
        return why
    suite.results = Gathered()
    checkout = os.path.join(suite.tmp, "checkout")  # where programs may be made, unlike in the sources
    os.mkdir(checkout)
    for name in os.listdir(suite.source):
        os.symlink(os.path.join(suite.source, name), os.path.join(checkout, name))
    if as_the_readme_says(suite, checkout):
        headers(suite, PREFIX)
        symbols(suite, PREFIX)
        static(suite, PREFIX)
        of_pvm(suite, PREFIX)
        examples(suite, PREFIX)
        written(suite, PREFIX)
        tools(suite, PREFIX)
        elsewhere(suite, checkout)
    return suite.results


def new_shell(suite):
    """The environment of somebody who has just logged in."""
    return {name: value for name, value in suite.environment().items() if name not in LEADING}


def readme(source):
    """The README's two lines: to install, and to compile and run its program."""
    with open(f"{source}/README.md", encoding="utf-8") as file:
        text = file.read()
    return re.search(r"`(meson install[^`]*)`", text)[1], re.search(r"^    (cc .*pkg-config.*)$", text, re.MULTILINE)[1]


def shell(suite, checkout, name, line, pattern=None):
    return suite.check("install", name, ["sh", "-c", line], pattern=pattern, limit=LIMIT, cwd=checkout,
                       env=new_shell(suite))


def as_the_readme_says(suite, checkout):
    first, second = readme(suite.source)
    return shell(suite, checkout, f"the README's `{first}`", f"{first} >installed || {{ cat installed; false; }}") and (
        shell(suite, checkout, "... has nothing to add", "! grep export installed")
        & shell(suite, checkout, "the README's next line", second, r"^rank 3 of 4"))


def elsewhere(suite, checkout):
    """Another prefix: the lines that the installation prints are all that a user needs; a prefix can be moved."""
    first, second = readme(suite.source)
    if not shell(suite, checkout, "installing under another prefix",
                 f"rm -rf {PREFIX}/* && ldconfig && meson configure build --prefix {OTHER} && {first} >installed 2>&1"):
        return
    lines = "grep '^ *export' installed >lines; cat lines"
    shell(suite, checkout, "... prints the lines that are missing", lines, rf"PATH={OTHER}/bin(?s:.*)PKG_CONFIG_PATH={OTHER}/lib/pkgconfig")
    shell(suite, checkout, "... with which the README's next line works", f". ./lines && {second}", r"^rank 3 of 4")
    shell(suite, checkout, "... also that of PVM",
          ". ./lines && gcc -D_GNU_SOURCE tests/launch/pvm_job_task.c -o pvm_job_task "
          "$(pkg-config --cflags --libs hnow-pvm) && hrun -on-failure notify -np 1 ./pvm_job_task family")
    shell(suite, checkout, "a moved prefix: its libraries and tools find each other",
          f"mv {OTHER} {MOVED} && for file in {MOVED}/bin/* {MOVED}/lib/lib*.so; do ldd $file || true; done >needed"
          f" && ! grep -e 'not found' -e {OTHER} needed && {MOVED}/bin/hrun -np 2 echo here", r"^here$")


def headers(suite, prefix):
    """Every public header compiles alone, also as C++."""
    for header in sorted(glob.glob(f"{prefix}/include/**/*.h", recursive=True)):
        name = os.path.basename(header)
        if name == "mpif.h" or name == "fpvm3.h" or re.match(r"mpi_\w+\.h$", name):  # Fortran's; parts of mpi.h
            continue
        for language, compiler in (("c", "gcc"), ("c++", "g++")):
            if which(compiler):
                suite.results.skipped("install", f"{name} as {language}", f"no {compiler} here")
                continue
            suite.check("install", f"{name} as {language}",
                        [compiler, "-Wall", "-Wextra", "-Wshadow", "-Werror", "-fsyntax-only",
                         "-x", language, header])


def symbols(suite, prefix):
    """The shared library shows hn_ and nothing else."""
    ended = process.run(["nm", "-D", "--defined-only", f"{prefix}/lib/libhnow.so"], 60)
    names = [line.split()[-1] for line in ended.output.splitlines() if line.strip()]
    alien = [name for name in names if not name.startswith("hn_")]
    problem = "" if names and not alien else f"not ours: {alien}" if alien else ended.output
    suite.results.check("install", "libhnow.so exports hn_ alone", problem)


def static(suite, prefix):
    """The README's example with the static library in it."""
    env = new_shell(suite)
    flags = process.run(["pkg-config", "--static", "--cflags", "--libs", "hnow"], 20, env=env).output.split()
    flags = ["-l:libhnow.a" if word == "-lhnow" else word for word in flags]
    program = os.path.join(suite.tmp, "hello-static")
    if suite.check("install", "hello.c builds with pkg-config, static",
                   ["gcc", f"{suite.source}/apps/examples/hello.c", "-o", program, *flags], env=env):
        suite.check("install", "the installed hrun runs it, static",
                    [f"{prefix}/bin/hrun", "-np", "2", program], cwd="/", limit=LIMIT,
                    pattern=r"rank 1 of 2", env={"PATH": "/usr/bin:/bin"})


def of_pvm(suite, prefix):
    """Programs for PVM 3, compiled against the installed drop-ins."""
    pvm_program(suite, prefix, "hnow-pvm", ["gcc", "-D_GNU_SOURCE"], "pvm_job_task.c")
    if which("gfortran"):
        suite.results.skipped("install", "a PVM program builds with pkg-config hnow-fpvm", "no gfortran here")
    else:
        pvm_program(suite, prefix, "hnow-fpvm", ["gfortran"], "fpvm_job_task.f", "fpvm_check.f")


def pvm_program(suite, prefix, package, compiler, *sources):
    """Compiles one and has the installed hrun run it; it spawns itself by the name of its first source."""
    env = new_shell(suite)
    flags = process.run(["pkg-config", "--cflags", "--libs", package], 20, env=env).output.split()
    program = os.path.join(suite.tmp, os.path.splitext(sources[0])[0])
    paths = [f"{suite.source}/tests/launch/{source}" for source in sources]
    if suite.check("install", f"a PVM program builds with pkg-config {package}",
                   [*compiler, *paths, "-o", program, *flags], env=env):
        suite.check("install", f"the installed hrun runs it, {package}",
                    [f"{prefix}/bin/hrun", "-on-failure", "notify", "-np", "1", program, "family"],
                    cwd="/", limit=LIMIT, env={"PATH": "/usr/bin:/bin"})


# How a project of one's own is built: (name, tool, commands in a new directory; $1: the build files).
BUILDS = (
    ("make", "make", "make -s -C $1 BUILD=$PWD"),
    ("cmake", "cmake", "cmake -S $1 -B . >cmake.log 2>&1 && cmake --build . >>cmake.log 2>&1 || { cat cmake.log; false; }"),
    ("meson", "meson", "meson setup . $1 >meson.log 2>&1 && ninja >>meson.log 2>&1 || { cat meson.log; false; }"),
)
RUNS = (  # words for hrun, what an example prints
    ("-np 4 ./ring", r"^the token has been at 4 tasks and holds 6$"),
    ("-on-failure notify -np 1 ./master", r"^worker 1 has ended (?s:.*)^the sum of the squares is 20540$"),
    ("-np 4 ./heat_mesh", r"^2 x 2 tasks, 200 steps: the mean temperature is 0\.069330$"),
    ("-np 3 ./heat_mesh 20 50", r"^3 x 1 tasks"),
    ("-np 3 ./matrix_product 50", r": 0 elements are wrong$"),
    ("-np 4 ./kmeans", r"^centre 2: \(5\.0, 8\.0\)$"),
    ("-np 3 ./distribute ring copy 2 && cmp ring copy", r"^copy is on "),
)


def examples(suite, prefix):
    """The examples build by make, cmake and meson against what is installed, and do what they say."""
    env = new_shell(suite)
    folder = f"{suite.source}/apps/examples/installed"
    for name, tool, commands in BUILDS:
        if which(tool):
            suite.results.skipped("install", f"the examples build by {name}", f"no {tool} here")
            continue
        place = os.path.join(suite.tmp, f"examples-{name}")
        os.mkdir(place)
        if suite.check("install", f"the examples build by {name}", ["sh", "-ec", commands, "sh", folder],
                       limit=LIMIT, cwd=place, env=env) and name == BUILDS[0][0]:
            for words, pattern in RUNS:
                # A worker of master.c dies, so hrun's exit status is that of a failure.
                suite.check("install", f"example: hrun {words}", ["sh", "-c", f"{prefix}/bin/hrun {words}"],
                            137 if "notify" in words else 0, pattern, limit=LIMIT, cwd=place, env=env)


def written(suite, prefix):
    """The C code in the pages compiles with the installed headers."""
    for page, path in snippets.files(suite.source, suite.tmp):
        suite.check("install", f"the code in {page} compiles",
                    ["gcc", "-Wall", "-Wextra", "-Werror", "-Wno-unused", "-fsyntax-only",
                     "-I", f"{prefix}/include", "-I", f"{suite.source}/tests/runner", path])


def tools(suite, prefix):
    """Each tool tells its version and usage, and refuses what it does not know."""
    for tool in sorted(glob.glob(f"{prefix}/bin/*")):
        name = os.path.basename(tool)
        if name.startswith("hmpi"):  # options are the compiler's: mpi/test_mpi_wrapper
            continue
        for words, status, pattern in (
            (["--version"], 0, r"\d+\.\d+\.\d+"),
            (["--help"], 0, re.escape(name)),
            (["-h"], 0, re.escape(name)),
            (["--no-such-option"], 2, rf"^{re.escape(name)}: "),
        ):
            suite.check("install", f"{name} {words[0]}", [tool, *words], status, pattern, limit=LIMIT)
