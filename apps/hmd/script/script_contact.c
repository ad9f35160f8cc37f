/* script_contact.c - COOR HBOND and COOR CONTACT: hydrogen bonds, or contacts, of the atoms of one
 * selection with those of another, how many and for how long (CHARMM's corman.doc).
 *
 *   COOR HBOND|CONTACT [CUT x] [CUTANGLE degrees] [BRIDGE residue] [VERBOSE] [TCUT ps]
 *        SELE ... END SELE ... END  [FIRSTU unit [NUNIT n] [BEGIN step] [STOP step] [NSKIP n]]
 *        [IUNIT unit] [IRHI unit [DRH x] [RHMAX x]] [ITHI unit [DTH ps] [THMAX ps]]
 *        [PBC [CUBIC|TO|RHDO BOXL|XSIZE x [YSIZE y [ZSIZE z]]]]
 *
 * Without FIRSTU of the coordinates at hand.  Donors and acceptors are the PSF's.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact.h"
#include "mem.h"
#include "script_frames.h"

struct contacts {
    struct script *s;
    struct contact_rule rule;
    struct contact_histogram length, time; /* n = 0: not wanted */
    long unit, length_unit, time_unit;     /* -1: stdout; none */
    double length_most, time_most, tcut, size[3];
    int hydrogen, verbose, images, form; /* form: of the box that the command gives */
    double step;                         /* ps from frame to frame */
    double start;                        /* of the first frame, ps */
    FILE *file;
    long *frames, *lives; /* by atom of the first selection */
    int *donor, *bridge;
    unsigned char *acceptor, *set[2];
    struct cell cell;
};

enum { BOX_CUBIC, BOX_OCTAHEDRON, BOX_DODECAHEDRON };

/* ---- words ----------------------------------------------------------------------------------- */

/* BRIDGE and the name behind it: the atoms of which residue belong to it. */
static int contact_bridge_words(struct script *s, struct contacts *c)
{
    const struct psf *p = &s->session.in.psf;
    int at = 2, some = 0;
    while (at < s->l.word.n && !script_is(s, at, "BRIDGE"))
        at++;
    if (at >= s->l.word.n)
        return 0;
    s->at = at;
    if (at + 1 == s->l.word.n)
        return script_bad(s, "expected the name of the residues behind it");
    c->bridge = mem_new((size_t)p->natom, sizeof *c->bridge);
    for (int i = 0, residue = -1; i < p->natom; i++) {
        residue += psf_residue_begins(p, i);
        c->bridge[i] = strcmp(p->atom[i].resname, s->l.word.at[at + 1]) ? -1 : residue;
        some |= c->bridge[i] >= 0;
    }
    s->at = at + 1;
    if (!some)
        return script_bad(s, "no residue has this name");
    script_cut(s, at, at + 1);
    return 0;
}

static int contact_words(struct script *s, struct contacts *c)
{
    struct contact_rule *r = &c->rule;
    const struct script_key key[] = {{"CUT", .real = &r->cut},
                                     {"CUTHB", .real = &r->cut},
                                     {"CUTHA", .real = &r->angle},
                                     {"CUTANGLE", .real = &r->angle},
                                     {"TCUT", .real = &c->tcut},
                                     {"VERBOSE", .flag = &c->verbose, .is = 1},
                                     {"IUNIT", .count = &c->unit},
                                     {"IRHI", .count = &c->length_unit},
                                     {"DRH", .real = &c->length.width},
                                     {"RHMAX", .real = &c->length_most},
                                     {"ITHI", .count = &c->time_unit},
                                     {"DTH", .real = &c->time.width},
                                     {"THMAX", .real = &c->time_most},
                                     {"PBC", .flag = &c->images, .is = 1},
                                     {"CUBIC", .flag = &c->form, .is = BOX_CUBIC},
                                     {"TO", .flag = &c->form, .is = BOX_OCTAHEDRON},
                                     {"RHDO", .flag = &c->form, .is = BOX_DODECAHEDRON},
                                     {"BOXL", .real = &c->size[0]},
                                     {"XSIZE", .real = &c->size[0]},
                                     {"YSIZE", .real = &c->size[1]},
                                     {"ZSIZE", .real = &c->size[2]}};
    return script_only_keys(s, 2, key, sizeof key / sizeof *key,
                            "COOR HBOND and CONTACT take two selections, CUT, CUTA, BRIDGE, "
                            "VERBOSE, TCUT, FIRSTU, NUNIT, BEGIN, STOP, NSKIP, IUNIT, IRHI, DRH, "
                            "RHMAX, ITHI, DTH, THMAX and PBC with a box");
}

