/* test_cores.c - quotas of control groups, as both versions write them, in a tree of files. */
#include "hnowd/cores.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char root[] = "/tmp/hnow-test-cores-XXXXXX";

/* Writes root/path; makes its directories. */
static void put(const char *path, const char *text)
{
    char whole[300];
    snprintf(whole, sizeof whole, "%s/%s", root, path);
    for (char *at = whole + strlen(root) + 1; (at = strchr(at, '/')); at++) {
        *at = 0;
        mkdir(whole, 0700);
        *at = '/';
    }
    FILE *file = fopen(whole, "w");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static int quota(void)
{
    char groups[300];
    snprintf(groups, sizeof groups, "%s/groups", root);
    return cores_quota(groups, root);
}

static void begin(void)
{
    cr_assert(mkdtemp(root));
}

static void end(void)
{
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", root);
    cr_assert_eq(system(command), 0);
}

Test(cores, second_version, .init = begin, .fini = end)
{
    put("groups", "0::/a/b\n");
    cr_assert_eq(quota(), 0);
    put("a/b/cpu.max", "max 100000\n");
    cr_assert_eq(quota(), 0);
    put("a/b/cpu.max", "150000 100000\n");
    cr_assert_eq(quota(), 2);
    put("a/cpu.max", "50000 100000\n"); /* the one above is tighter */
    cr_assert_eq(quota(), 1);
    put("a/cpu.max", "800000 100000\n");
    cr_assert_eq(quota(), 2);
}

Test(cores, first_version, .init = begin, .fini = end)
{
    put("groups", "7:cpuacct:/x\n4:cpu,cpuacct:/job\n1:cpuset:/y\n0::/\n");
    put("cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
    put("cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
    cr_assert_eq(quota(), 0);
    put("cpu,cpuacct/job/cpu.cfs_quota_us", "300000\n");
    cr_assert_eq(quota(), 3);
    put("groups", "7:cpuacct:/x\n1:cpuset:/job\n");
    cr_assert_eq(quota(), 0);
}

/* The path is that of the machine outside. */
Test(cores, container, .init = begin, .fini = end)
{
    put("groups", "0::/machine/container\n");
    put("cpu.max", "200000 100000\n");
    cr_assert_eq(quota(), 2);
    put("groups", "no group\n\n3:\n");
    cr_assert_eq(quota(), 0);
}
