"""The stage that runs the README's commands on a minimal Debian.

debootstrap creates it from the source of this machine's apt.  A copy of the sources is put there, in the same
place as here, and the README's commands are run in it, one by one and unchanged.  The results of `./bootstrap
test` there are cases of this stage, too.  Then the packages are built there from the tarball of `meson dist`,
installed, used and removed.
"""

import functools
import glob
import json
import os
import platform
import re
import shutil
import subprocess

from . import builds, lanes, own_root, process
from .results import Gathered
from .suite import which

FIRST_PART = "HNOW_TEST_FIRST_PART"  # set to 1: a second run follows that needs the other builds (.ci/run)
RELEASE = "bookworm"  # Debian 12, of which the README speaks
LIMIT = 2400  # seconds for one line
SHOWN = 40  # lines of what a line of the README printed, if it failed
MIRROR = "http://deb.debian.org/debian"
BARE = {"HOME": "/root", "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "TERM": "dumb"}

# The packages, in the folder of the unpacked tarball; what `meson install` has put into /usr/local goes first.
# Without optimisation, compilers need half of the time.
PACKAGES = [
    "ninja -C @SOURCE@/build uninstall",
    "DEB_BUILD_OPTIONS='noautodbgsym noopt' packaging/build",
    "apt-get install --yes --no-install-recommends ./build/packages/*.deb",
    "cc /usr/share/doc/libhnow-dev/examples/hello.c -o hello $(pkg-config --cflags --libs hnow) && /usr/bin/hrun -np 4 ./hello",
    "/usr/bin/hrun -np 2 /usr/bin/hbench hmd -np 2 -steps 5",
    "printf '#include <pvm3.h>\\nint main(void) { return pvm_mytid() < 0 || pvm_exit() < 0; }\\n' >tid.c && "
    "cc tid.c -o tid $(pkg-config --cflags --libs hnow-pvm) && /usr/bin/hrun -np 1 ./tid",
    "printf '#include <mpi.h>\\nint main(void) { MPI_Init(0, 0); return MPI_Finalize(); }\\n' >mpi.c && "
    "hmpicc mpi.c -o mpi && /usr/bin/hrun -np 2 ./mpi",
    "for page in man1/hrun.1 man3/hn_send.3 man3/hn-messages.3; do test -s /usr/share/man/$page.gz || exit 1; done",
    "apt-get purge --yes 'hnow*' 'libhnow*' && ! ls -d /usr/*/*hnow* /usr/*/*/*hnow* 2>/dev/null",
]

MOUNTS = """
set -e
mount -t proc proc "$1/proc"
mount --rbind /sys "$1/sys"
mount --rbind /dev "$1/dev"
mount -t tmpfs tmpfs "$1/run"
"""

# Commands: indented lines, and those in the text that need nothing to be filled in.
COMMAND = re.compile(r"^    ((?:\./bootstrap|cc )[^\n]*)$|`((?:build/\w|meson install)(?:(?!\.\.\.)[^`])*)`", re.MULTILINE)


def fresh(suite):
    """The README's lines on a fresh Debian, from debootstrap on."""
    if any(case.stage == "fresh" and case.outcome != "skipped" for case in suite.results.cases):
        return  # the first part of this run was that
    missing = "root" if os.geteuid() != 0 else which("debootstrap", "unshare")
    if missing:
        suite.results.skipped("fresh", "all of it", f"needs {missing}")
        return
    place = builds.kept(suite.source, "fresh")
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(place)
    try:
        lanes.side_by_side(suite, [
            lanes.Job("fresh", "the README's lines", functools.partial(in_it, place=place),
                      functools.partial(counted, suite))],
            # Now and then the README's lines wait, for the network or for hosts: the builds that the next stages need.
            fill=[lanes.Job("build", name, functools.partial(build_here, name=name),
                            functools.partial(suite.builds.made, name)) for name in needed_later(suite)],
            nice=lanes.IDLE)
        take_build(suite.source, inside(place, suite.source))
    finally:
        shutil.rmtree(place, ignore_errors=True)


def needed_later(suite):
    return [name for name in suite.builds.possible() if name != builds.OWN] if os.environ.get(FIRST_PART) else []


def take_build(source, copy):
    """build/ of the copy is one of the same sources in a place of the same name: it serves here, if this is the
    same Debian, where more libraries and compilers may be found."""
    here, there = os.path.join(source, "build"), os.path.join(copy, "build")
    if this_release() != RELEASE or not os.path.exists(f"{there}/build.ninja") or os.path.exists(f"{here}/build.ninja"):
        return
    for name in os.listdir(there):
        if not os.path.exists(os.path.join(here, name)):
            os.rename(os.path.join(there, name), os.path.join(here, name))
    for command in (["meson", "configure", "--clearcache", here], ["meson", "setup", "--reconfigure", here, source]):
        process.run(command, builds.SETUP)


def this_release():
    try:
        return platform.freedesktop_os_release().get("VERSION_CODENAME")
    except OSError:
        return None


def inside(place, path):
    """That path of this machine, below the fresh Debian's root."""
    return os.path.join(place, path.lstrip("/"))


def build_here(suite, name):
    return suite.builds.compile(name)


def counted(suite, gathered):
    if isinstance(gathered, str):
        suite.results.skipped("fresh", "all of it", gathered)
        return
    gathered.into(suite.results)
    for note in gathered.notes:
        suite.results.note(note)


def in_it(suite, place):
    """In a process of its own: -> what was found out, or why there is no such Debian."""
    why = own_root.enter(os.path.join(suite.tmp, "copy"), [], [])
    if why:
        return why
    ended = process.run(["debootstrap", "--variant=minbase", RELEASE, place, mirror()], LIMIT,
                        env={**os.environ, **proxy()})
    if ended.status != 0:
        if re.search(r"InRelease|Release|Couldn't download|resolv", ended.output):
            return f"Debian's mirror does not answer: {last_line(ended.output)}"
        raise RuntimeError(ended.output)
    subprocess.run(["sh", "-c", MOUNTS, "sh", place], check=True)
    copy_sources(suite.source, inside(place, suite.source))
    beside(suite.source, place)
    suite.results = Gathered()
    suite.results.passed("fresh", "debootstrap", ended.spent)
    for line in commands(suite.source):
        run_line(suite, place, line, suite.source)
    packages(suite, place)
    return suite.results


def packages(suite, place):
    """What `meson dist` packs is unpacked in the chroot, and the packages are built from it."""
    folder = tarball(suite, place)
    for line in PACKAGES if folder else []:
        if not run_line(suite, place, line.replace("@SOURCE@", suite.source), folder):
            return


def tarball(suite, place):
    """-> the folder that the tarball has become, seen from the chroot; None: there is none."""
    name = "the tarball of `meson dist`"
    if which("git") or subprocess.run(["git", "-C", suite.source, "rev-parse", "HEAD"], capture_output=True).returncode:
        suite.results.skipped("fresh", name, "needs git, and a clone")
        return None
    build = os.path.join(suite.tmp, "dist")
    made = [process.run(words, LIMIT) for words in (
        ["meson", "setup", build, suite.source, "-Dtests=false"],
        ["meson", "dist", "-C", build, "--no-tests", "--allow-dirty"])]
    found = glob.glob(f"{build}/meson-dist/*.tar.xz")
    problem = "" if found else made[-1].output
    suite.results.check("fresh", name, problem, made[-1].spent)
    if not found:
        return None
    subprocess.run(["tar", "xf", found[0], "-C", os.path.join(place, "root")], check=True)
    shutil.rmtree(build)
    return "/root/" + os.path.basename(found[0]).removesuffix(".tar.xz")


def run_line(suite, place, line, folder):
    """-> whether it went well."""
    ended = process.run(["chroot", place, "sh", "-c", f"cd {folder} && {line}"], LIMIT, cwd="/", env=BARE | proxy())
    end = "\n".join(ended.output.splitlines()[-SHOWN:])
    problem = "" if ended.status == 0 else f"$ {line}\n{end}\nexit status {ended.status}\n"
    problem += "".join(f"left behind: process {one}\n" for one in ended.left)
    suite.results.check("fresh", f"`{line}`", problem, ended.spent)
    if line.endswith("bootstrap test"):
        suite.results.note(f"on a fresh Debian `{line}` took {ended.spent.seconds:.0f} s: {last_line(ended.output)}")
        found_there(suite, inside(place, suite.source))
    return not problem


def found_there(suite, source):
    """The cases of the suite that ran there."""
    with open(builds.kept(source, "cases.json"), encoding="utf-8") as file:
        for stage, name, outcome, text in json.load(file):
            suite.results.add(f"fresh/{stage}", name, outcome, text)


def commands(source):
    with open(f"{source}/README.md", encoding="utf-8") as file:
        return [line or word for line, word in COMMAND.findall(file.read())]


def mirror():
    """Where this machine's apt has Debian from."""
    try:
        output = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE)"],
                                capture_output=True, text=True).stdout
    except OSError:
        return MIRROR
    found = re.search(rf"^(\S+) {RELEASE}$", output, re.MULTILINE)
    return found[1] if found else MIRROR