/* Room for the cases of a histogram, if it is wanted. */
static int contact_histogram_make(struct script *s, struct contact_histogram *h, long unit,
                                  double most)
{
    if (unit < 0)
        return 0;
    if (!(h->width > 0) || !(most > 0) || most / h->width > 1e6)
        return script_bad(s, "a histogram needs a width and an end above 0, and at most a million "
                             "cases");
    h->n = (int)ceil(most / h->width) + 1;
    h->count = mem_new((size_t)h->n, sizeof *h->count);
    return 0;
}

/* The box whose images count: the crystal, else the one that the command gives. */
static int contact_box(struct script *s, struct contacts *c)
{
    static const double angle[3][3] = {
        {90, 90, 90}, {109.4712206344907, 109.4712206344907, 109.4712206344907}, {60, 90, 60}};
    if (!c->images)
        return 0;
    c->rule.cell = &s->session.in.system.cell;
    if (c->rule.cell->box[0] > 0)
        return 0;
    c->size[1] = c->size[1] > 0 && !c->form ? c->size[1] : c->size[0];
    c->size[2] = c->size[2] > 0 && !c->form ? c->size[2] : c->size[0];
    c->rule.cell = &c->cell;
    return c->size[0] > 0 && cell_make(&c->cell, c->size, angle[c->form])
               ? 0
               : script_bad(s, "PBC needs a box: CRYSTAL DEFINE before it, or CUBIC, TO or RHDO "
                               "with BOXL");
}

/* Donors and acceptors by atom. */
static int contact_bonding(struct script *s, struct contacts *c)
{
    const struct psf *p = &s->session.in.psf;
    int some = 0;
    if (!c->hydrogen)
        return c->rule.angle >= 0 ? script_bad(s, "CONTACT knows no hydrogens: leave the angle out")
                                  : 0;
    c->donor = mem_new((size_t)p->natom, sizeof *c->donor);
    c->acceptor = mem_new((size_t)p->natom, 1);
    for (int i = 0; i < p->natom; i++)
        c->donor[i] = -1;
    for (int k = 0; k < p->donor.count; k++)
        if (p->donor.atom[2 * k] >= 0 && p->donor.atom[2 * k + 1] >= 0) {
            c->donor[p->donor.atom[2 * k + 1]] = p->donor.atom[2 * k];
            some = 1;
        }
    for (int k = 0; k < p->acceptor.count; k++)
        if (p->acceptor.atom[2 * k] >= 0)
            c->acceptor[p->acceptor.atom[2 * k]] = 1;
    c->rule.donor = c->donor;
    c->rule.acceptor = c->acceptor;
    return some && p->acceptor.count
               ? 0
               : script_bad(s,
                            "the PSF names no donors with hydrogens or no acceptors (psfgen's do "
                            "not): make it with CHARMM, or have CONTACT with the hydrogens "
                            "selected, and CUT 2.4");
}

static int contact_prepare(struct script *s, struct contacts *c)
{
    size_t natom = (size_t)s->session.in.psf.natom;
    s->at = 1;
    if (contact_histogram_make(s, &c->length, c->length_unit, c->length_most) ||
        contact_histogram_make(s, &c->time, c->time_unit, c->time_most) || contact_box(s, c) ||
        contact_bonding(s, c))
        return ERR_INPUT;
    c->rule.natom = (int)natom;
    c->rule.bridge = c->bridge;
    c->rule.distance = c->length.n ? &c->length : NULL;
    c->frames = mem_new(natom, sizeof *c->frames);
    c->lives = mem_new(natom, sizeof *c->lives);
    for (int k = 0; k < 2; k++)
        c->rule.set[k] = c->set[k];
    return 0;
}

/* ---- what is told ---------------------------------------------------------------------------- */

