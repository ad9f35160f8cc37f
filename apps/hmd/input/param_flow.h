/* param_flow.h - control commands around the sections of a topology and parameter stream: SET, IF
 * and others, as in CHARMM36's streams. */
#pragma once

#include "err.h"
#include "script_line.h"

/* A stream that is being read. It is large (script_line), so it is allocated. */
struct param_flow {
    struct script_line line;
    int open; /* open IF blocks */
};

/* Makes a stream that may use these names (NULL, 0: none), and ?NATC as the number of atom types.
 * The caller frees it with mem_free(). */
struct param_flow *param_flow_new(const struct script_set *names, int n, size_t types);

/* Returns the next command of t that the caller must handle: *w has its words, in upper case, and
 * f->line.first its line. Returns 1; or 0 at the end, or after *status became ERR_INPUT. */
int param_flow_next(struct param_flow *f, struct text *t, const struct words **w, struct err *e,
                    int *status);

/* True if this line of a section (`word`: its first word in upper case) ends the enclosing block
 * (ENDIF, ELSE). Then the section ends, too, and commands follow. *status as above. */
int param_flow_leaves(struct param_flow *f, struct text *t, const char *word, struct err *e,
                      int *status);
