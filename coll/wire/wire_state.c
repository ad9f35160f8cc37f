/* wire_state.c - the state of all collective operations of the task (wire_state.h). */
#include "wire/wire_state.h"

#include "wire/member_net.h"
#include "wire/open_table.h"

#include "job/internal.h"
#include "runtime/internal.h"

#include <stdlib.h>

static const char state_key; /* its address is the key of the state in the world group */

static void release(void *thing)
{
    wire_state_drop(thing);
}

/* The last holder frees everything: all groups have been freed then. */
void wire_state_drop(struct wire_state *state)
{
    if (!state || atomic_fetch_sub(&state->holders, 1) > 1)
        return;
    open_tables_free(state->tables);
    member_nets_free(state);
    hn_net_free(state->net);
    pthread_mutex_destroy(&state->nets_lock);
    pthread_mutex_destroy(&state->operators.lock);
    pthread_mutex_destroy(&state->making);
    free(state);
}

/* Makes the state with two references: one of the world group, one of the caller. If another thread
 * has made it meanwhile, returns that one. HN_OK or an error. */
static int make(struct wire_state **state)
{
    struct wire_state *made = calloc(1, sizeof *made);
    if (!made)
        return error_set(HN_ENOMEM, "out of memory");
    atomic_init(&made->holders, 2);
    list_init(&made->nets);
    pthread_mutex_init(&made->nets_lock, NULL);
    pthread_mutex_init(&made->making, NULL);
    pthread_mutex_init(&made->operators.lock, NULL);
    made->tables = open_tables_new();
    void *first = made;
    int error = made->tables ? group_keep_once(hn_world(), &state_key, &first, release)
                             /* Two threads may make a state at the same time; group_keep_once()
                              * keeps the first one. */
                             : error_set(HN_ENOMEM, "out of memory");
    if (error || first != made) { /* another thread has stored its state first */
        atomic_store(&made->holders, 1);
        wire_state_drop(made);
    }
    if (!error && first != made)
        atomic_fetch_add(&((struct wire_state *)first)->holders, 1);
    *state = error ? NULL : first;
    return error;
}

int wire_state_hold(struct wire_state **state)
{
    *state = hn_group_kept(hn_world(), &state_key);
    if (!*state)
        return make(state);
    atomic_fetch_add(&(*state)->holders, 1);
    return HN_OK;
}
