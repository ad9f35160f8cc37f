/* captured.h - the output of other tasks that this one has captured (hn_catch_output()). */
#pragma once

#include "hnow.h"
#include "base/list.h"

struct task;
struct unpack;

/* A destination of captured output; its index identifies it to hrun. */
struct captured_place {
    FILE *file; /* NULL: output becomes messages */
    int tag;
    hn_context context;
};

/* Part of the task context.  Indices of `place` are known to hrun, so entries are only appended. */
struct captured {
    struct captured_place *place; /* all that were requested; never freed before the end */
    uint32_t places;
    struct list_node streams; /* struct captured_stream in captured.c */
};

void captured_init(struct captured *captured);
void captured_clear(struct captured *captured);
/* Processes a CAPTURED frame: output of a task, or its end. */
void captured_receive(struct task *t, struct unpack *fields);
/* There is room for messages again: requests more output. */
void captured_resume(struct task *t);
/* Before the task leaves: blocks until all output for files has arrived. */
void captured_finish(struct task *t);
