/* steal_time.c - reads the first line of /proc/stat (steal_time.h). */
#include "measure/steal_time.h"

#include <inttypes.h>
#include <stdio.h>

/* user nice system idle iowait irq softirq steal; later columns are contained in these. */
enum { STEAL = 7, COLUMNS };

struct steal_time steal_time_now(void)
{
    struct steal_time now = {0, 0};
    int64_t ticks;
    FILE *file = fopen("/proc/stat", "re");
    if (!file)
        return now;
    if (fscanf(file, "cpu ") == 0)
        for (int i = 0; i < COLUMNS && fscanf(file, "%" SCNd64, &ticks) == 1; i++) {
            now.all += ticks;
            now.taken = i == STEAL ? ticks : 0;
        }
    fclose(file);
    return now;
}

int64_t steal_time_part(const struct steal_time *begin, const struct steal_time *end)
{
    int64_t all = end->all - begin->all, taken = end->taken - begin->taken;
    return begin->all > 0 && all > 0 && taken > 0 ? 1000 * taken / all : 0;
}
