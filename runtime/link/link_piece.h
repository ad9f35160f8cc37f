/* link_piece.h - what waits in a link to be sent, or acknowledged: between link.c and link_cast.c.
 */
#pragma once

#include "link/link.h"

#include <assert.h>

/* One frame of our stream, kept until it is acknowledged. */
struct piece {
    struct list_node node;
    uint64_t start; /* stream offset of its header */
    uint32_t length;
    uint32_t head;             /* bytes of its header: the last ones of header[] */
    const uint8_t *data;       /* payload: copy[], the caller's buffer, or a cast's */
    struct hn_request *lender; /* whose buffer it is; NULL: nobody lends it */
    struct link_cast *cast;    /* whose payload it is; NULL: it is no cast's */
    bool apart;                /* it goes in datagrams, not through the connection */
    int place;                 /* in l->loans, where it is lent; NOWHERE: it is not */
    size_t total;              /* bytes of the whole message */
    uint8_t header[FRAME_SIZE];
    uint8_t copy[];
};
static_assert(offsetof(struct piece, copy) == offsetof(struct piece, header) + FRAME_SIZE,
              "a copied payload is behind its header");

enum { NOWHERE = -1 };

static inline uint64_t piece_end(const struct piece *p)
{
    return p->start + p->head + p->length;
}

static inline uint8_t *header_of(struct piece *p)
{
    return p->header + FRAME_SIZE - p->head;
}

static inline struct piece *piece_of(struct list_node *n)
{
    return list_entry(n, struct piece, node);
}

/* Between tasks on one host nothing is gained by a short header. */
static inline bool piece_may_be_short(const struct link *l, const struct frame *f)
{
    return !l->loan.loans && f->length < LINK_SMALL && frame_fits_short(f);
}

/* A frame without its payload, for which there is room where nobody else has it. */
struct piece *piece_new(struct link *l, const struct frame *f, bool is_short,
                        struct hn_request *lender, struct link_cast *cast);
/* Puts it behind all others. */
void piece_enqueue(struct link *l, struct piece *p);
/* link_cast.c: what sending through the connection has to do with what goes in datagrams. */

/* Passes over what has gone out in datagrams. */
void link_cast_pass(struct link *l);
/* Whether that must be reported to the other side, before what is written next (on: there is such).
 */
bool link_cast_must_report(const struct link *l, bool on);
/* Puts it, and what else there is to say of datagrams, into an ACK frame. */
void link_cast_report(struct link *l, struct frame *f);
/* The piece is acknowledged, or will never be sent. */
void link_cast_done(struct link *l, struct piece *p);
/* All goes through the next connection; what datagrams have brought too early comes again. */
void link_cast_broken(struct link *l);
/* Forgets what has arrived too early. */
void link_drop_held(struct link *l);
