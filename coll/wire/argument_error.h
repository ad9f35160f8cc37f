/* argument_error.h - why a member of a group waits in vain for a message of another one, as far as
 * that one has told (open_table.h), and how that is said. */
#pragma once

#include "wire/kind.h"

#include "hnow.h"

/* Of what a member says about an operation, what is known there. */
enum open_known {
    IS_FORGOTTEN, /* it has begun, long ago */
    IS_KNOWN,     /* what was called, which is so in all that follow, but IS_FREED */
    IS_ENDED,
    IS_FAILED, /* has ended with an error */
    IS_FREED,  /* its group has been freed */
    IS_UNKNOWN /* there is no such group: here it has not been made, yet or at all */
};

/* As an error: of what came again and again, the request has been freed. */
enum { OPEN_TABLE_GIVEN_UP = 1 };

/* The operation that a member has called. */
struct called {
    enum kind kind;
    int root;
    bool persistent; /* it can come again and again: hn_NAME_init() */
};

struct argument_error {
    hn_tid other; /* 0: none */
    enum open_known known;
    struct called called; /* there */
    int error;            /* with which it has ended there */
    bool own;             /* their plans differ, and calls of this member have failed before */
};

/* Whether both have called the same, and follow different plans. */
bool argument_error_over_plans(const struct argument_error *argument_error,
                               const struct called *here);

/* Sets HN_EARG with a text, or HN_EDEAD where that is why the other one has ended the operation. */
int argument_error_explain(const struct argument_error *argument_error, const struct called *here);

/* An error with a text, which gets the operation's name before it. Returns the error. */
int argument_error_name(enum kind kind, int error);
