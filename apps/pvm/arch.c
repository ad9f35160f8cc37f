/* arch.c - PVM's names for machine architectures, and their data formats.
 *
 * hnow describes a host by the machine name of uname; PVM has names of its own, which also name
 * the directories of programs. The table maps the one to the other. A machine that is missing in
 * it counts as LINUX64.
 */
#include "vm.h"

#include <fnmatch.h>

/* The first pattern that matches uname applies. */
static const struct kind {
    const char *machine, *arch;
    bool wide; /* long and pointers have 64 bits */
} kinds[] = {
    {"x86_64", "LINUX64", true},         {"i?86", "LINUX", false},
    {"aarch64*", "LINUXAARCH64", true},  {"arm*", "LINUXARM", false},
    {"ppc64*", "LINUXPPC64", true},      {"ppc*", "LINUXPPC", false},
    {"s390x", "LINUXS390X", true},       {"s390", "LINUXS390", false},
    {"sparc64", "LINUXSPARC64", true},   {"sparc*", "LINUXSPARC", false},
    {"mips64*", "LINUXMIPS64", true},    {"mips*", "LINUXMIPS", false},
    {"riscv64", "LINUXRISCV64", true},   {"alpha*", "LINUXALPHA", true},
    {"ia64", "LINUXIA64", true},         {"parisc*", "LINUXHPPA", false},
    {"loongarch64", "LINUXLOONG", true}, {"*", "LINUX64", true},
};

/* Always finds one: the last pattern matches everything. */
static const struct kind *kind_of(const char *machine)
{
    const struct kind *kind = kinds;

    while (fnmatch(kind->machine, machine, 0))
        kind++;
    return kind;
}

/* The names are those of PVM's directories; Linux only. The text belongs to the table. */
const char *vm_arch_of(const char *machine)
{
    return kind_of(machine)->arch;
}

/* 1 to 4: byte order, and size of a long. Hosts with the same number need no conversion.
 * PVM's other types have the same size on all machines of the table. */
int vm_signature_of(const hn_host_info *host)
{
    return 1 + host->big_endian + 2 * kind_of(host->machine)->wide;
}
