/* no_memory_calls.c - what one task does with others, and with messages, without memory. */
#include "check.h"
#include "hnow_coll.h"
#include "no_memory.h"

#include <stdlib.h>
#include <string.h>

static int tasks(void)
{
    hn_task_info *list = NULL;
    int n, result;
    if (TRY(hn_tasks(&list, &n)) == HN_OK)
        free(list);
    return result;
}

static int task_status(void)
{
    hn_task_info info;
    int result;
    return TRY(hn_task_status(partner, &info));
}

static int hosts(void)
{
    hn_host_info *list = NULL;
    int n, result;
    if (TRY(hn_hosts(&list, &n)) == HN_OK)
        free(list);
    return result;
}

static int add_hosts(void)
{
    const char *names[] = {"no-such-host.invalid port=1 addr=127.0.0.1"};
    hn_host_outcome outcome;
    int result;
    TRY(hn_remove_hosts(names, 1, &outcome));
    return result >= 0 ? HN_OK : result;
}

static int spawn(void)
{
    hn_tid tid;
    int result;
    TRY(hn_spawn("/no/such/program", NULL, 1, NULL, &tid));
    return result >= 0 ? HN_OK : result;
}

static int signal_task(void)
{
    int result;
    return TRY(hn_signal(partner, 0));
}

static int host_of(void)
{
    int result;
    return TRY(hn_host_of(partner) ? HN_OK : HN_ENOMEM);
}

static int job_text(void)
{
    const char *text;
    size_t length;
    int result;
    return TRY(hn_job_text("hosts", &text, &length));
}

static int context_new(void)
{
    hn_context context;
    int result;
    return TRY(hn_context_new(&context));
}

static int send_short(void)
{
    int result;
    return TRY(hn_send(partner, GONE, out, 8, HN_BYTE));
}

static int send_long(void)
{
    int result;
    return TRY(hn_send(partner, GONE, out, LONG, HN_BYTE));
}

static int send_to_self(void)
{
    int result;
    if (TRY(hn_send(self, 1, out, 1000, HN_BYTE)) == HN_OK)
        CHECK(hn_recv(self, 1, in, LONG, HN_BYTE, NULL) == HN_OK);
    return result;
}

static int multicast(void)
{
    hn_tid to[] = {partner, self};
    int result;
    TRY(hn_multicast(to, 2, GONE, out, 100, HN_BYTE));
    while (hn_iprobe(self, GONE, NULL) == 1)
        CHECK(hn_recv(self, GONE, in, LONG, HN_BYTE, NULL) == HN_OK);
    return result;
}

static int multicast_reach(void)
{
    char reached;
    int result;
    TRY(hn_multicast_reach(&partner, 1, 10, &reached));
    return result >= 0 ? HN_OK : result;
}

/* The answer comes while there is no memory, or before. */
static int receive(size_t bytes, hn_tid from)
{
    int result;
    CHECK(hn_send(partner, ECHO, out, bytes, HN_BYTE) == HN_OK);
    if (TRY(hn_recv(from, ECHO, in, LONG, HN_BYTE, NULL)) == HN_ENOMEM)
        CHECK(hn_recv(from, ECHO, in, LONG, HN_BYTE, NULL) == HN_OK);
    return result;
}

static int receive_short(void)
{
    return receive(8, partner);
}

static int receive_long(void)
{
    return receive(LONG, HN_ANY);
}

/* A message for which no receive waits needs memory of ours. */
static int probe(void)
{
    int result;
    CHECK(hn_send(partner, ECHO, out, LONG, HN_BYTE) == HN_OK);
    TRY(hn_probe(partner, ECHO, NULL));
    CHECK(hn_recv(partner, ECHO, in, LONG, HN_BYTE, NULL) == HN_OK);
    return result;
}

static int receive_timeout(void)
{
    int result;
    TRY(hn_recv_timeout(partner, 77, in, LONG, HN_BYTE, 1, NULL));
    return result == HN_ETIMEOUT ? HN_OK : result;
}

static int nonblocking(void)
{
    hn_request *r[2] = {NULL, NULL};
    int result;
    TRY(hn_irecv(partner, ECHO, in, LONG, HN_BYTE, &r[0]));
    if (result != HN_OK)
        return result;
    CHECK(hn_isend(partner, ECHO, out, LONG, HN_BYTE, &r[1]) == HN_OK);
    CHECK(hn_waitall(r, 2, NULL, NULL) == HN_OK);
    return result;
}

static int nonblocking_send(void)
{
    hn_request *r;
    int result;
    if (TRY(hn_isend(partner, GONE, out, LONG, HN_BYTE, &r)) == HN_OK)
        CHECK(hn_wait(r, NULL) == HN_OK);
    return result;
}

