/* script_run.h - what the parts of the command language share: a script under way, its words, its
 * commands.  For script*.c only. */
#pragma once

#include <stdio.h>

#include "hmd_command.h"
#include "coor.h"
#include "script_line.h"
#include "select.h"
#include "session.h"

/* Units of OPEN, numbers of three digits; STREAMs in each other, so that one that calls itself
 * ends; DEFINEd selections, a byte an atom each.  More of each is an error. */
enum { SCRIPT_UNITS = 1000, SCRIPT_DEPTH = 8, SCRIPT_KNOWN = 64 };

struct script_level {  /* a file whose commands are being run */
    char *data, *work; /* as it was read; what the lines are cut out of */
    size_t length;
    struct text after; /* where the file before it continues */
};

/* Settings of single atoms; they are kept when files are read again, if there are as many. */
struct script_atoms {
    int natom;
    struct select_name known[SCRIPT_KNOWN]; /* DEFINE */
    int nknown;
    struct system_anchor *anchor; /* CONS HARM, in the order of atoms */
    int nanchor;
    struct system_torsion *twist; /* CONS DIHE */
    int ntwist;
    unsigned char *frozen; /* CONS FIX; NULL: none */
    int nfrozen;
    double *friction;      /* SCALAR's for Langevin's dynamics, 1/ps; NULL: FBETA's for all */
    double *charge, *mass; /* ... that take the place of the structure's; NULL: none do */
    double *length;        /* of all bonds (system.tie), in the place of the parameters' */
    unsigned char *loose;  /* of these: SHAKE passes it over; NULL: it does so with none */
    int nlength, nloose;
};

struct script;
struct script_command {
    const char *names;            /* separated by blanks */
    int (*run)(struct script *s); /* 0 or a status */
};

struct script_units {
    const char *path[SCRIPT_UNITS];      /* files that OPEN has given numbers */
    unsigned char written[SCRIPT_UNITS]; /* ... and WRITE TITLE has begun */
    size_t got[SCRIPT_UNITS];            /* how much of them GET has read, bytes */
};

struct script {
    const struct script_command *command; /* all that there are */
    size_t commands;
    struct command o;
    struct session session;
    struct comm *comm;
    struct err *e;
    struct script_line l;
    int at; /* the word being looked at */
    struct script_units units;
    char **kept; /* texts that o points to */
    size_t nkept;
    struct script_level level[SCRIPT_DEPTH]; /* the innermost at depth - 1 */
    int depth;
    long jumps;                         /* GOTOs so far */
    int changed, new_coordinates, stop; /* since files were read last */
    int placed;                         /* coordinates are there, of a file or of a run */
    struct script_atoms atoms;
    unsigned char *gone;     /* by atom of the PSF's file: DELETE was said of it; NULL: of none */
    struct coor_set compare; /* COOR's second set; NULL: none yet */
    const char *dcd;         /* of the last DYNA, as OPEN has given it; NULL: none yet */
};

/* ---- words (script_words.c) ----------------------------------------------------------------- */

/* ERR_INPUT, with file, line and the word at hand (s->at) before why. */
int script_bad(struct script *s, const char *why);
/* ERR_INPUT, with what to do instead of the command, which is not known. */
int script_unknown(struct script *s);
/* ... of the word at hand: that the command has it in CHARMM, and hmd not, or else why. */
int script_unknown_word(struct script *s, const char *why);
/* The word at a place, "" behind the last one. */
const char *script_word(const struct script *s, int at);
/* Whether the word at a place is this one, as text_same() compares. */
int script_is(const struct script *s, int at, const char *key);
/* Whether it is anywhere behind the command's name. */
int script_says(const struct script *s, const char *key);
/* The number behind the word at hand, which moves there. */
int script_real(struct script *s, double *v);
int script_count(struct script *s, long *v);
/* A copy of the file name at a place, without its quotes, that lives as long as the script. */
const char *script_name(struct script *s, int at);
/* The file behind "NAME file" or "UNIT n" somewhere from word `from` on. */
int script_file(struct script *s, int from, const char **path);

