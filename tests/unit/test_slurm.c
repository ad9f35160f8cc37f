/* Hosts of a Slurm allocation: what the environment says, right and wrong. */
#include "hrun/hosts/slurm.h"

#include "hnow.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* NAME=VALUE each. */
static const char *const *environment;

static const char *get(const char *name)
{
    size_t n = strlen(name);
    for (const char *const *entry = environment; *entry; entry++)
        if (strncmp(*entry, name, n) == 0 && (*entry)[n] == '=')
            return *entry + n + 1;
    return NULL;
}

/* The hosts as "a:2 b:1", slots 0 where nothing is said. */
static const char *hosts_of(const char *const *entries)
{
    static char text[400];
    struct hosts *hosts;
    environment = entries;
    text[0] = 0;
    cr_assert_eq(slurm_hosts(get, &hosts), HN_OK, "%s", hn_error_text());
    for (int i = 0; hosts && i < hosts->n; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s:%d", i ? " " : "",
                 hosts->line[i].name, hosts->line[i].slots);
    hosts_free(hosts);
    return text;
}

#define HOSTS(...) hosts_of((const char *const[]){__VA_ARGS__, NULL})

Test(slurm, nodes_and_slots)
{
    cr_assert_str_eq(HOSTS("HOME=/"), "");
    cr_assert_str_eq(HOSTS("SLURM_JOB_NODELIST=a"), "", "without a job it is no allocation");
    cr_assert_str_eq(HOSTS("SLURM_JOB_ID=1", "SLURM_JOB_NODELIST=n[01-03,7],x"),
                     "n01:0 n02:0 n03:0 n7:0 x:0");
    cr_assert_str_eq(
        HOSTS("SLURM_JOB_ID=1", "SLURM_JOB_NODELIST=n[1-3],x", "SLURM_JOB_CPUS_PER_NODE=4(x3),1"),
        "n1:4 n2:4 n3:4 x:1");
    cr_assert_str_eq(HOSTS("SLURM_JOB_ID=1", "SLURM_JOB_NODELIST=n[1-3]",
                           "SLURM_JOB_CPUS_PER_NODE=5(x2),1", "SLURM_CPUS_PER_TASK=2"),
                     "n1:2 n2:2 n3:1");
}

Test(slurm, tasks_count_when_they_were_asked_for)
{
    cr_assert_str_eq(HOSTS("SLURM_JOB_ID=1", "SLURM_JOB_NODELIST=n[1-2]",
                           "SLURM_JOB_CPUS_PER_NODE=8(x2)", "SLURM_TASKS_PER_NODE=1(x2)"),
                     "n1:8 n2:8");
    cr_assert_str_eq(HOSTS("SLURM_JOB_ID=1", "SLURM_JOB_NODELIST=n[1-2]", "SLURM_NTASKS=3",
                           "SLURM_JOB_CPUS_PER_NODE=8(x2)", "SLURM_TASKS_PER_NODE=2,1"),
                     "n1:2 n2:1");
}

Test(slurm, what_does_not_fit_is_refused)
{
    static const char *const bad[] = {"4",    "4(x2),1,1",   "4(x4)",          "4(x3",
                                      "(x3)", "0(x3)",       "-1(x3)",         "x",
                                      "4,,4", "4(x0),4(x3)", "99999999999(x3)"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char cores[64];
        const char *const entries[] = {"SLURM_JOB_ID=1", "SLURM_JOB_NODELIST=n[1-3]", cores, NULL};
        struct hosts *hosts;
        snprintf(cores, sizeof cores, "SLURM_JOB_CPUS_PER_NODE=%s", bad[i]);
        environment = entries;
        cr_assert_eq(slurm_hosts(get, &hosts), HN_ESYNTAX, "%s", bad[i]);
        cr_assert_not_null(strstr(hn_error_text(), "SLURM_JOB_CPUS_PER_NODE="));
        cr_assert_null(hosts);
    }
    environment = (const char *const[]){"SLURM_JOB_ID=1", "SLURM_JOB_NODELIST=n[1-", NULL};
    struct hosts *hosts;
    cr_assert_eq(slurm_hosts(get, &hosts), HN_ESYNTAX);
}

Test(slurm, a_host_outside_is_named)
{
    struct hosts *hosts;
    cr_assert_eq(hosts_list("n1,n2,z", &hosts), HN_OK);
    environment = (const char *const[]){"SLURM_JOB_ID=1", "SLURM_JOB_NODELIST=n[1-3]", NULL};
    cr_assert_str_eq(slurm_stranger(get, hosts), "z");
    environment = (const char *const[]){"SLURM_JOB_ID=1", "SLURM_JOB_NODELIST=n[1-2],z", NULL};
    cr_assert_null(slurm_stranger(get, hosts));
    environment = (const char *const[]){"HOME=/", NULL};
    cr_assert_null(slurm_stranger(get, hosts));
    hosts_free(hosts);
}

Test(slurm, a_long_list_leaves_room_for_the_advice)
{
    char list[3000] = "SLURM_JOB_NODELIST=n[";
    struct hosts *hosts;
    memset(list + strlen(list), '1', 2000);
    environment = (const char *const[]){"SLURM_JOB_ID=1", list, NULL};
    cr_assert_eq(slurm_hosts(get, &hosts), HN_ESYNTAX);
    cr_assert_not_null(strstr(hn_error_text(), "name the hosts by -hosts"), "%s", hn_error_text());
}