static void contact_name(FILE *file, const struct psf_atom *a)
{
    fprintf(file, " %-5s %-5s %-5s %-5s", a->segid, a->resname, a->resid, a->name);
}

static void contact_partners(struct contacts *c, int i, int j, int bridge)
{
    const struct psf *p = &c->s->session.in.psf;
    contact_name(c->file, &p->atom[i]);
    fputs(" -", c->file);
    contact_name(c->file, &p->atom[j]);
    for (int k = 0; bridge >= 0 && k < p->natom; k++)
        if (c->bridge[k] == bridge) {
            fprintf(c->file, " BY %s %s %s", p->atom[k].segid, p->atom[k].resname,
                    p->atom[k].resid);
            break;
        }
}

/* The end of one: it counts if it has lasted long enough. */
static void contact_ended(void *of, const struct contact_life *l)
{
    struct contacts *c = of;
    double time = (double)l->frames * c->step;
    if (c->time.n)
        contact_histogram_add(&c->time, time);
    if (time < c->tcut * (1 - 1e-9))
        return;
    c->frames[l->i] += l->frames;
    c->lives[l->i]++;
    if (!c->verbose || !c->file)
        return;
    contact_partners(c, l->i, l->j, l->bridge);
    fprintf(c->file, " LASTED %12.4f UNTIL %12.4f\n", time,
            c->start + (double)(l->first + l->frames - 1) * c->step);
}

/* One frame alone: each is told with its geometry. */
static void contact_single(struct contacts *c, const struct contact *found, int n)
{
    for (int k = 0; k < n; k++) {
        c->frames[found[k].i]++;
        if (!c->verbose || !c->file)
            continue;
        contact_partners(c, found[k].i, found[k].j, found[k].bridge);
        if (!c->bridge)
            fprintf(c->file, " DISTANCE %8.4f", found[k].length);
        if (!c->bridge && c->hydrogen)
            fprintf(c->file, " ANGLE %8.2f", found[k].angle);
        fputc('\n', c->file);
    }
}

