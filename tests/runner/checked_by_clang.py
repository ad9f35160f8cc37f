"""The stage that has clang look at every file: its warnings need no code, so none is made."""

import concurrent.futures
import functools
import json
import os
import shlex
import shutil
import subprocess

from . import builds, process
from .checked import lacks

PLACES = ("-o", "-MQ", "-MF")  # options with what would be written, each followed by a path


def clang(suite):
    """clang has no warning in any file."""
    if lacks(suite, "clang", "clang"):
        return
    clock = process.Clock()
    directory = os.path.join(suite.tmp, "clang")
    os.mkdir(directory)
    try:
        problem = set_up(suite.source, directory) or warnings(directory)
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    suite.results.check("clang", "no warning in any file", problem, clock.spent())


def set_up(source, directory):
    """A build directory in which only generated sources are made; -> what went wrong."""
    ended = process.run(["meson", "setup", directory, source, "-Dwerror=true", "-Doptimization=0"],
                        builds.SETUP, env={**os.environ, "CC": "clang"})
    if ended.status == 0:
        ended = process.run(["ninja", "--quiet", "-C", directory, "apps/hbench/report_page.inc",
                              "apps/hbench/commit.h", "apps/mpi/fortran/fortran_calls_made.c",
                              *(f"apps/mpi/mpi_constants_{front}.h" for front in ("abi", "openmpi", "mpich"))],
                             builds.COMPILE)
    return "" if ended.status == 0 else ended.output


def warnings(directory):
    with open(os.path.join(directory, "compile_commands.json"), encoding="utf-8") as file:
        commands = [checking(shlex.split(one["command"])) for one in json.load(file)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return "".join(pool.map(functools.partial(output, directory), commands))


def checking(words):
    """A compiler's command that writes nothing."""
    kept = [word for before, word in zip(["", *words], words) if before not in PLACES and word not in (*PLACES, "-MD")]
    return [*kept, "-fsyntax-only"]


def output(directory, command):
    """What a compiler says; it starts nothing that could stay, so it needs no process.run()."""
    ended = subprocess.run(command, cwd=directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, errors="replace")
    return "" if ended.returncode == 0 else f"$ {shlex.join(command)}\n{ended.stdout}"
