/* dcd_read.c - see dcd_read.h; the form of the file: dcd.c. */
#include "dcd_read.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "mem.h"
#include "velocity.h"

enum { DCD_HEAD = 84 };

static uint32_t dcd_turn(uint32_t v)
{
    return v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24;
}

/* Turns n numbers of four or eight bytes into this machine's order. */
static void dcd_order(const struct dcd_reader *r, void *data, size_t n, size_t size)
{
    uint32_t word[2];
    for (char *p = data; r->swapped && n; n--, p += size) {
        memcpy(word, p, size);
        word[0] = dcd_turn(word[0]);
        if (size == 8) {
            uint32_t high = dcd_turn(word[1]);
            word[1] = word[0];
            word[0] = high;
        }
        memcpy(p, word, size);
    }
}

static int dcd_bad(const struct dcd_reader *r, const char *what, struct err *e)
{
    return err_set(e, ERR_INPUT, "%s: %s", r->path, what);
}

/* The length at a record's end, or beginning: 1; 0: the file ends. */
static int dcd_length(struct dcd_reader *r, uint32_t *length)
{
    if (fread(length, sizeof *length, 1, r->file) != 1)
        return 0;
    dcd_order(r, length, 1, sizeof *length);
    return 1;
}

/* A record of `bytes`, which are words of a size: 1; 0: the file ends before its end; -1: it is
 * another one. */
static int dcd_take(struct dcd_reader *r, void *data, size_t bytes, size_t size)
{
    uint32_t before, after;
    if (!dcd_length(r, &before))
        return 0;
    if (before != bytes)
        return -1;
    if (fread(data, 1, bytes, r->file) != bytes || !dcd_length(r, &after))
        return 0;
    dcd_order(r, data, bytes / size, size);
    return after == bytes ? 1 : -1;
}

static int dcd_header(struct dcd_reader *r, struct err *e)
{
    uint32_t length;
    char magic[4];
    int32_t number[20];
    static const char none[] = "this is no trajectory (DCD): its first record is no header";
    if (fread(&length, sizeof length, 1, r->file) != 1)
        return dcd_bad(r, "this is no trajectory (DCD): it is empty", e);
    r->swapped = length == dcd_turn(DCD_HEAD);
    if ((length != DCD_HEAD && !r->swapped) || fread(magic, sizeof magic, 1, r->file) != 1 ||
        fread(number, sizeof number, 1, r->file) != 1 || !dcd_length(r, &length) ||
        length != DCD_HEAD)
        return dcd_bad(r, none, e);
    if (!memcmp(magic, "VELD", sizeof magic))
        return dcd_bad(r, "it has velocities: hmd reads trajectories of coordinates", e);
    if (memcmp(magic, "CORD", sizeof magic))
        return dcd_bad(r, none, e);
    float delta;
    double wide; /* X-PLOR's, which fills two numbers */
    memcpy(&wide, &number[9], sizeof wide);
    dcd_order(r, number, 20, sizeof *number);
    dcd_order(r, &wide, 1, sizeof wide);
    memcpy(&delta, &number[9], sizeof delta);
    int charmm = number[19] != 0;
    r->dt = (charmm ? delta : wide) * VELOCITY_AKMA;
    r->dt = isfinite(r->dt) && r->dt > 0 ? r->dt : 0;
    r->frames = number[0];
    r->first = number[1];
    r->every = number[2] > 0 ? number[2] : 1;
    r->steps = number[3];
    r->freedom = number[7];
    r->fixed = number[8];
    r->boxed = charmm && number[10];
    if (charmm && (number[11] || number[12]))
        return dcd_bad(r, "it has a fourth dimension or charges: hmd does not read such files", e);
    return r->fixed < 0 ? dcd_bad(r, none, e) : 0;
}

/* Titles, which nobody wants, the number of atoms, which has to be `expected` before it gets
 * memory, and which of them move. */
