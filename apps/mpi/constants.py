#!/usr/bin/env python3
"""constants.py - writes the constants of one binary interface as a header, from the table of all
interfaces.

    constants.py INTERFACE FILE TABLE

A row of the table has a name, a C type ("-": int), and the value in each interface ("-": undefined).
"""
import sys

INTERFACES = ('abi', 'openmpi', 'mpich')


def in_c(kind, value):
    if value.startswith('MPI_'):  # an alias
        return value
    if value.startswith('ompi_'):  # the address of an object
        return 'MPI_PREDEFINED(%s, %s)' % (kind[len('MPI_'):], value)
    if kind != '-':
        return '((%s)%s)' % (kind.replace('*', ' *', 1), value)
    return '(%s)' % value if value.startswith('-') else value


def main():
    interface, path, table = sys.argv[1:]
    with open(table, encoding='ascii') as file:
        rows = [line.split() for line in file if line.strip() and not line.startswith('#')]
    with open(path, 'w', encoding='ascii') as out:
        out.write('/* Made by constants.py: a part of mpi.h. */\n')
        for name, kind, *values in rows:
            value = values[INTERFACES.index(interface)]
            if value != '-':
                out.write('#define %s %s\n' % (name, in_c(kind, value)))


main()