def proxy():
    """The proxy that this machine's apt uses, which a fresh Debian cannot know of."""
    return {name: os.environ[name] for name in ("http_proxy", "https_proxy", "no_proxy") if name in os.environ}


def copy_sources(source, target):
    """What a clone has; without git, all but builds."""
    os.makedirs(target)
    listed = subprocess.run(["git", "-C", source, "ls-files", "-z"], capture_output=True, text=True) if not which("git") else None
    if listed and listed.returncode == 0 and listed.stdout:
        for name in listed.stdout.rstrip("\0").split("\0"):
            if not os.path.lexists(os.path.join(source, name)):
                continue  # deleted since
            os.makedirs(os.path.dirname(os.path.join(target, name)), exist_ok=True)
            shutil.copy2(os.path.join(source, name), os.path.join(target, name), follow_symlinks=False)
    else:
        shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True,
                        ignore=shutil.ignore_patterns("build", ".git", "__pycache__"))


def beside(source, place):
    """What is beside this checkout is beside that one, too, for the cases that read it."""
    shared = os.path.join(os.path.dirname(source), "shared")
    if os.path.isdir(shared):
        target = inside(place, shared)
        os.mkdir(target)
        subprocess.run(["mount", "--bind", "-o", "ro", shared, target], check=True)


def last_line(text):
    return (text.strip().splitlines() or [""])[-1]
