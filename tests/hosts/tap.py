"""Results of a test script in the Test Anything Protocol, as tests/run counts them.

    @tap.case("what is true")        a case: passes unless it raises; what it returns is a remark
    def _(): ...
    tap.check("what is true", x, y)  a case that is one condition
    tap.finish()                     prints the plan; the script's exit status
"""

import sys
import traceback


class Skip(Exception):
    """Raised in a case that cannot run on this machine, with the reason."""


_results = []


def case(name):
    """Decorator: runs the function immediately and reports the result."""
    def report(function):
        number = len(_results) + 1
        try:
            note = function()
            print(f"ok {number} - {name}" + (f"\n# {note}" if note else ""), flush=True)
            _results.append(True)
        except Skip as why:
            print(f"ok {number} - {name} # SKIP {why}", flush=True)
            _results.append(True)
        except Exception:  # pylint: disable=broad-except
            print(f"not ok {number} - {name}", flush=True)
            print("".join(f"# {line}\n" for line in traceback.format_exc().splitlines()),
                  end="", flush=True)
            _results.append(False)
        return function
    return report


def check(name, passed, shown=""):
    """A case that is one condition; `shown` explains a failure."""
    print(f"{'ok' if passed else 'not ok'} {len(_results) + 1} - {name}", flush=True)
    if not passed:
        print("".join(f"# {line}\n" for line in str(shown).splitlines()), end="", flush=True)
    _results.append(bool(passed))


def skip_all(why):
    print(f"1..0 # SKIP {why}")
    sys.exit(0)


def finish():
    print(f"1..{len(_results)}")
    sys.exit(0 if all(_results) else 1)