/* Settings of a keyword: some of these. */
struct script_key {
    const char *name;
    double *real;
    long *count;
    int *flag, is; /* *flag = is */
    const char **unit;
};
/* Takes the keyword at the word at hand; *found: it was one of these. */
int script_key(struct script *s, const struct script_key *key, size_t n, int *found);
/* All words from `from` on are keywords of the command: else `usage` is what is said. */
int script_only_keys(struct script *s, int from, const struct script_key *key, size_t n,
                     const char *usage);
/* Takes the keywords from `from` on out of the words; what is no keyword stays. */
int script_cut_keys(struct script *s, int from, const struct script_key *key, size_t n);
/* All words from `from` on: keywords of the command, or words of a NONBONDED line. */
int script_keys(struct script *s, int from, const struct script_key *key, size_t n);

/* ---- chosen atoms (script_select.c) ---- */

/* Takes "SELE ... END" out of the words; *set (to be freed) has a byte for each atom, all 1 where
 * the command has no selection.  Files are read for it. */
int script_select(struct script *s, unsigned char **set);
/* Whether the command has a selection, or has still one. */
int script_selects(const struct script *s);

/* ---- what is asked of single atoms (script_atoms.c) ---- */

/* Hands what is asked of single atoms to the molecule that has just been read. */
void script_atoms_attach(struct script *s);
/* From now on SHAKE's lengths are those of the coordinates at hand. */
void script_atoms_measure(struct script *s);
/* From now on SHAKE ties bonds between an atom of one set and one of the other only; NULL: any. */
void script_atoms_tie(struct script *s, const unsigned char *one, const unsigned char *other);
void script_atoms_free(struct script *s);

/* ---- the script's molecule, and names for numbers (script_state.c) ---- */

/* Reads the files when something has changed; coordinates that were moved stay. */
int script_load(struct script *s);
/* The same where coordinates need not have been read. */
int script_load_structure(struct script *s);
/* The same where something is computed with the coordinates: each atom must have a place. */
int script_ready(struct script *s);
/* ?XTLA and the like, of a box. */
void script_box_results(struct script *s, const struct cell *c);
/* Makes COOR's second set, of atoms that have no places, where there is none yet. */
void script_compare(struct script *s);
/* Puts file and line before a message that has none of the script; returns status. */
int script_blame(struct script *s, int status);

/* script_known.c: sets ?NATOM and the like, if `name` is one of them; `script` is a struct script.
 */
void script_known_ask(void *script, const char *name);
/* Sets ?PI and CHARMM's other constants. */
void script_known_constants(struct script *s);
/* Sets ?NSEL, and for the first of the chosen atoms ?SELATOM and the like. */
void script_known_selection(struct script *s, const unsigned char *set);

/* ?NAME has a value for the commands that follow; n of them. */
void script_result(struct script *s, const char *name, double v);
struct script_number {
    const char *name;
    double v;
};
void script_results(struct script *s, const struct script_number *row, size_t n);

/* Does what the command in s->l says (script_flow.c): 0 or a status. */
int script_obey(struct script *s);

/* ---- commands: 0 or a status ------------------------------------------------------------------
 */

int script_read(struct script *s); /* script_say.c */
int script_open(struct script *s);
int script_crystal(struct script *s);
int script_nbonds(struct script *s);
int script_shake(struct script *s);
int script_skipe(struct script *s);
int script_energy(struct script *s); /* script_act.c */
int script_minimise(struct script *s);
int script_dynamics(struct script *s);
int script_write(struct script *s);                              /* script_write.c */
int script_coor(struct script *s);                               /* script_coor.c */
int script_delete(struct script *s);                             /* script_delete.c */
int script_define(struct script *s);                             /* script_select.c */
int script_constraints(struct script *s);                        /* script_cons.c */
int script_harmonic(struct script *s, const unsigned char *set); /* script_harmonic.c */
int script_scalar(struct script *s);                             /* script_scalar.c */
int script_set_name(struct script *s);                           /* script_flow.c */
int script_step_name(struct script *s);
int script_calc(struct script *s);
int script_trim(struct script *s);
int script_get(struct script *s);
int script_format(struct script *s);
int script_goto(struct script *s);
int script_if(struct script *s);
int script_else(struct script *s);
