/* test_break.c - hn_context_break() and hn_group_break(): receives that wait and later ones end
 * with HN_EDEAD, others are as before, and the members of a broken group can shrink it. Real tasks
 * over real sockets (job.h). */
#include "hnow.h"
#include "hnow_coll.h"
#include "job.h"

#include <criterion/criterion.h>

enum { BROKEN = 1000, WHOLE = 1001, TAG = 7 }; /* contexts */

static _Bool contexts(void)
{
    hn_request *request;
    int value = 0, other = 1 - hn_rank();
    hn_tid peer = hn_group_tid(hn_world(), other);

    hn_set_context(BROKEN);
    job_check(hn_irecv(HN_ANY, TAG, &value, 1, HN_INT, &request) == HN_OK);
    job_check(hn_context_break(BROKEN) == HN_OK);
    job_check(hn_context_break(BROKEN) == HN_OK);
    job_check(hn_wait(request, NULL) == HN_EDEAD);
    job_check(hn_recv(peer, TAG, &value, 1, HN_INT, NULL) == HN_EDEAD);
    job_check(hn_recv(HN_ANY, TAG, &value, 1, HN_INT, NULL) == HN_EDEAD);
    hn_set_context(WHOLE);
    job_check(hn_send(peer, TAG, &other, 1, HN_INT) == HN_OK);
    job_check(hn_recv(peer, TAG, &value, 1, HN_INT, NULL) == HN_OK);
    job_check(value == hn_rank());
    hn_set_context(0);
    return 1;
}

Test(break, contexts)
{
    cr_assert_eq(job_run(2, 20, contexts), 0);
}

static _Bool groups(void)
{
    hn_group *group;
    hn_tid tids[3];

    for (int i = 0; i < 3; i++)
        tids[i] = hn_group_tid(hn_world(), i);
    job_check(hn_group_new(tids, 3, 0x40000000, &group) == HN_OK);
    job_check(hn_barrier(group) == HN_OK);
    job_check(hn_group_break(group) == HN_OK);
    job_check(hn_barrier(group) == HN_EDEAD);
    job_check(hn_group_break(NULL) == HN_EARG);
    job_check(hn_barrier(hn_world()) == HN_OK);
    hn_group_free(group);
    return 1;
}

Test(break, groups)
{
    cr_assert_eq(job_run(3, 20, groups), 0);
}
