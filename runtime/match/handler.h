/* handler.h - functions of the program that are called for messages (interface: hnow.h).
 *
 * Matching gives a message that a handler wants to nobody else (match.h).  A thread that is inside
 * the library, waiting or about to leave, calls the functions for the whole ones in the order in
 * which they came: it gives up the lock meanwhile, and another waiting thread drives the loop.  One
 * function runs at a time, so a handler's own calls run no further ones.  The background thread
 * calls none.
 */
#pragma once

#include "match/match.h"

struct task;

struct handler {
    struct match_handler wants; /* on match.handlers */
    int id;
    hn_handler *function;
    void *data;
};

/* Forgets all handlers; no thread may be inside the library. */
void handlers_clear(struct task *t);
