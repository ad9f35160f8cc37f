/* hmd_texts.h - one small system as texts, which tests of hmd's input write in other ways.
 *
 * Five atoms: a chain of four, and an ion in a segment of its own.  Whatever way the same system is
 * written in, its energies must be the same; damaged, it must be refused with one line that names
 * the file and says what is wrong.
 */
#pragma once

#include "hmd_fixture.h"

extern const char texts_psf[], texts_prm[], texts_crd[];

/* Five atoms in a chain with a cross term over both its torsions, and nothing else; its parameters
 * (to be freed) have a smooth map that is not symmetric in its angles. */
extern const char texts_cross_psf[];
char *texts_cross_prm(void);

/* `text` with the first `from` replaced; to be freed. */
char *texts_edited(const char *text, const char *from, const char *to);
/* `text` with every newline as `to`; to be freed. */
char *texts_with_newlines(const char *text, const char *to);

/* Energies without a cut-off, in vacuum; the test fails when the system is refused. */
void texts_energies(const struct fixture_texts *t, double term[ENERGY_NUMBERS], const char *what);
/* They are those of the plain system. */
void texts_expect_same(const struct fixture_texts *t, const char *what);
/* Refused with status 2 and one line with `say` in it. */
void texts_expect_refused(const struct fixture_texts *t, const char *say, const char *what);
