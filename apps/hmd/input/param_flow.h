/* param_flow.h - the commands around the sections of a stream of topology and parameters: SET, IF
 * and the like, as CHARMM36's streams have them. */
#pragma once

#include "err.h"
#include "script_line.h"

struct param_flow {
    struct script_line line;
    int open; /* blocks that an IF has begun */
};

/* A stream that may use these names (they may be NULL, 0), and ?NATC for so many atom types; to be
 * freed with mem_free(). */
struct param_flow *param_flow_new(const struct script_set *names, int n, size_t types);

/* The next command of t that is to be obeyed and is none of these: *w has its words, in upper case,
 * and f->line.first its line.  1; 0 at the end, also when *status has become ERR_INPUT. */
int param_flow_next(struct param_flow *f, struct text *t, const struct words **w, struct err *e,
                    int *status);

/* Whether this line of a section, its first word in upper case, ends the block that the section is
 * in (ENDIF, ELSE): the section ends then, too, and commands follow.  *status as above. */
int param_flow_leaves(struct param_flow *f, struct text *t, const char *word, struct err *e,
                      int *status);
