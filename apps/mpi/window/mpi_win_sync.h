/* mpi_win_sync.h - functions shared by the calls that begin and end epochs of a window. */
#pragma once

#include "window/mpi_win.h"

/* Reports MPI_ERR_RMA_SYNC. */
int win_no_epoch(struct mpi_win *w, const char *call, const char *what);
/* Reports an error if locks are held or an epoch of MPI_Win_start() is open.  An epoch of fences
 * ends implicitly. */
int win_check_free(struct mpi_win *w, const char *call);

/* Sends a synchronisation request to another member.  Returns HN_OK or an error. Does not wait for
 * a reply. `count` is the lock type of lock requests. */
int win_send_sync(const struct mpi_win *w, int rank, enum service_kind kind, int id, int count);
/* Waits for a change.  Returns false if there was none and a member has failed.  Call with the lock
 * held. Sleeps at most LOOK_EVERY; the lock is released meanwhile. */
bool win_await_change(struct mpi_win *w);
/* True if this member has failed, or ended otherwise. A round trip to hrun. */
bool win_has_ended(const struct mpi_win *w, int rank);
