/* p2p.c - ping-pongs and streams with a peer's messages; see p2p.h. */
#include "p2p.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct measure {
    char name[16];
    int bytes, window, warm, count;
};

static char *out, *in;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double ping(int bytes)
{
    double start = now();

    p2p_send(1, out, bytes);
    p2p_receive(1, in, bytes);
    return (now() - start) / 2;
}

static void pong(int bytes)
{
    p2p_receive(0, in, bytes);
    p2p_send(0, out, bytes);
}

static double pour(int bytes, int window)
{
    double start = now();

    p2p_pour(1, out, bytes, window);
    p2p_receive(1, in, 0);
    return (now() - start) / window;
}

static void drain(int bytes, int window)
{
    p2p_drain(0, in, bytes, window);
    p2p_send(0, out, 0);
}

static void run(const struct measure *m, int rank)
{
    int latency = strcmp(m->name, "latency") == 0;

    for (int i = -m->warm; i < m->count; i++) {
        double took = 0;

        if (rank == 0)
            took = latency ? ping(m->bytes) : pour(m->bytes, m->window);
        else if (latency)
            pong(m->bytes);
        else
            drain(m->bytes, m->window);
        if (rank == 0 && i >= 0)
            printf("%s %d %.9f\n", m->name, m->bytes, took);
    }
}

/* Memory that has been written, as in hbench: the kernel maps untouched memory to one zero page,
 * which would be copied from the nearest cache. */
static char *noise(size_t bytes)
{
    char *data = malloc(bytes + 1);

    for (size_t i = 0; data && i <= bytes; i++)
        data[i] = (char)(i * 2654435761u >> 13);
    return data;
}

static int read_measure(const char *text, struct measure *m)
{
    return sscanf(text, "%15[a-z]:%d:%d:%d:%d", m->name, &m->bytes, &m->window, &m->warm,
                  &m->count) == 5 &&
           m->bytes >= 0 && m->window > 0 && m->window <= P2P_WINDOW;
}

int p2p_measure(int rank, int argc, char **argv)
{
    struct measure m;
    int largest = 0;

    for (int i = 1; i < argc; i++)
        if (read_measure(argv[i], &m) && m.bytes > largest)
            largest = m.bytes;
    out = noise((size_t)largest);
    in = noise((size_t)largest);
    for (int i = 1; out && in && i < argc; i++)
        if (read_measure(argv[i], &m))
            run(&m, rank);
    return out && in;
}
