/* argument_error.h - why a member waits in vain for another one, as far as that member has answered
 * (open_table.h), and the error text for it.
 */
#pragma once

#include "wire/kind.h"

#include "hnow.h"

/* What the other member has answered about an operation. */
enum open_known {
    IS_FORGOTTEN, /* begun there long ago; details are no longer kept */
    IS_KNOWN,     /* what was called there; also given in all states below but IS_FREED */
    IS_ENDED,
    IS_FAILED, /* ended there with an error */
    IS_FREED,  /* the group has been freed there */
    IS_UNKNOWN /* the group is unknown there: not made yet, or never */
};

/* Error of a persistent operation whose request has been freed. */
enum { OPEN_TABLE_GIVEN_UP = 1 };

/* The call of a member. */
struct called {
    enum kind kind;
    int root;
    bool persistent; /* a persistent operation: hn_NAME_init() */
};

struct argument_error {
    hn_tid other; /* the other member; 0: none */
    enum open_known known;
    struct called called; /* its call */
    int error;            /* the error with which it has ended there */
    bool own;             /* the plans differ, and calls of this member have failed before */
};

/* Whether both have made the same call and follow different plans. */
bool argument_error_over_plans(const struct argument_error *argument_error,
                               const struct called *here);

/* Sets HN_EARG with a text; or HN_EDEAD, if the other member has ended the operation because of a
 * failure. */
int argument_error_explain(const struct argument_error *argument_error, const struct called *here);

/* Puts the operation's name in front of the error text. Returns the error. */
int argument_error_name(enum kind kind, int error);
