/* test_kernel_acks.c - real tasks (job.h) on a TCP connection: which acknowledgements take packets
 * of their own. */
#include "hnow.h"
#include "job.h"
#include "job/task.h"

#include <criterion/criterion.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

enum { ROUNDS = 6 };

/* Linux takes a connection on which nothing has come for 200 ms for one that begins anew. */
static const struct timespec silence = {.tv_nsec = 300000000};

/* Packets without data that the kernel has sent on this task's connection to the other one. */
static unsigned bare_packets(hn_tid other)
{
    struct task *t = task_get();
    struct tcp_info info = {0};
    socklen_t length = sizeof info;

    engine_enter(&t->engine);
    getsockopt(peer_get(t, other)->fd, IPPROTO_TCP, TCP_INFO, &info, &length);
    engine_leave(&t->engine, false);
    return info.tcpi_segs_out - info.tcpi_data_segs_out;
}

/* Questions after silences: nothing follows the answers, and still they are not acknowledged at
 * once. (A busy machine may come to look later than the kernel waits.) */
static _Bool answers(void)
{
    hn_tid other = hn_group_tid(hn_world(), 1 - hn_rank());
    unsigned before, at_once = 0;
    char word = 0;

    for (int i = 0; i < ROUNDS; i++) {
        if (hn_rank() == 0) {
            job_check(hn_send(other, 1, &word, 1, HN_BYTE) == HN_OK);
            before = bare_packets(other);
            job_check(hn_recv(other, 2, &word, 1, HN_BYTE, NULL) == HN_OK);
            at_once += bare_packets(other) != before;
            nanosleep(&silence, NULL);
        } else {
            job_check(hn_recv(other, 1, &word, 1, HN_BYTE, NULL) == HN_OK);
            job_check(hn_send(other, 2, &word, 1, HN_BYTE) == HN_OK);
        }
    }
    job_check(at_once < ROUNDS / 2);
    return true;
}

Test(kernel_acks, nothing_is_acknowledged_at_once_after_a_silence)
{
    setenv("HNOW_LOCAL", "tcp", 1);
    cr_assert_eq(job_run(2, 60, answers), 0);
}
