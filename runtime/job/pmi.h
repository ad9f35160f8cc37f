/* pmi.h - what a process says to the launcher that has started it, such as srun, mpiexec.hydra or
 * Open MPI's mpirun: texts that all processes of the job share, and a barrier.
 *
 * PMI-1 (pmi.c): the launcher gives each process a descriptor, on which lines of KEY=VALUE words
 * are asked and answered ("PMI: A Scalable Parallel Process-Management Interface", Balaji and
 * others, EuroMPI 2010).  PMIx (pmix.c; PMIx standard, versions 3 to 5): a library, where it is
 * installed.
 */
#pragma once

#include <stdbool.h>

/* Bytes: of a line, which holds a few words and a name; of names (PMIx: PMIX_MAX_NSLEN and a 0). */
enum { PMI_LINE = 2048, PMI_NAME = 256 };

struct pmi;

/* These block for the launcher's answer.  HN_ESTART: it gives none, or refuses. */
struct pmi_calls {
    int (*open)(struct pmi *p); /* rank and size are set */
    /* A key and a value without blanks.  It is there for all behind the next barrier. */
    int (*put)(struct pmi *p, const char *key, const char *value);
    /* A barrier in two steps: p->fd becomes readable when all others have begun it, too. */
    int (*barrier_begin)(struct pmi *p);
    int (*barrier_end)(struct pmi *p);
    /* The value that a rank has put; *value is valid until the next call. */
    int (*get)(struct pmi *p, int rank, const char *key, const char **value);
    /* Asks the launcher to end all processes, this one as well, and to return that status. */
    void (*abort)(struct pmi *p, int status);
    /* From here on the launcher only watches how the process ends. */
    void (*close)(struct pmi *p);
};

struct pmi {
    const struct pmi_calls *calls;
    int fd, rank, size;
    char table[PMI_NAME]; /* PMI-1: of the texts; PMIx: the job */
    char line[PMI_LINE];  /* the last answer */
    int signal;           /* PMIx: the end of a pipe whose other one is fd */
};

/* Whether this process was started so; then p->calls is set. */
bool pmi_here(struct pmi *p);
bool pmix_here(struct pmi *p);
