/* errors_task.c - calls that fail, in a program that looks at no result:
 *
 *   early     before hn_enrol()
 *   message   a receive of another type, at rank 1
 *   operation a broadcast from no member, at rank 1
 *   answers   time limits, names that are missing, and questions end nothing
 *   returned  the mode is that of returned errors again
 */
#undef HNOW_PLAIN_CALLS
#include "hnow_coll.h"

#include <stdio.h>
#include <string.h>

static hn_tid first;

static void message(void)
{
    double numbers[2] = {0};
    if (hn_rank() == 1)
        hn_recv(first, 3, numbers, 2, HN_DOUBLE, NULL);
}

static void operation(void)
{
    int value = 0;
    if (hn_rank() == 1)
        hn_bcast(&value, 1, HN_INT, 99, hn_world());
}

static void fail(const char *what)
{
    int values[2] = {1, 2};
    if (hn_rank() == 0 && hn_size() > 1)
        hn_send(hn_group_tid(hn_world(), 1), 3, values, 2, HN_INT);
    if (strcmp(what, "message") == 0)
        message();
    else
        operation();
    hn_barrier(hn_world());
}

static int answers(void)
{
    hn_buffer *buffer = hn_buffer_new();
    hn_request *request;
    hn_type type;
    size_t count;
    int value, good = hn_recv_timeout(HN_ANY, 9, &value, 1, HN_INT, 10, NULL) == HN_ETIMEOUT;
    good &= hn_irecv(HN_ANY, 9, &value, 1, HN_INT, &request) == HN_OK;
    good &= hn_cancel(request) == HN_OK && hn_wait(request, NULL) == HN_ECANCEL;
    good &= hn_name_get("nothing", HN_ANY, 0, 0, NULL, NULL) == HN_ENAME;
    good &= hn_parent() == HN_ENOTASK && hn_group_rank(hn_world(), 12345) == HN_ENOTASK;
    good &= hn_buffer_next(buffer, &type, &count) == HN_ETRUNC;
    good &= hn_set_errors(7) == HN_EARG;
    hn_buffer_free(buffer);
    return good;
}

static int returned(void)
{
    int value = 0;
    int good = hn_set_errors(HN_ERRORS_RETURN) == HN_ERRORS_FATAL;
    good &= hn_bcast(&value, 1, HN_INT, 99, hn_world()) == HN_EARG;
    return good && hn_set_errors(HN_ERRORS_RETURN) == HN_ERRORS_RETURN;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int good = hn_set_errors(HN_ERRORS_FATAL) == HN_ERRORS_RETURN;
    if (strcmp(what, "early") == 0)
        hn_barrier(hn_world());
    hn_enrol();
    first = hn_group_tid(hn_world(), 0);
    if (strcmp(what, "answers") == 0)
        good &= answers() && hn_barrier(hn_world()) == HN_OK; /* nobody leaves before */
    else if (strcmp(what, "returned") == 0)
        good &= returned();
    else
        fail(what);
    hn_exit();
    puts(good ? "good" : "wrong");
    return !good;
}
