/* test_plan_names.c - plans asked for by name: what is no plan, or not for this group, is refused,
 * by hn_set_plan() and for the job's -plan alike. */
#include "base/error.h"
#include "hnow.h"
#include "hnow_coll.h"
#include "job.h"
#include "wire/plan_names.h"

#include <criterion/criterion.h>
#include <string.h>

static void refused(const char *text, const char *why)
{
    struct plan_names names;
    hn_group_tid(NULL, 1234); /* another text */
    cr_expect(plan_names_parse(text, &names) == HN_EARG && strstr(hn_error_text(), why), "%s: %s",
              text, hn_error_text());
}

Test(plan_names, are_read_and_refused)
{
    struct plan_names names;
    refused("foo", "'foo'");
    refused("", "''");
    refused("ring,foo,chain", "'foo'");
    refused("ring,", "''");
    refused("kary:0", "'kary:0'");
    refused("kary*", "'kary*'");
    refused("ring,ring,ring,ring,ring,ring,ring,ring,ring", "more than 8");
    cr_expect(
        plan_names_parse("chain,ring,reduce+bcast@2:ecef/4096,kary:4,kary:3,star,ecef,fef,eco",
                         &names) == HN_OK);
    cr_expect(names.count == PLAN_NAMES_MOST && names.choice[2].root == 2);
    cr_expect(plan_names_fit(&names, 3) == HN_OK);
    cr_expect(plan_names_fit(&names, 2) == HN_EARG && strstr(hn_error_text(), "no rank 2 among 2"));
}

static void follows(const char *plan)
{
    char name[80];
    int value = 1;
    job_check(hn_allreduce(HN_IN_PLACE, &value, 1, HN_INT, HN_SUM, hn_world()) == HN_OK);
    job_check(hn_plan_followed(hn_world(), name, sizeof name) == HN_OK && strcmp(name, plan) == 0);
}

/* What is refused leaves the plan that was. */
static _Bool of_a_group(void)
{
    char by_itself[80];
    hn_forecast f;
    follows("reduce+bcast@1:binomial,flat");
    job_check(hn_set_plan(hn_world(), "reduce+bcast@2:binomial,flat") == HN_OK);
    follows("reduce+bcast@2:binomial,flat");
    job_check(hn_set_plan(hn_world(), "reduce+bcast@3:binomial,flat") == HN_EARG);
    job_check(hn_set_plan(hn_world(), "doubling,foo") == HN_EARG);
    follows("reduce+bcast@2:binomial,flat");
    job_check(hn_forecast_plan(hn_world(), "bcast", 1, HN_INT, 0, "foo", &f) == HN_EARG);
    job_check(hn_forecast_plan(hn_world(), "bcast", 1, HN_INT, 0, "cast*", &f) == HN_EPLAN);
    job_check(strstr(hn_error_text(), "multicast=yes"));
    job_check(hn_forecast_plan(hn_world(), "allreduce", 1, HN_INT, 0,
                               "reduce+bcast@3:binomial,flat", &f) == HN_EPLAN);
    job_check(strstr(hn_error_text(), "no rank 3 among 3"));
    job_check(hn_set_plan(hn_world(), "auto") == HN_OK);
    job_check(hn_barrier(hn_world()) == HN_OK);
    job_check(hn_plan_followed(hn_world(), by_itself, sizeof by_itself) == HN_OK);
    job_check(!strstr(by_itself, "@2"));
    job_check(hn_set_plan(hn_world(), NULL) == HN_OK);
    follows("reduce+bcast@1:binomial,flat");
    return 1;
}

Test(plan_names, of_a_group)
{
    job_plan = "reduce+bcast@1:binomial,flat";
    cr_assert_eq(job_run(3, 12, of_a_group), 0);
}

static _Bool of_itself(void)
{
    char name[80];
    job_check(hn_barrier(hn_world()) == HN_OK);
    return hn_plan_followed(hn_world(), name, sizeof name) == HN_OK && name[0];
}

Test(plan_names, auto_names_none)
{
    job_plan = "auto";
    cr_assert_eq(job_run(3, 12, of_itself), 0);
}

static _Bool of_a_small_group(void)
{
    follows("doubling");
    return 1;
}

/* The job has larger groups than this one. */
Test(plan_names, of_a_larger_group)
{
    job_plan = "reduce+bcast@9:binomial,flat,doubling";
    cr_assert_eq(job_run(3, 12, of_a_small_group), 0);
}

static _Bool of_the_job(void)
{
    for (int i = 0; i < 2; i++)
        job_check(hn_barrier(hn_world()) == HN_EARG && strstr(hn_error_text(), "'pigeon'"));
    return 1;
}

/* hrun refuses it, but may be older or newer than the library. */
Test(plan_names, of_the_job)
{
    job_plan = "chain,pigeon";
    cr_assert_eq(job_run(2, 12, of_the_job), 0);
}
