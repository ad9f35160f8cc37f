"""The stage that looks at what is built upon other software where that is missing: wraps, optional parts.

The wraps in subprojects/ take over when a library is missing.

The suite uses no network, so a wrap can be built only when its tarball is in
subprojects/packagecache already (docs/dependencies.md tells how it gets there).  Without it, it is
still shown that meson turns to the wrap, by the complaint that it may not download.
"""

import configparser
import json
import glob
import os
import re
import shutil

from . import process

# Which libraries are forced to come from their wraps; json-c is needed by the tests only.
FORCED = {"libev": "false", "libsodium": "false", "zlib": "false", "json-c": "true"}


def wraps(suite):
    """Wraps are complete, meson turns to them, they build; optional parts that do not compile are left out."""
    for path in sorted(glob.glob(f"{suite.source}/subprojects/*.wrap")):
        suite.results.check("wraps", f"{os.path.basename(path)} is complete", flaws(path))
    tree = os.path.join(suite.tmp, "tree")
    shutil.copytree(suite.source, tree, ignore=shutil.ignore_patterns("build", "build-*", ".git"))
    for name, tests in FORCED.items():
        if suite.wants(name):
            forced(suite, tree, name, tests)
    if suite.wants("optional"):
        optional(suite, tree)


def flaws(path):
    """What is wrong with a wrap file, or ""."""
    text = configparser.ConfigParser(interpolation=None)
    text.read(path)
    wrap = text["wrap-file"]
    problem = ""
    if not re.fullmatch(r"[0-9a-f]{64}", wrap.get("source_hash", "")):
        problem += "source_hash is no sha256\n"
    for key in ("directory", "source_url", "source_filename"):
        if key not in wrap:
            problem += f"{key} is missing\n"
    patch = wrap.get("patch_directory")
    if patch and not os.path.exists(f"{os.path.dirname(path)}/packagefiles/{patch}/meson.build"):
        problem += f"packagefiles/{patch}/meson.build is missing\n"
    if not text.has_section("provide"):
        problem += "it provides nothing\n"
    return problem


def forced(suite, tree, name, tests):
    """Builds libhnow with the wrap instead of the system's library, or shows that it would."""
    directory = os.path.join(suite.tmp, f"build-{name}")
    ended = process.run(["meson", "setup", directory, tree, f"-Dtests={tests}",
                         "--wrap-mode=nodownload", f"--force-fallback-for={name}"], 120)
    if ended.status == 0:
        suite.check("wraps", f"{name} builds from its wrap", ["ninja", "--quiet", "-C", directory], limit=600)
        return
    turned = re.search(rf"dependency {name} because:\n.*forced", ended.output)
    turned = turned and "subproject downloading is disabled" in ended.output
    suite.results.check("wraps", f"meson turns to the wrap of {name}",
                        "" if turned else ended.output, ended.spent)
    suite.results.skipped("wraps", f"{name} builds from its wrap",
                          "its source is not in subprojects/packagecache, and no network is used")


def optional(suite, tree):
    """Compilers without headers, libraries without symbols: what needs them is left out, the rest is built."""
    half = os.path.join(suite.tmp, "half")
    os.mkdir(half)
    for name, text in (("mpicc.mpich", '#!/bin/sh\nexec gcc "$@"\n'), ("mpicc.openmpi", "#!/bin/sh\nexit 1\n"),
                       ("libpvm3.a", "!<arch>\n"), ("libgpvm3.a", "!<arch>\n"), ("pvm3.h", ""),
                       ("json-c.pc", "Name: json-c\nDescription: half\nVersion: 0.16\nLibs: -ljson-c-half\n")):
        path = os.path.join(half, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)
    directory = os.path.join(suite.tmp, "build-half")
    env = suite.environment(PATH=f"{half}:{os.environ['PATH']}", CPATH=half, LIBRARY_PATH=half,
                            PKG_CONFIG_PATH=half)
    if not suite.check("wraps", "optional parts that do not compile: the set-up succeeds",
                       ["meson", "setup", directory, tree, "-Dtests=false"], limit=120, env=env):
        return
    targets = json.loads(process.run(["meson", "introspect", "--targets", directory], 60).output)
    names = {target["name"] for target in targets}
    sources = "".join(source for target in targets for one in target["target_sources"] for source in one["sources"])
    left = {name for name in names if name.startswith(("hbench-mpich", "hbench-openmpi", "hbench-pvm"))}
    problem = f"still built: {sorted(left)}\n" if left else ""
    problem += "hplan reads JSON without json-c\n" if "vectors/vector.c" in sources else ""
    problem += "" if {"hrun", "hplan", "hbench", "hmd"} <= names else f"not all tools are built: {sorted(names)}\n"
    suite.results.check("wraps", "... and leaves out those parts alone", problem)
