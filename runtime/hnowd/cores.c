/* cores.c - counts the usable cores; see cores.h.
 *
 * A control group may limit a process, with all of its group, to QUOTA microseconds of CPU time in
 * each PERIOD (Linux, Documentation/admin-guide/cgroup-v2.rst: cpu.max; scheduler/sched-bwc.rst for
 * version 1: cpu.cfs_quota_us, cpu.cfs_period_us).  The smallest quota of a group and its ancestors
 * applies.  In a container, the path of the group may be the one outside, while the group's files
 * are at the root.  So each prefix of the path is tried, down to the root.
 */
#include "hnowd/cores.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads the first line of directory/file.  False: there is none. A longer line is cut. */
static bool cores_line(const char *directory, const char *file, char line[64])
{
    char *path = NULL;
    FILE *in = asprintf(&path, "%s/%s", directory, file) > 0 ? fopen(path, "re") : NULL;
    bool is = in && fgets(line, 64, in);
    if (in)
        fclose(in);
    free(path);
    return is;
}

/* The smaller of two numbers of cores; 0 means no limit. */
static int cores_least(int a, int b)
{
    return a == 0 || (b > 0 && b < a) ? b : a;
}

/* The quota of the group with this directory, in whole cores; 0: no limit. second: version 2 of
 * control groups. Parts of a core are rounded up. */
static int cores_of_group(const char *directory, bool second)
{
    char text[64], length[64];
    long quota = 0, period = 0;
    /* cpu.max is "max PERIOD" without a limit, which leaves quota at 0. */
    if (second && cores_line(directory, "cpu.max", text)) {
        sscanf(text, "%ld %ld", &quota, &period);
    } else if (!second && cores_line(directory, "cpu.cfs_quota_us", text) &&
               cores_line(directory, "cpu.cfs_period_us", length)) {
        quota = strtol(text, NULL, 10);
        period = strtol(length, NULL, 10);
    }
    return quota > 0 && period > 0 ? (int)((quota + period - 1) / period) : 0;
}

/* The same for root/mount/group and all groups above it. The root of the hierarchy is looked at,
 * too. */
static int cores_of_path(const char *root, const char *mount, const char *group, bool second)
{
    char *path = NULL;
    int least = 0, top = asprintf(&path, "%s%s%s", root, mount, group);
    if (top < 0)
        return 0;
    /* Where the group begins in the path: root and mount are never shortened. */
    top -= (int)strlen(group);
    for (char *end = path + strlen(path); end; end = strrchr(path + top, '/')) {
        *end = 0;
        least = cores_least(least, cores_of_group(path, second));
    }
    free(path);
    return least;
}

/* Whether cpu is one of the controllers, separated by commas. */
static bool cores_controls(const char *list)
{
    for (;; list++) {
        size_t n = strcspn(list, ",");
        if (n == 3 && strncmp(list, "cpu", 3) == 0)
            return true;
        list += n;
        if (!*list)
            return false;
    }
}

/* The quota for a line of /proc/PID/cgroup: NUMBER:CONTROLLERS:PATH, without controllers in version
 * 2.  Modifies the line. Both usual mount points of each version are tried; a directory that does
 * not exist has no limit. */
static int cores_of_line(const char *root, char *line)
{
    static const char *const mounts[2][2] = {{"/cpu", "/cpu,cpuacct"}, {"", "/unified"}};
    char *list = strchr(line, ':'), *group = list ? strchr(list + 1, ':') : NULL;
    if (!group)
        return 0;
    *group++ = 0;
    group[strcspn(group, "\n")] = 0;
    bool second = list[1] == 0;
    if (!second && !cores_controls(list + 1))
        return 0;
    return cores_least(cores_of_path(root, mounts[second][0], group, second),
                       cores_of_path(root, mounts[second][1], group, second));
}

/* `groups` and `root` are parameters for the tests; 0: no limit, or no control groups. O(groups *
 * depth), once for an agent. */
int cores_quota(const char *groups, const char *root)
{
    char *line = NULL;
    size_t room = 0;
    int least = 0;
    FILE *in = fopen(groups, "re");
    while (in && getline(&line, &room, in) > 0)
        least = cores_least(least, cores_of_line(root, line));
    if (in)
        fclose(in);
    free(line);
    return least;
}

/* The cores that the scheduler may use, or fewer if a quota limits them.  At least 1. With more
 * than 1024 cores the call fails, and the online cores count. */
int cores_usable(void)
{
    cpu_set_t set;
    int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                            : (int)sysconf(_SC_NPROCESSORS_ONLN);
    return cores_least(cores > 0 ? cores : 1, cores_quota("/proc/self/cgroup", "/sys/fs/cgroup"));
}
