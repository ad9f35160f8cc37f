/* pmi.h - how a process talks to the launcher that started it, such as srun, mpiexec.hydra or Open
 * MPI's mpirun: a key-value store that all processes of the job share, and a barrier.
 *
 * PMI-1 (pmi.c): the launcher passes each process a descriptor.  Requests and answers on it are
 * lines of KEY=VALUE words ("PMI: A Scalable Parallel Process-Management Interface", Balaji and
 * others, EuroMPI 2010).  PMIx (pmix.c; PMIx standard, versions 3 to 5): a library, where it is
 * installed.
 */
#pragma once

#include <stdbool.h>

/* Bytes: of a line, which contains a few words and a name; of names (PMIx: PMIX_MAX_NSLEN and a
 * 0). */
enum { PMI_LINE = 2048, PMI_NAME = 256 };

struct pmi;

/* All functions block for the launcher's answer.  HN_ESTART: it does not answer, or refuses. */
struct pmi_calls {
    int (*open)(struct pmi *p); /* sets rank and size */
    /* Stores a value under a key; neither may contain blanks.  All can read it after the next
     * barrier. */
    int (*put)(struct pmi *p, const char *key, const char *value);
    /* A barrier in two steps: p->fd becomes readable when all others have begun it, too. */
    int (*barrier_begin)(struct pmi *p);
    int (*barrier_end)(struct pmi *p);
    /* Reads the value that a rank has stored; *value is valid until the next call. */
    int (*get)(struct pmi *p, int rank, const char *key, const char **value);
    /* Asks the launcher to end all processes, including this one, and to exit with that status. */
    void (*abort)(struct pmi *p, int status);
    /* Ends the conversation; the launcher then only watches how the process ends. */
    void (*close)(struct pmi *p);
};

/* The launcher's connection of one process.  Copied by its user, so nothing may point into it
 * across calls. */
struct pmi {
    const struct pmi_calls *calls;
    int fd, rank, size;
    char table[PMI_NAME]; /* PMI-1: the name of the key-value space; PMIx: the job */
    char line[PMI_LINE];  /* the last answer */
    int signal;           /* PMIx: write end of the pipe whose read end is fd */
};

/* Whether PMI-1 (PMIx) started this process; then p->calls is set. */
bool pmi_here(struct pmi *p);
bool pmix_here(struct pmi *p);
