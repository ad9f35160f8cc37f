/* captured.h - the output of other tasks that comes to this one (hn_catch_output()). */
#pragma once

#include "hnow.h"
#include "base/list.h"

struct task;
struct unpack;

/* Where captured output goes; its number among the others is what hrun knows of it. */
struct captured_place {
    FILE *file; /* NULL: it becomes messages */
    int tag;
    hn_context context;
};

struct captured {
    struct captured_place *place; /* those asked for, never forgotten */
    uint32_t places;
    struct list_node streams; /* struct captured_stream in captured.c */
};

void captured_init(struct captured *captured);
void captured_clear(struct captured *captured);
/* A CAPTURED frame: output of a task, or its end. */
void captured_receive(struct task *t, struct unpack *fields);
/* There is room for messages again: more output may come. */
void captured_resume(struct task *t);
/* Before the task leaves: blocks until all output that goes to files has arrived. */
void captured_finish(struct task *t);
