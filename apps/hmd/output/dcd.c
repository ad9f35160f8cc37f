/* dcd.c - see dcd.h.
 *
 * Fortran's unformatted records: a 4-byte length, the data, the length again.  Header: "CORD" and
 * 20 integers (frames, first step, steps between frames, steps, ..., degrees of freedom at 8, time
 * step as a float in AKMA units at 10, box flag at 11, CHARMM's version at 20); titles; number of
 * atoms.  Each frame: the box, if any, as six doubles (A, gamma, B, beta, alpha, C; angles as
 * cosines), then x, y and z as floats.  Byte order is the machine's, as usual for this format:
 * readers detect it by the first length.  Source: CHARMM's dynio.src; VMD's dcdplugin.
 *
 * The number of frames in the header must be right after each frame, for readers of a running
 * trajectory. So the header is written again with every frame.
 */
#include "dcd.h"

#include <stdint.h>
#include <string.h>

#include "mem.h"
#include "velocity.h"

enum { DCD_TITLE = 80, DCD_VERSION = 24 }; /* characters of a line; CHARMM's version 24 */

/* Errors of fwrite() are found when the file is committed or closed. bytes must be below 2^31,
 * which holds for 500 million atoms. */
static void dcd_record(FILE *file, const void *data, size_t bytes)
{
    uint32_t length = (uint32_t)bytes;
    fwrite(&length, sizeof length, 1, file);
    fwrite(data, 1, bytes, file);
    fwrite(&length, sizeof length, 1, file);
}

/* Writes the first record; repeated when the number of frames has changed. The header is as long
 * each time, so the frames behind it stay. The position in the file is behind it afterwards. */
static void dcd_header(struct dcd *d)
{
    struct {
        char magic[4];
        int32_t number[20];
    } head = {.magic = {'C', 'O', 'R', 'D'}};
    float dt = (float)(d->dt / VELOCITY_AKMA);
    /* CHARMM's control numbers: frames, first step, interval, ... */
    head.number[0] = d->frames;
    head.number[1] = (int32_t)d->first;
    head.number[2] = (int32_t)d->every;
    /* Also an estimate for readers that expect the number of steps. */
    head.number[3] = (int32_t)(d->frames * d->every);
    head.number[7] = d->freedom;
    memcpy(&head.number[9], &dt, sizeof dt);
    head.number[10] = d->boxed;
    head.number[19] = DCD_VERSION;
    rewind(d->out.file);
    dcd_record(d->out.file, &head, sizeof head);
}

/* A title has 80 characters, without a terminating zero. The number of atoms follows as a record of
 * its own. */
static void dcd_titles(struct dcd *d)
{
    struct {
        int32_t lines;
        char line[DCD_TITLE];
    } title = {.lines = 1};
    int32_t natom = d->natom;
    memset(title.line, ' ', sizeof title.line);
    memcpy(title.line, "* WRITTEN BY HMD", 16);
    dcd_record(d->out.file, &title, sizeof title);
    dcd_record(d->out.file, &natom, sizeof natom);
}

/* After an error dcd_close() frees what was made. */
int dcd_open(struct dcd *d, const char *path, struct err *e)
{
    d->column = mem_new((size_t)d->natom, sizeof *d->column);
    if (!err_create(&d->out, path, e))
        return ERR_RUN;
    dcd_header(d);
    dcd_titles(d);
    return 0;
}

/* The file is flushed with each frame, so a run that is killed leaves whole frames. An error of
 * writing is found here at the latest. */
int dcd_frame(struct dcd *d, const double *x, const struct cell *cell, struct err *e)
{
    double a[3], cosine[3];
    cell_form(cell, a, cosine);
    /* The order of CHARMM's files: a, cos gamma, b, cos beta, cos alpha, c. */
    const double box[6] = {a[0], cosine[2], a[1], cosine[1], cosine[0], a[2]};
    /* Without a box readers expect no such record. */
    if (d->boxed)
        dcd_record(d->out.file, box, sizeof box);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < d->natom; i++)
            /* Floats are exact to 1e-5 Angstrom in a box of 100. */
            d->column[i] = (float)x[3 * i + k];
        dcd_record(d->out.file, d->column, (size_t)d->natom * sizeof *d->column);
    }
    d->frames++;
    dcd_header(d);
    /* The header was written over, so the position must be set again. */
    fseek(d->out.file, 0, SEEK_END);
    return err_of(replace_commit(&d->out), e);
}

/* After a failure without any frame, the old file remains. Also for a dcd that was never opened. */
int dcd_close(struct dcd *d, int failed, struct err *e)
{
    int status = 0;
    if (d->out.file)
        status = err_of(replace_close(&d->out, failed && !d->frames ? HN_EARG : HN_OK), e);
    mem_free(d->column);
    memset(d, 0, sizeof *d);
    return status;
}
