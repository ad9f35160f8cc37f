/* handler.h - functions of the program that are called for messages (interface: hnow.h).
 *
 * A message that a handler wants is matched with nothing else (match.h).  A thread that waits
 * inside the library or is about to leave it calls the functions for complete messages, in the
 * order of arrival.  Meanwhile it releases the lock, and another waiting thread drives the loop.
 * One function runs at a time, so calls that a handler makes run no other handlers.  The background
 * thread runs none.
 */
#pragma once

#include "match/match.h"

struct task;

/* `wants` is the first member, so that a struct match_handler can be cast to its struct handler.
 * Allocated by hn_handler_add(). */
struct handler {
    struct match_handler wants; /* on match.handlers */
    int id;
    hn_handler *function;
    void *data;
};

/* Removes all handlers; no thread may be inside the library. */
void handlers_clear(struct task *t);
