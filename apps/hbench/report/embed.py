"""embed.py PAGE OUT: writes the page as a zero-terminated C array (called by meson.build)."""

import sys

with open(sys.argv[1], "rb") as page, open(sys.argv[2], "w", encoding="ascii") as out:
    numbers = [str(byte) for byte in page.read()] + ["0"]
    out.write("/* Made from page.html. */\n")
    for at in range(0, len(numbers), 24):
        out.write(",".join(numbers[at:at + 24]) + ",\n")
