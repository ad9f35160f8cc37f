"""The stage that installs hnow into an empty prefix and uses it from there as a stranger would."""

import glob
import os
import re
import shutil

from . import process, snippets
from .suite import which


def install(suite):
    """meson install into a prefix; headers, hnow.pc and tools as a user finds them there."""
    directory = suite.builds.make("gcc")
    if not directory:
        return
    prefix = os.path.join(directory, "prefix")
    shutil.rmtree(prefix, ignore_errors=True)
    if suite.check("install", "meson install", ["meson", "install", "-C", directory, "--no-rebuild"],
                   limit=120, cwd=suite.source):
        headers(suite, prefix)
        symbols(suite, prefix)
        examples(suite, prefix)
        of_pvm(suite, prefix)
        written(suite, prefix)
        tools(suite, prefix)


def headers(suite, prefix):
    """Every public header compiles alone, also as C++."""
    for header in sorted(glob.glob(f"{prefix}/include/**/*.h", recursive=True)):
        name = os.path.basename(header)
        if name == "fpvm3.h":  # Fortran's
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


def examples(suite, prefix):
    """The README's example, compiled against the installed library, run by the installed hrun."""
    env = suite.environment(PKG_CONFIG_PATH=f"{prefix}/lib/pkgconfig")
    shared = process.run(["pkg-config", "--cflags", "--libs", "hnow"], 20, env=env).output.split()
    static = process.run(["pkg-config", "--static", "--cflags", "--libs", "hnow"], 20, env=env)
    static = ["-l:libhnow.a" if word == "-lhnow" else word for word in static.output.split()]
    for name, flags in (("shared", shared + [f"-Wl,-rpath,{prefix}/lib"]), ("static", static)):
        program = os.path.join(suite.tmp, f"hello-{name}")
        source = f"{suite.source}/apps/examples/hello.c"
        if suite.check("install", f"hello.c builds with pkg-config, {name}",
                       ["gcc", source, "-o", program, *flags], env=env):
            suite.check("install", f"the installed hrun runs it, {name}",
                        [f"{prefix}/bin/hrun", "-np", "2", program], cwd="/", limit=60,
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
    env = suite.environment(PKG_CONFIG_PATH=f"{prefix}/lib/pkgconfig")
    flags = process.run(["pkg-config", "--cflags", "--libs", package], 20, env=env).output.split()
    program = os.path.join(suite.tmp, os.path.splitext(sources[0])[0])
    paths = [f"{suite.source}/tests/launch/{source}" for source in sources]
    if suite.check("install", f"a PVM program builds with pkg-config {package}",
                   [*compiler, *paths, "-o", program, *flags, f"-Wl,-rpath,{prefix}/lib"], env=env):
        suite.check("install", f"the installed hrun runs it, {package}",
                    [f"{prefix}/bin/hrun", "-on-failure", "notify", "-np", "1", program, "family"],
                    cwd="/", limit=60, env={"PATH": "/usr/bin:/bin"})


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
        for words, status, pattern in (
            (["--version"], 0, r"\d+\.\d+\.\d+"),
            (["--help"], 0, re.escape(name)),
            (["-h"], 0, re.escape(name)),
            (["--no-such-option"], 2, rf"^{re.escape(name)}: "),
        ):
            suite.check("install", f"{name} {words[0]}", [tool, *words], status, pattern, limit=20)
