/* pmi.h - what processes that a launcher such as srun or mpiexec.hydra started say to it: PMI-1.
 *
 * The launcher gives each process a descriptor, on which lines of KEY=VALUE words are asked and
 * answered: a table of texts that all processes of the job share, and a barrier ("PMI: A Scalable
 * Parallel Process-Management Interface", Balaji and others, EuroMPI 2010).
 */
#ifndef HNOW_PMI_H
#define HNOW_PMI_H

#include <stdbool.h>

enum { PMI_LINE = 2048, PMI_NAME = 256 };

struct pmi {
    int fd, rank, size;
    char table[PMI_NAME]; /* of the texts */
    char line[PMI_LINE];  /* the last answer */
};

/* Whether this process was started so; fd, rank and size are set. */
bool pmi_here(struct pmi *p);
/* These block for the launcher's answer.  HN_ESTART: it gives none, or refuses. */
int pmi_open(struct pmi *p);
/* Keys and values without blanks.  What is put is there for all behind the next barrier. */
int pmi_put(struct pmi *p, const char *key, const char *value);
int pmi_barrier(struct pmi *p);
/* The same in two steps: p->fd becomes readable when all others have begun, too. */
int pmi_barrier_begin(struct pmi *p);
int pmi_barrier_end(struct pmi *p);
/* *value is valid until the next call. */
int pmi_get(struct pmi *p, const char *key, const char **value);
/* From here on the launcher only watches how the process ends. */
void pmi_close(struct pmi *p);

#endif
