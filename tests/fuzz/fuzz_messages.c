/* fuzz_messages.c - any bytes as the file of hplan -messages, for a network of four hosts: refused
 * with a place, or accepted; then each message has a source and receivers. */
#include "file_of.h"

#include <stdarg.h>
#include <stdio.h>

static char complaint[4096];

int complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(complaint, sizeof complaint, format, args);
    va_end(args);
    return 2;
}

static void look_at(const struct task *task)
{
    demand(task->req.message_count > 0);
    for (int k = 0; k < task->req.message_count; k++) {
        const struct multicast_message *m = &task->req.messages[k];
        demand(m->source >= 0 && m->source < 4 && m->bytes >= 0 && !m->wants[m->source]);
        demand(memchr(m->wants, true, 4) != NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct options options = {.net = "net", .messages = file_of(data, size)};
    struct task task = {.req = {.op = OP_MULTIMULTICAST, .ranks = 4}};
    demand(hn_net_parse("net", four_hosts, sizeof four_hosts - 1, &task.net) == HN_OK);
    complaint[0] = 0;
    if (task_messages(&options, 1000, &task) == 0)
        look_at(&task);
    else
        demand(strncmp(complaint, options.messages, strlen(options.messages)) == 0);
    task_free(&task);
    return 0;
}
