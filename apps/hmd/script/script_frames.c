/* script_frames.c - see script_frames.h. */
#include "script_frames.h"

#include <math.h>
#include <string.h>

#include "mem.h"

const char frames_none[] = "no frame has a step from BEGIN to STOP that SKIP divides";

int frames_words(struct script *s, struct frames *f, int from, long unit)
{
    *f = (struct frames){
        .s = s, .unit = unit, .units = 1, .begin = -1, .stop = -1, .skip = 1, .at = -1};
    const struct script_key key[] = {
        {"FIRSTUNIT", .count = &f->unit}, {"IREAD", .count = &f->unit},
        {"NUNIT", .count = &f->units},    {"NREAD", .count = &f->units},
        {"BEGIN", .count = &f->begin},    {"STOP", .count = &f->stop},
        {"SKIP", .count = &f->skip},      {"NSKIP", .count = &f->skip}};
    if (script_cut_keys(s, from, key, sizeof key / sizeof *key))
        return ERR_INPUT;
    f->skip = f->skip < 1 ? 1 : f->skip;
    f->units = f->units < 1 ? 1 : f->units;
    return 0;
}

/* What the first task tells all others beside the places. */
enum { FRAMES_STATE, FRAMES_STEP, FRAMES_BOX, FRAMES_HEAD = FRAMES_BOX + 6 };

/* The first task has failed: it tells why, all others know that it does. */
static int frames_failed(struct frames *f)
{
    struct script *s = f->s;
    s->e->common = s->comm->size > 1;
    if (s->comm->rank)
        return err_set(s->e, ERR_INPUT, "%s", "");
    return script_blame(s, ERR_INPUT);
}

/* The file of the unit at hand; its header comes to all tasks. */
static int frames_file(struct frames *f)
{
    struct script *s = f->s;
    struct dcd_reader *r = &f->file;
    const char *path = s->unit[f->unit + f->at];
    double head[] = {0, 0, 0, 0, 0, 0, 0, 0};
    if (s->comm->rank == 0) {
        dcd_reader_close(r);
        int status = dcd_reader_open(r, path, s->session.in.psf.natom, s->e);
        const double own[] = {status,
                              (double)r->frames,
                              (double)r->first,
                              (double)r->every,
                              (double)r->steps,
                              r->freedom,
                              r->dt,
                              r->boxed};
        memcpy(head, own, sizeof head);
    }
    int status = comm_tell(s->comm, head, sizeof head / sizeof *head, s->e);
    if (status || head[0] != 0)
        return status ? script_blame(s, status) : frames_failed(f);
    r->path = path;
    r->frames = (long)head[1];
    r->first = (long)head[2];
    r->every = (long)head[3];
    r->steps = (long)head[4];
    r->freedom = (int)head[5];
    r->dt = head[6];
    r->boxed = head[7] != 0;
    if (s->comm->rank)
        r->got = 0;
    return 0;
}

int frames_open(struct frames *f)
{
    struct script *s = f->s;
    s->at = 0;
    if (f->unit < 0)
        return script_bad(s, "expected FIRSTU and the unit of the first trajectory");
    for (long k = 0; k < f->units; k++)
        if (f->unit + k >= SCRIPT_UNITS || !s->unit[f->unit + k])
            return script_bad(s, "no OPEN command has given a unit of FIRSTU, NUNIT a file");
    int status = script_blame(s, script_load_structure(s));
    if (status)
        return status;
    f->message = mem_new(FRAMES_HEAD + 3 * (size_t)s->session.in.psf.natom, sizeof *f->message);
    f->x = f->message + FRAMES_HEAD;
    f->at = 0;
    return frames_file(f);
}

/* The next frame of the file at hand, wanted or not: its state is that of dcd_reader_frame(). */
static int frames_read(struct frames *f, int *status)
{
    struct script *s = f->s;
    double *m = f->message;
    if (s->comm->rank == 0) {
        m[FRAMES_STATE] = dcd_reader_frame(&f->file, f->x, m + FRAMES_BOX, s->e);
        m[FRAMES_STEP] = (double)(f->file.first + (f->file.got - 1) * f->file.every);
    }
    *status = comm_tell(s->comm, m, FRAMES_HEAD, s->e);
    if (!*status && m[FRAMES_STATE] < 0)
        *status = frames_failed(f);
    if (*status)
        return -1;
    f->step = (long)m[FRAMES_STEP];
    memcpy(f->box, m + FRAMES_BOX, sizeof f->box);
    return m[FRAMES_STATE] > 0;
}

int frames_next(struct frames *f, int *status)
{
    for (;;) {
        int got = frames_read(f, status);
        if (got < 0)
            return -1;
        int over = got == 0 || (f->stop >= 0 && f->step > f->stop);
        if (over && f->at + 1 == f->units)
            return 0;
        if (over) { /* a later file may begin again */
            f->at++;
            *status = frames_file(f);
            if (*status)
                return -1;
            continue;
        }
        if (f->step < f->begin || f->step % f->skip)
            continue;
        *status = comm_tell(f->s->comm, f->x, 3 * (size_t)f->s->session.in.psf.natom, f->s->e);
        f->taken++;
        return *status ? -1 : 1;
    }
}

/* The frame's box becomes the crystal. */
static int frames_box(struct frames *f)
{
    struct script *s = f->s;
    struct cell cell, *own = &s->session.in.system.cell;
    double cosine[3];
    if (!f->file.boxed || own->box[0] <= 0)
        return 0;
    s->at = 0;
    if (!dcd_cell(f->box, s->o.angle, &cell))
        return script_bad(s, "the box of a frame has other angles than the crystal: CRYSTAL FREE "
                             "before it, or CRYSTAL DEFINE as it is");
    *own = cell;
    cell_form(&cell, s->o.box, cosine);
    script_box_results(s, &cell);
    return 0;
}

int frames_take(struct frames *f, int comp)
{
    struct script *s = f->s;
    if (comp)
        script_compare(s);
    else
        s->placed = 1;
    memcpy(comp ? s->compare.x : s->session.in.x, f->x,
           3 * (size_t)s->session.in.psf.natom * sizeof *f->x);
    return comp ? 0 : frames_box(f);
}

void frames_close(struct frames *f)
{
    dcd_reader_close(&f->file);
    mem_free(f->message);
    f->message = f->x = NULL;
}
