/* pvm_child.h - children of a PVM test, which are the same program: PROGRAM child WHAT. */
#pragma once

#include "pvm_check.h"

#include <errno.h>

enum { STOP = 1, ANSWER = 2, GONE = 3 };
#define SELF program_invocation_short_name /* found beside the caller's own program */

static inline void spawn(const char *what, int n, int *tids)
{
    char child[] = "child", *argv[] = {child, (char *)what, NULL};

    CHECK(pvm_spawn(SELF, argv, PvmTaskDefault, NULL, n, tids) == n);
    for (int i = 0; i < n; i++)
        CHECK(tids[i] > 0 && tids[i] != pvm_mytid());
}

static inline void send_int(int tid, int tag, int value)
{
    CHECK(pvm_initsend(PvmDataDefault) > 0 && pvm_pkint(&value, 1, 1) == PvmOk);
    CHECK(pvm_send(tid, tag) == PvmOk);
}

static inline int receive_int(int tid, int tag)
{
    int value;

    CHECK(pvm_recv(tid, tag) > 0 && pvm_upkint(&value, 1, 1) == PvmOk);
    return value;
}

/* A child that tells its place among its siblings, and waits until it is told to stop. */
static inline void waiting_child(void)
{
    int *siblings, n = pvm_siblings(&siblings), mine = -1;

    for (int i = 0; i < n; i++)
        if (siblings[i] == pvm_mytid())
            mine = i;
    send_int(pvm_parent(), ANSWER, 100 * n + mine);
    receive_int(pvm_parent(), STOP);
}

/* ---- mailboxes ---- */

static inline int put(const char *name, int value, int flags)
{
    CHECK(pvm_initsend(PvmDataDefault) > 0 && pvm_pkint(&value, 1, 1) == PvmOk);
    return pvm_putinfo((char *)name, pvm_getsbuf(), flags);
}

static inline int get(const char *name, int index, int flags)
{
    int value, buffer = pvm_recvinfo((char *)name, index, flags);

    if (buffer < 0)
        return buffer;
    CHECK(pvm_getrbuf() == buffer && pvm_upkint(&value, 1, 1) == PvmOk);
    return value;
}
