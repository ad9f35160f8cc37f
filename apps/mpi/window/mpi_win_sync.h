/* mpi_win_sync.h - what the calls that begin and end epochs of a window share. */
#pragma once

#include "window/mpi_win.h"

/* The window of a handle; NULL: *error is the error that was raised. */
struct mpi_win *win_given(MPI_Win win, const char *call, int *error);
/* Raises MPI_ERR_RMA_SYNC. */
int win_no_epoch(struct mpi_win *w, const char *call, const char *what);
/* Raises an error if locks are held or MPI_Win_start's epoch is open.  One of fences ends by
 * itself. */
int win_check_free(struct mpi_win *w, const char *call);

/* Sends a request of synchronization to another member: HN_OK or an error. */
int win_send_sync(const struct mpi_win *w, int rank, enum service_kind kind, int id, int count);
/* With the lock: waits for a change.  False: there was none, and a member has failed. */
bool win_await_change(struct mpi_win *w);
/* Whether this member has failed, or ended otherwise. */
bool win_has_ended(const struct mpi_win *w, int rank);
