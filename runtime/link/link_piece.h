/* link_piece.h - frames of a link that are not sent or not acknowledged: shared by link.c and
 * link_cast.c. */
#pragma once

#include "link/link.h"

#include <assert.h>

/* One frame of our stream, kept until it is acknowledged. */
struct piece {
    struct list_node node;
    uint64_t start; /* stream position of its header */
    uint32_t length;
    uint32_t head;             /* bytes of its header, which are the last ones of header[] */
    const uint8_t *data;       /* payload: copy[], the caller's buffer, or a cast's */
    struct hn_request *lender; /* the request whose buffer holds the payload; NULL: none */
    struct link_cast *cast;    /* the cast that holds the payload; NULL: none */
    bool apart;                /* sent in datagrams, not through the connection */
    int slot;                  /* slot in l->loan.loans, or NO_SLOT: it is not lent */
    size_t total;              /* bytes of the whole message */
    uint8_t header[FRAME_SIZE];
    uint8_t copy[];
};
static_assert(offsetof(struct piece, copy) == offsetof(struct piece, header) + FRAME_SIZE,
              "a copied payload is behind its header");

enum { NO_SLOT = -1 };

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

/* Between tasks on one host a short header has no advantage. */
static inline bool piece_may_be_short(const struct link *l, const struct frame *f)
{
    return !l->loan.loans && f->length < LINK_SMALL && frame_fits_short(f);
}

/* Allocates a frame.  There is room for a copy of the payload unless a lender or a cast holds it.
 * NULL: no memory. */
struct piece *piece_new(struct link *l, const struct frame *f, bool is_short,
                        struct hn_request *lender, struct link_cast *cast);
/* Appends a piece to the stream. */
void piece_enqueue(struct link *l, struct piece *p);
/* link_cast.c: how sending through the connection treats frames that are sent in datagrams. */

/* Skips frames that were sent in datagrams. */
void link_cast_pass(struct link *l);
/* Whether such frames must be announced to the other side now. on: a frame follows through the
 * connection. */
bool link_cast_must_report(const struct link *l, bool on);
/* Puts the announcement, and other reports about datagrams, into an ACK frame. */
void link_cast_report(struct link *l, struct frame *f);
/* The piece is acknowledged, or will never be sent. */
void link_cast_done(struct link *l, struct piece *p);
/* The connection is broken: the next one carries everything, and held frames are dropped, as they
 * will be sent again. */
void link_cast_broken(struct link *l);
/* Drops the frames that arrived too early. */
void link_drop_held(struct link *l);
