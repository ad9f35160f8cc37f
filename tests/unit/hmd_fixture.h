/* hmd_fixture.h - systems for the tests of hmd: from files next to the checkout, or made here. */
#pragma once

#include <criterion/criterion.h>

#include "constrain.h"
#include "coor.h"
#include "energy.h"
#include "psf.h"
#include "system.h"

struct fixture {
    struct psf psf;
    struct param param;
    struct system system;
    double *x, *f;
    struct err note, e;
    char *text[12]; /* the files' texts, kept until the end */
    int texts;
};

/* Texts for a system; NULL where there is none.  The strings are copied. */
struct fixture_texts {
    const char *psf, *top, *par, *str, *crd, *pdb;
};

/* Whether there are files in ../shared/md: more systems for tests that have one of their own. */
int fixture_more(void);
/* The text of ../shared/md/NAME. */
char *fixture_shared(const char *name);
/* Opens a copy of a text that lives as long as the fixture. */
struct text fixture_text(struct fixture *fx, const char *name, const char *data);
/* Makes all of a system; 0 or the status with the message in fx->e. */
int fixture_make(struct fixture *fx, const struct fixture_texts *t, const double box[3]);
/* The same from names under ../shared/md; fails the test when it cannot be made. */
void fixture_load(struct fixture *fx, const struct fixture_texts *names, const double box[3]);
/* The same from files anywhere. */
void fixture_files(struct fixture *fx, const struct fixture_texts *paths, const double box[3]);
void fixture_free(struct fixture *fx);

/* Energies of one task of `size`, added up over all of them; forces into fx->f. */
void fixture_energy(struct fixture *fx, const struct scheme *scheme, double cutnb, int size,
                    double term[ENERGY_NUMBERS]);

/* The largest relative error of the lengths that are to be kept. */
double fixture_worst_length(const struct constrain *c, const double *x);
