/* real_adapt.c - operations of 256 KiB, one after the other, while the network changes:
 *
 *     real_adapt blocking|nonblocking|persistent|uneven BYTES COUNT...
 *
 * For each COUNT: does so many broadcasts (uneven: as allgathers to which rank 0 gives nearly all,
 * each time another part), prints "phase I: MEDIAN ms" and waits for a line, or the
 * end, of input.  Each is timed at rank 0 until all members are done; the median is that of the
 * last ten.
 */
#include "hnow.h"
#include "hnow_coll.h"
#include "timed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAST = 10, MOST = 100000, TASKS_MOST = 64, STEP = 16, STEPS = 10 };

enum form { BLOCKING, NONBLOCKING, PERSISTENT, UNEVEN, FORMS };
static const char *const forms[FORMS] = {"blocking", "nonblocking", "persistent", "uneven"};

struct work {
    enum form form;
    char *data;
    size_t bytes;
    hn_request *lasting;
};

/* Everybody else gives some bytes of the data, which rank 0 has filled for them. */
static int gather_unevenly(struct work *w, int number)
{
    size_t counts[TASKS_MOST], displs[TASKS_MOST], at = w->bytes;
    for (int rank = hn_size(); rank-- > 0;) {
        counts[rank] = rank > 0 ? (size_t)(STEP * (number % STEPS)) : at;
        displs[rank] = at -= counts[rank];
    }
    memset(w->data + displs[hn_rank()], 'a' + number % 26, counts[hn_rank()]);
    return hn_allgatherv(HN_IN_PLACE, w->data, counts, displs, HN_CHAR, hn_world());
}

static int broadcast(struct work *w, int number)
{
    hn_request *request = w->lasting;
    int error;
    if (w->form == UNEVEN)
        return gather_unevenly(w, number);
    if (w->form == BLOCKING)
        return hn_bcast(w->data, w->bytes, HN_CHAR, 0, hn_world());
    if (w->form == PERSISTENT)
        error = hn_start(request);
    else
        error = hn_ibcast(w->data, w->bytes, HN_CHAR, 0, hn_world(), &request);
    return error ? error : hn_wait(request, NULL);
}

/* So many of them; false when one brings other data than was sent. */
static int phase(struct work *w, int count, double *median)
{
    static double took[MOST];
    for (int i = 0; i < count; i++) {
        char sent = (char)('a' + i % 26);
        memset(w->data, hn_rank() == 0 ? sent : 0, w->bytes);
        if (hn_barrier(hn_world()))
            return 0;
        double begun = now();
        if (broadcast(w, i) || hn_barrier(hn_world()))
            return 0;
        took[i] = now() - begun;
        if (w->data[0] != sent || w->data[w->bytes - 1] != sent)
            return 0;
    }
    *median = median_of(took + count - LAST, LAST);
    return 1;
}

static int prepare(struct work *w, int argc, char **argv)
{
    while (argc > 3 && w->form < FORMS && strcmp(argv[1], forms[w->form]))
        w->form++;
    if (argc < 4 || w->form == FORMS || atoi(argv[2]) < 1)
        return 0;
    w->bytes = (size_t)atoi(argv[2]);
    w->data = malloc(w->bytes);
    for (int i = 3; i < argc; i++)
        if (atoi(argv[i]) < LAST || atoi(argv[i]) > MOST)
            return 0;
    return w->data && !hn_enrol() && hn_size() <= TASKS_MOST &&
           w->bytes > (size_t)(STEP * STEPS * TASKS_MOST);
}

/* Rank 0 asks, all hear. */
static int goes_on(int phase, double median)
{
    int more = 0;
    if (hn_rank() == 0) {
        printf("phase %d: %.2f ms\n", phase, median);
        fflush(stdout);
        more = getchar() != EOF;
    }
    return !hn_bcast(&more, 1, HN_INT, 0, hn_world()) && more;
}

int main(int argc, char **argv)
{
    struct work w = {0};
    double median;
    int more = 1;
    if (!prepare(&w, argc, argv))
        return 2;
    if (w.form == PERSISTENT && hn_bcast_init(w.data, w.bytes, HN_CHAR, 0, hn_world(), &w.lasting))
        return 1;
    for (int i = 3; i < argc && more; i++) {
        if (!phase(&w, atoi(argv[i]), &median))
            return 1;
        more = goes_on(i - 3, median);
    }
    if (w.lasting && hn_request_free(w.lasting))
        return 1;
    free(w.data);
    return hn_exit() != HN_OK;
}