static int wait_all(void)
{
    hn_request *r[2];
    int result;
    CHECK(hn_irecv(partner, ECHO, in, LONG, HN_BYTE, &r[0]) == HN_OK);
    CHECK(hn_isend(partner, ECHO, out, LONG, HN_BYTE, &r[1]) == HN_OK);
    return TRY(hn_waitall(r, 2, NULL, NULL));
}

static int wait_any(void)
{
    hn_request *r[1];
    int index, result;
    CHECK(hn_isend(partner, GONE, out, LONG, HN_BYTE, &r[0]) == HN_OK);
    return TRY(hn_waitany(r, 1, &index, NULL));
}

static int send_receive(void)
{
    int result;
    TRY(hn_sendrecv(partner, ECHO, out, 5000, HN_BYTE, partner, ECHO, in, LONG, HN_BYTE, NULL));
    while (hn_recv_timeout(partner, ECHO, in, LONG, HN_BYTE, 0, NULL) == HN_OK)
        continue;
    return result;
}

static int notify(void)
{
    int result;
    if (TRY(hn_notify(HN_TASK_EXIT, &partner, 1, 9)) == HN_OK)
        CHECK(hn_notify(HN_TASK_EXIT | HN_NOTIFY_CANCEL, NULL, 0, 9) == HN_OK);
    return result;
}

static int catch_output(void)
{
    int result;
    return TRY(hn_catch_output(NULL, 0, 9));
}

static int catch_output_file(void)
{
    int result;
    if (TRY(hn_catch_output_file(NULL, 0, stderr)) == HN_OK)
        CHECK(hn_catch_output_file(NULL, 0, NULL) == HN_OK);
    return result;
}

static int buffers(void)
{
    hn_buffer *b = NULL, *outer = NULL;
    int result;
    TRY((b = hn_buffer_new()) && (outer = hn_buffer_new()) ? HN_OK : HN_ENOMEM);
    if (result == HN_OK && TRY(hn_pack(b, out, 5000, HN_INT, 1)) == HN_OK &&
        TRY(hn_pack_string(b, "a string")) == HN_OK && TRY(hn_pack_buffer(outer, b)) == HN_OK)
        TRY(hn_unpack_buffer(outer, b));
    hn_buffer_free(b);
    hn_buffer_free(outer);
    return result;
}

hn_buffer *filled_buffer(void)
{
    hn_buffer *b = hn_buffer_new();
    CHECK(b && hn_pack(b, out, 500, HN_INT, 1) == HN_OK);
    return b;
}

static int send_buffer(void)
{
    hn_buffer *b = filled_buffer();
    int result;
    TRY(hn_send_buffer(partner, GONE, b));
    hn_buffer_free(b);
    return result;
}

static int multicast_buffer(void)
{
    hn_buffer *b = filled_buffer();
    int result;
    TRY(hn_multicast_buffer(&partner, 1, GONE, b));
    hn_buffer_free(b);
    return result;
}

static int receive_buffer(void)
{
    hn_buffer *b = filled_buffer();
    int result;
    CHECK(hn_send_buffer(self, 5, b) == HN_OK);
    if (TRY(hn_recv_buffer(self, 5, -1, b, NULL)) == HN_ENOMEM)
        CHECK(hn_recv_buffer(self, 5, -1, b, NULL) == HN_OK);
    hn_buffer_free(b);
    return result;
}

static void count(const hn_info *info, hn_buffer *message, void *data)
{
    (void)info;
    (void)message;
    ++*(int *)data;
}

static int handler(void)
{
    int called = 0, result, number = TRY(hn_handler_add(self, 6, count, &called));
    if (number < 0)
        return result;
    CHECK(hn_send(self, 6, out, 8, HN_BYTE) == HN_OK && called == 1);
    TRY(hn_send(self, 6, out, 8, HN_BYTE));
    hn_iprobe(self, 6, NULL); /* serves what could not be served then */
    CHECK(hn_handler_remove(number) == HN_OK);
    return result;
}

const struct what task_calls[] = {
    CASE(tasks),
    CASE(task_status),
    CASE(hosts),
    CASE(add_hosts),
    CASE(spawn),
    CASE(signal_task),
    CASE(host_of),
    CASE(job_text),
    CASE(context_new),
    CASE(send_short),
    CASE(send_long),
    CASE(send_to_self),
    CASE(multicast),
    CASE(multicast_reach),
    CASE(receive_short),
    CASE(receive_long),
    CASE(probe),
    CASE(receive_timeout),
    CASE(nonblocking),
    CASE(nonblocking_send),
    CASE(wait_all),
    CASE(wait_any),
    CASE(send_receive),
    CASE(notify),
    CASE(catch_output),
    CASE(catch_output_file),
    CASE(buffers),
    CASE(send_buffer),
    CASE(multicast_buffer),
    CASE(receive_buffer),
    CASE(handler),
    {NULL, NULL},
};
