/* mpi_file_view.c - maps the stream of a view to places in the file (mpi_file.h).
 *
 * A filetype repeats without end from the displacement on (MPI 4.1, 14.3). Its pieces are listed
 * once, so a place is found by division and binary search.
 *
 * Making a view costs O(pieces) time and memory, once. A dense filetype is one piece, whatever
 * its length, and a view of one piece without gaps needs no search at all.
 */
#include "file/mpi_file.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- pieces --------------------------------------------------------------------------------- */

/* The list of pieces under construction. */
struct making {
    struct file_view *view;
    size_t room;
    bool writes; /* bytes must not occur twice */
    const char *why;
};

/* MPI 4.1, 14.3 demands displacements that do not descend, and no overlaps if the file is written.
 * A piece that continues the previous one extends it. */
static bool add_piece(struct making *m, MPI_Offset at, MPI_Offset bytes)
{
    struct file_view *v = m->view;
    struct file_piece *last = v->piece_count > 0 ? &v->pieces[v->piece_count - 1] : NULL;

    /* Readers may list bytes twice, as reading does not change them. */
    if (at < 0 || (last && at < last->at + (m->writes ? last->bytes : 0))) {
        m->why = "the filetype has displacements that are negative, overlap or descend";
        return false;
    }
    v->bytes += bytes;
    if (last && at == last->at + last->bytes) {
        last->bytes += bytes;
        return true;
    }
    /* Doubles, so the cost is linear in the number of pieces. */
    if (v->piece_count == m->room) {
        size_t room = 2 * m->room + 4;
        struct file_piece *more = realloc(v->pieces, room * sizeof *more);
        m->why = "out of memory";
        if (!more)
            return false;
        v->pieces = more;
        m->room = room;
    }
    v->pieces[v->piece_count++] = (struct file_piece){at, v->bytes - bytes, bytes};
    return true;
}

/* Expands rows and repetitions: a view needs memory in proportion to its pieces. */
static bool add_blocks(struct making *m, const struct mpi_type *t)
{
    for (size_t n = 0; n < t->times; n++)
        for (size_t k = 0; k < t->block_count; k++) {
            const struct type_block *b = &t->blocks[k];
            MPI_Aint at = (MPI_Aint)n * t->stride + b->at;
            for (size_t i = 0; i < b->count; i++, at += b->stride)
                /* Negative or descending displacements are found by add_piece(). */
                if (b->bytes > 0 && !add_piece(m, at, (MPI_Offset)b->bytes))
                    return false;
        }
    return true;
}

/* ---- making --------------------------------------------------------------------------------- */

/* The bytes in the file of `count` elements in memory. */
MPI_Offset file_view_size(const struct file_view *v, const struct mpi_type *t, size_t count)
{
    return v->external ? (MPI_Offset)external_size(t, count * t->elements, EXTERNAL_32)
                       : (MPI_Offset)count * t->size;
}

/* "internal" is the same as "native" here. */
static bool datarep_set(struct file_view *v, const char *datarep)
{
    if (!datarep || (strcmp(datarep, "native") != 0 && strcmp(datarep, "internal") != 0 &&
                     strcmp(datarep, "external32") != 0))
        return false;
    /* The name as it was given, for MPI_File_get_view(). */
    snprintf(v->datarep, sizeof v->datarep, "%s", datarep);
    v->external = strcmp(datarep, "external32") == 0;
    return true;
}

/* True if each basic element has the same length in the file as in memory. Otherwise positions in
 * memory and in the file cannot be converted by a factor. */
static bool same_sizes(const struct mpi_type *t)
{
    /* O(units). `long` is the usual type that fails this test. */
    for (size_t i = 0; i < t->unit_count; i++)
        if (t->units[i].basic->size != t->units[i].basic->external)
            return false;
    return true;
}

/* Fills in the pieces of one filetype, and its extent. False: m->why says what is wrong. */
static bool list_pieces(struct making *m)
{
    struct file_view *v = m->view;
    const struct mpi_type *t = v->filetype;

    v->extent = type_extent(t);
    if (v->external && !same_sizes(t)) { /* without gaps: as long as the data */
        v->extent = file_view_size(v, t, 1);
        return add_piece(m, 0, v->extent);
    }
    return t->dense ? t->size == 0 || add_piece(m, t->true_lb, t->size) : add_blocks(m, t);
}