static int dcd_atoms(struct dcd_reader *r, int expected, struct err *e)
{
    uint32_t length, after;
    int32_t natom;
    if (!dcd_length(r, &length) || fseek(r->file, (long)length, SEEK_CUR) ||
        !dcd_length(r, &after) || length != after)
        return dcd_bad(r, "it ends in its titles", e);
    if (dcd_take(r, &natom, sizeof natom, sizeof natom) != 1 || natom < 1 || r->fixed >= natom)
        return dcd_bad(r, "it does not tell how many atoms it has", e);
    if (natom != expected)
        return err_set(e, ERR_INPUT, "%s: it has %d atoms, the structure %d", r->path, natom,
                       expected);
    r->natom = natom;
    r->nfree = natom - r->fixed;
    r->column = mem_new((size_t)natom, sizeof *r->column);
    if (r->nfree == natom)
        return 0;
    r->free = mem_new((size_t)r->nfree, sizeof *r->free);
    r->still = mem_new(3 * (size_t)natom, sizeof *r->still);
    int got = dcd_take(r, r->free, (size_t)r->nfree * sizeof *r->free, sizeof *r->free);
    for (int k = 0; got == 1 && k < r->nfree; k++)
        if (r->free[k] < 1 || r->free[k] > natom)
            got = -1;
        else
            r->free[k]--;
    return got == 1 ? 0 : dcd_bad(r, "its list of atoms that move is damaged", e);
}

int dcd_reader_open(struct dcd_reader *r, const char *path, int natom, struct err *e)
{
    memset(r, 0, sizeof *r);
    r->path = path;
    r->file = fopen(path, "rb");
    if (!r->file)
        return err_set(e, ERR_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    int status = dcd_header(r, e);
    return status ? status : dcd_atoms(r, natom, e);
}

/* One of x, y, z of all atoms, or of those that move. */
static int dcd_column(struct dcd_reader *r, int k, double *x)
{
    int all = !r->free || r->got == 0, n = all ? r->natom : r->nfree;
    int got = dcd_take(r, r->column, (size_t)n * sizeof *r->column, sizeof *r->column);
    for (int i = 0; got == 1 && i < n; i++)
        x[3 * (size_t)(all ? i : r->free[i]) + (size_t)k] = r->column[i];
    return got;
}

int dcd_reader_frame(struct dcd_reader *r, double *x, double box[6], struct err *e)
{
    size_t bytes = 3 * (size_t)r->natom * sizeof *x;
    int got = 1;
    memset(box, 0, 6 * sizeof *box);
    if (r->boxed)
        got = dcd_take(r, box, 6 * sizeof *box, sizeof *box);
    if (r->free && r->got)
        memcpy(x, r->still, bytes);
    for (int k = 0; got == 1 && k < 3; k++)
        got = dcd_column(r, k, x);
    if (got == 1 && r->free && !r->got)
        memcpy(r->still, x, bytes);
    r->got += got == 1;
    if (got < 0)
        err_set(e, ERR_INPUT, "%s: frame %ld is damaged", r->path, r->got + 1);
    return got;
}

void dcd_reader_close(struct dcd_reader *r)
{
    if (r->file)
        fclose(r->file);
    mem_free(r->free);
    mem_free(r->column);
    mem_free(r->still);
    memset(r, 0, sizeof *r);
}

/* ---- boxes ----------------------------------------------------------------------------------- */

static int dcd_has_angles(const struct cell *c, const double angle[3])
{
    double length[3], cosine[3];
    cell_form(c, length, cosine);
    for (int k = 0; k < 3; k++)
        if (!(fabs(acos(cosine[k]) * 180 / M_PI - angle[k]) < 0.5))
            return 0;
    return 1;
}

int dcd_cell(const double box[6], const double angle[3], struct cell *c)
{
    const double length[3] = {box[0], box[2], box[5]}, turn[3] = {box[4], box[3], box[1]};
    double degrees[3];
    int cosines = 1;
    for (int k = 0; k < 3; k++) {
        cosines &= fabs(turn[k]) < 1;
        degrees[k] = turn[k] == 0 ? 90 : acos(turn[k]) * 180 / M_PI;
    }
    if (cosines && cell_make(c, length, degrees) && dcd_has_angles(c, angle))
        return 1;
    if (cell_make(c, length, turn) && dcd_has_angles(c, angle))
        return 1;
    if (!(length[0] > 0 && length[1] > 0 && length[2] > 0))
        return 0;
    cell_set(c, length, turn); /* xx, xy, yy, xz, yz, zz */
    return cell_volume(c) > 0 && dcd_has_angles(c, angle);
}
