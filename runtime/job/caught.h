/* caught.h - the output of other tasks that comes to this one (hn_catch_output()). */
#ifndef HNOW_CAUGHT_H
#define HNOW_CAUGHT_H

#include "hnow.h"
#include "base/list.h"

struct task;
struct unpack;

/* Where caught output goes; its number among the others is what hrun knows of it. */
struct caught_place {
    FILE *file; /* NULL: it becomes messages */
    int tag;
    hn_context context;
};

struct caught {
    struct caught_place *place; /* those asked for, never forgotten */
    uint32_t places;
    struct list_node streams; /* struct caught_stream in caught.c */
};

void caught_init(struct caught *caught);
void caught_clear(struct caught *caught);
/* A CAUGHT frame: output of a task, or its end. */
void caught_take(struct task *t, struct unpack *fields);
/* There is room for messages again: more output may come. */
void caught_resume(struct task *t);
/* Before the task leaves: blocks until all output that goes to files has come. */
void caught_finish(struct task *t);

#endif