/* Returns MPI_SUCCESS, or an error class; *why describes it. The view is to be freed in any
 * case. */
int file_view_make(struct file_view *v, MPI_Offset disp, struct mpi_type *etype,
                   struct mpi_type *filetype, const char *datarep, bool writes, const char **why)
{
    struct making m = {v, 0, writes, ""};

    *v = (struct file_view){.disp = disp, .etype = etype, .filetype = filetype};
    /* Before any error, since file_view_free() drops both. */
    object_hold(etype);
    object_hold(filetype);
    *why = "the data representation is none of native, internal and external32";
    if (!datarep_set(v, datarep))
        return MPI_ERR_UNSUPPORTED_DATAREP;
    *why = "external32 needs a filetype without gaps where lengths of elements differ";
    if (v->external && !same_sizes(filetype) && !type_is_plain(filetype, 2))
        return MPI_ERR_UNSUPPORTED_DATAREP;
    /* The etype's bytes may differ between memory and file. */
    v->unit = file_view_size(v, etype, 1);
    *why = "the filetype is not made of whole etypes";
    /* An etype without data would allow no position. */
    if (v->unit == 0 || file_view_size(v, filetype, 1) % v->unit != 0)
        return MPI_ERR_TYPE;
    if (!list_pieces(&m)) { /* the error class that programs expect */
        *why = m.why;
        return MPI_ERR_IO;
    }
    return MPI_SUCCESS;
}

void file_view_free(struct file_view *v)
{
    free(v->pieces);
    if (v->etype)
        object_drop(v->etype);
    if (v->filetype)
        object_drop(v->filetype);
    /* So that it may be freed again. */
    *v = (struct file_view){0};
}

/* ---- places --------------------------------------------------------------------------------- */

/* Finds the last piece that begins at or before a byte of the stream. The list must not be
 * empty. */
static const struct file_piece *piece_of(const struct file_view *v, MPI_Offset data)
{
    size_t low = 0, high = v->piece_count;

    /* pieces[low].data <= data < pieces[high].data, if `high` is in the list. */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (v->pieces[middle].data <= data)
            low = middle;
        else
            high = middle;
    }
    return &v->pieces[low];
}

/* The place in the file of byte `data` of the view; *run is how many bytes follow without a gap. */
MPI_Offset file_view_place(const struct file_view *v, MPI_Offset data, MPI_Offset *run)
{
    if (v->bytes == 0) { /* the view is empty */
        *run = 0;
        return v->disp;
    }
    if (v->piece_count == 1 && v->bytes == v->extent) { /* no gaps */
        *run = INT64_MAX;
        return v->disp + v->pieces[0].at + data;
    }
    /* Whole filetypes are skipped by division; the rest is searched in one filetype. */
    MPI_Offset within = data % v->bytes;
    const struct file_piece *p = piece_of(v, within);
    *run = p->data + p->bytes - within;
    /* Filetypes before this one, the piece, and the place in the piece. */
    return v->disp + data / v->bytes * v->extent + p->at + (within - p->data);
}

/* An incomplete etype at the end counts as one, hence the rounding up. */
MPI_Offset file_view_etypes(const struct file_view *v, MPI_Offset file_bytes)
{
    if (v->bytes == 0 || file_bytes <= v->disp + v->pieces[0].at)
        return 0;
    MPI_Offset left = file_bytes - v->disp - v->pieces[0].at;
    MPI_Offset before = v->extent > 0 ? left / v->extent : 0; /* complete filetypes */
    MPI_Offset within = left - before * v->extent, data = before * v->bytes;
    /* O(pieces): only MPI_SEEK_END needs it. */
    for (size_t i = 0; i < v->piece_count; i++) {
        MPI_Offset here = within - (v->pieces[i].at - v->pieces[0].at);
        if (here <= 0)
            break;
        data += here < v->pieces[i].bytes ? here : v->pieces[i].bytes;
    }
    return (data + v->unit - 1) / v->unit;
}
