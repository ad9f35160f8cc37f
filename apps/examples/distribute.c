/* distribute.c - task 0 reads a file and multicasts it to other tasks, which write it.
 *
 *     hrun -hosts hosts -ppn 1 distribute FILE COPY [RANK...]
 *
 * Uses hn_bcast_to(), a multicast to a list of tasks, in chunks, so the file may be larger than
 * memory.  Without ranks, all other tasks get the file.  The plan sends each chunk once to each
 * remote network and forwards it inside.
 *
 * Errors of hnow end the job (HN_ERRORS_FATAL), so calls are not tested. Errors of the file are
 * reported by the task that has them, with its name and reason.
 */
#include <hnow_coll.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 20 /* bytes of a multicast */, FINISHED = -1 };

/* Ends all tasks: the others could not continue without this one. */
static _Noreturn void fail(const char *path)
{
    char why[500];
    snprintf(why, sizeof why, "distribute: %s: %s", path, strerror(errno));
    hn_abort(1, why);
}

/* Stores the destination ranks in `to` and returns their number. */
static int destinations(char **words, int count, int *to)
{
    int n = 0;
    /* No ranks are given: all tasks but the root. */
    for (int rank = 1; count == 0 && rank < hn_size(); rank++)
        to[n++] = rank;
    for (int i = 0; i < count; i++) {
        /* All tasks read the same words, so all get the same list. */
        to[n] = atoi(words[i]);
        if (to[n] < 1 || to[n] >= hn_size())
            hn_abort(2, "distribute: a rank is not one of the other tasks");
        n++;
    }
    return n;
}

/* Task 0 sends the length of each chunk, then the chunk; the length FINISHED ends the file.  Only
 * the root and the tasks in `to` call this. */
static void copy(FILE *file, const char *path, const int *to, int n)
{
    static char chunk[CHUNK];
    int32_t length;
    do {
        /* Only the root reads; the others learn the length from the first multicast. */
        if (hn_rank() == 0) {
            length = (int32_t)fread(chunk, 1, CHUNK, file);
            if (ferror(file))
                fail(path);
            if (length == 0)
                length = FINISHED;
        }
        /* Two operations for each chunk: a receiver must know the length before it receives. */
        hn_bcast_to(&length, 1, HN_INT32, 0, to, n, hn_world());
        if (length == FINISHED)
            return;
        hn_bcast_to(chunk, length, HN_BYTE, 0, to, n, hn_world());
        if (hn_rank() != 0 && fwrite(chunk, 1, length, file) != (size_t)length)
            fail(path);
    } while (1);
}

int main(int argc, char **argv)
{
    hn_set_errors(HN_ERRORS_FATAL);
    hn_enrol();
    if (argc < 3 || argc - 3 >= hn_size())
        hn_abort(2, "usage: distribute FILE COPY [RANK...]");
    int rank = hn_rank(), *to = calloc(hn_size(), sizeof *to);
    if (to == NULL)
        hn_abort(1, "distribute: out of memory");
    int n = destinations(argv + 3, argc - 3, to), takes_part = rank == 0;
    /* Tasks that are not on the list do not call hn_bcast_to() at all. */
    for (int i = 0; i < n; i++)
        takes_part |= to[i] == rank;
    if (takes_part && n > 0) {
        const char *path = argv[rank == 0 ? 1 : 2];
        FILE *file = fopen(path, rank == 0 ? "rb" : "wb");
        if (file == NULL)
            fail(path);
        copy(file, path, to, n);
        /* Data may still be in the buffer, and the disk may be full. */
        if (fclose(file) != 0)
            fail(path);
        if (rank != 0)
            printf("%s is on %s\n", path, hn_host_of(hn_mytid()));
    }
    free(to);
    return hn_exit();
}
