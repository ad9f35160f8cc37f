"""What `table` measures, and the pages made of it."""

import os
import platform


def machine_words():
    """The machine in one phrase."""
    model = ""
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
    return f"{os.cpu_count()} cores ({model or platform.machine()}), Linux {platform.release()}"
