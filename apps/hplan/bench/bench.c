/* bench.c - the parts of hplan -bench. */
#include "bench.h"

#include "hnow.h"

#include <string.h>

/* Stops at the first error.  Each part is printed as soon as it is complete. HN_EARG: no part of
 * that name; then nothing was printed. */
int bench_run(const char *part, FILE *file)
{
    static const struct {
        const char *name;
        int (*run)(FILE *file);
    } parts[] = {{"broadcast", bench_broadcast}, {"multicast", bench_multicast},
                 {"exchange", bench_exchange},   {"segments", bench_segments},
                 {"ports", bench_ports},         {"long", bench_long},
                 {"speed", bench_speed},         {"soon", bench_limited}};
    /* Replaced by the first part that runs. */
    int error = HN_EARG;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strcmp(part, "all") && strcmp(part, parts[i].name))
            continue;
        error = parts[i].run(file);
        if (error)
            return error;
        fputc('\n', file);
        fflush(file);
    }
    return error;
}