/* Means over the frames of each atom, and over the atoms. */
static void contact_report(struct contacts *c, long frames)
{
    struct script *s = c->s;
    const struct psf *p = &s->session.in.psf;
    double number = 0, life = 0;
    int atoms = 0;
    for (int i = 0; i < p->natom; i++) {
        if (!c->set[0][i] || !contact_able(&c->rule, i))
            continue;
        double mean = (double)c->frames[i] / (double)frames;
        double time = c->lives[i] ? (double)c->frames[i] * c->step / (double)c->lives[i] : 0;
        atoms++;
        number += mean;
        life += time;
        if (!c->file || !c->frames[i])
            continue;
        contact_name(c->file, &p->atom[i]);
        fprintf(c->file, " NUMBER %10.4f LIFETIME %12.4f\n", mean, time);
    }
    script_result(s, "?NHBOND", number);
    script_result(s, "?AVNOHB", atoms ? number / atoms : 0);
    script_result(s, "?AVHBLF", atoms ? life / atoms : 0);
    if (c->file)
        fprintf(c->file,
                " COOR %s: %.4f OF %d ATOMS IN %ld FRAMES, %.4f EACH, MEAN LIFETIME %.4f PS\n",
                c->hydrogen ? "HBOND" : "CONTACT", number, atoms, frames,
                atoms ? number / atoms : 0, atoms ? life / atoms : 0);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* The file of a unit, at the first task, behind what was written there since OPEN. */
static int contact_open(struct script *s, long unit, FILE **file)
{
    *file = NULL;
    s->at = 1;
    if (unit >= SCRIPT_UNITS || !s->unit[unit])
        return script_bad(s, "no OPEN command has given IUNIT, IRHI or ITHI a file");
    int more = s->written[unit];
    s->written[unit] = 1;
    if (s->comm->rank)
        return 0;
    *file = fopen(s->unit[unit], more ? "a" : "w");
    s->e->mine = !*file;
    return *file ? 0
                 : script_blame(s, err_set(s->e, ERR_RUN, "%s: cannot be written: %s",
                                           s->unit[unit], strerror(errno)));
}

static int contact_close(struct script *s, FILE *file)
{
    if (!file || file == stdout)
        return 0;
    int bad = ferror(file);
    if (!fclose(file) && !bad)
        return 0;
    s->e->mine = 1;
    return script_blame(s, err_set(s->e, ERR_RUN,
                                   "a file of COOR HBOND or CONTACT cannot be "
                                   "written"));
}

static int contact_histogram_write(struct script *s, const struct contact_histogram *h, long unit,
                                   long frames)
{
    FILE *file;
    if (!h->n)
        return 0;
    int status = contact_open(s, unit, &file);
    for (int k = 0; file && k < h->n; k++)
        fprintf(file, " %12.5f %12ld %16.8f\n", ((double)k + (k + 1 < h->n ? 0.5 : 0)) * h->width,
                h->count[k], (double)h->count[k] / (double)frames);
    return status ? status : contact_close(s, file);
}

/* ---- the command ----------------------------------------------------------------------------- */

/* All frames; how many there were: f->taken. */
static int contact_trajectory(struct contacts *c, struct frames *f)
{
    struct script *s = c->s;
    struct contact_lives lives = {.ended = contact_ended, .of = c};
    struct contact *found = NULL;
    size_t room = 0;
    long before = 0;
    int status = frames_open(f);
    while (!status && frames_next(f, &status) > 0) {
        double ps = (double)(f->taken == 1 ? f->file.every : f->step - before) * f->file.dt;
        c->start = f->taken == 1 ? (double)f->step * f->file.dt : c->start;
        c->step = f->taken <= 2 ? ps : c->step;
        before = f->step;
        status = frames_take(f, 0);
        int n = status ? 0 : contact_find(&c->rule, f->x, &found, &room);
        contact_follow(&lives, found, n);
    }
    contact_follow_end(&lives);
    mem_free(found);
    s->at = 1;
    return status ? status : f->taken ? 0 : script_bad(s, frames_none);
}

static int contact_go(struct contacts *c, struct frames *f, int trajectory)
{
    struct script *s = c->s;
    struct contact *found = NULL;
    size_t room = 0;
    int status = 0;
    c->file = s->comm->rank ? NULL : stdout;
    if (c->unit >= 0)
        status = contact_open(s, c->unit, &c->file);
    if (!status && trajectory)
        status = contact_trajectory(c, f);
    else if (!status) {
        status = script_ready(s);
        int n = status ? 0 : contact_find(&c->rule, s->session.in.x, &found, &room);
        contact_single(c, found, n);
        f->taken = 1;
    }
    mem_free(found);
    if (!status)
        contact_report(c, f->taken);
    int closed = contact_close(s, c->file);
    status = status ? status : closed;
    if (!status)
        status = contact_histogram_write(s, &c->length, c->length_unit, f->taken);
    return status ? status : contact_histogram_write(s, &c->time, c->time_unit, f->taken);
}

static void contact_free(struct contacts *c)
{
    mem_free(c->length.count);
    mem_free(c->time.count);
    mem_free(c->frames);
    mem_free(c->lives);
    mem_free(c->donor);
    mem_free(c->bridge);
    mem_free(c->acceptor);
    mem_free(c->set[0]);
    mem_free(c->set[1]);
}

int script_contact(struct script *s)
{
    struct contacts c = {.s = s,
                         .rule = {.cut = 2.4, .angle = -1},
                         .length = {.width = 0.05},
                         .time = {.width = 5},
                         .unit = -1,
                         .length_unit = -1,
                         .time_unit = -1,
                         .length_most = 10,
                         .time_most = 1000,
                         .hydrogen = script_is(s, 1, "HBOND")};
    struct frames f = {.s = s};
    int sets = 0, status = 0;
    for (; sets < 2 && !status && script_selects(s); sets++)
        status = script_select(s, &c.set[sets]);
    int trajectory = script_says(s, "FIRSTUNIT");
    s->at = 1;
    if (!status && sets < 2)
        status = script_bad(s, "it is between two selections");
    if (!status)
        status = frames_words(s, &f, 2, 51);
    if (!status)
        status = contact_bridge_words(s, &c);
    if (!status)
        status = contact_words(s, &c);
    if (!status)
        status = contact_prepare(s, &c);
    if (!status)
        status = contact_go(&c, &f, trajectory);
    frames_close(&f);
    contact_free(&c);
    return status;
}
