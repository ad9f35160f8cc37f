/* draw_blocks.c - the colours of blocks in a timing diagram, and their legend.
 *
 * Blocks are coloured by what they are parts of: the messages of a multiple multicast, the
 * contributions of an allgather, or else by themselves. Where there are more of these than colours,
 * neighbours share a colour, and so do the segments of one part; later ones are paler.
 */
#include "model/draw_canvas.h"

enum { LEGEND_LEFT = 12, LEGEND_WIDTH = 992, SWATCH = 10 }; /* pixels */
#define PALEST 0.55 /* of the last block of a group: still visible on white */

static int part_count(const struct plan *plan)
{
    return plan->block_count > 0 ? plan->blocks[plan->block_count - 1].part + 1 : 0;
}

static bool has_parts(const struct plan *plan)
{
    return part_count(plan) > 1;
}

/* Parts or blocks that have to be coloured. */
static int unit_count(const struct plan *plan)
{
    return has_parts(plan) ? part_count(plan) : plan->block_count;
}

/* As many groups as colours at most. */
static int group_count(const struct plan *plan)
{
    int units = unit_count(plan);
    return units < PICTURE_COLOURS ? units : PICTURE_COLOURS;
}

/* The first unit of a group. Rounded so that group_begin() is the inverse of the group of a unit.
 */
static int group_begin(const struct plan *plan, int group)
{
    int groups = group_count(plan);
    return (int)(((int64_t)group * unit_count(plan) + groups - 1) / groups);
}

/* The first block of a unit; of the one after the last, the number of blocks. */
static int unit_begin(const struct plan *plan, int unit)
{
    return has_parts(plan) ? plan->part_first[unit] : unit;
}

static const char *colour_of_block(const struct plan *plan, int block,
                                   char text[PICTURE_COLOUR_ROOM])
{
    int unit = has_parts(plan) ? plan->blocks[block].part : block;
    int group = (int)((int64_t)unit * group_count(plan) / unit_count(plan));
    int first = unit_begin(plan, group_begin(plan, group));
    int count = unit_begin(plan, group_begin(plan, group + 1)) - first;
    return picture_colour(group, count > 1 ? PALEST * (block - first) / (count - 1) : 0, text);
}

const char *draw_colour(const struct plan *plan, const struct plan_step *step,
                        char text[PICTURE_COLOUR_ROOM])
{
    return step->count > 0 ? colour_of_block(plan, plan->lists[step->list], text)
                           : picture_colour(0, 0, text);
}

/* Of a multiple multicast a part is a message. */
void draw_block_name(const struct drawing *drawing, int block, FILE *file)
{
    const struct plan *plan = drawing->plan;
    int part = plan->blocks[block].part, first = plan->part_first[part];
    if (!drawing->messages)
        fprintf(file, "block %d", block);
    else if (plan->part_first[part + 1] - first == 1)
        fprintf(file, "message %d", part);
    else
        fprintf(file, "message %d, segment %d", part, block - first);
}

static void put_swatch(const char *colour, int x, FILE *file)
{
    fprintf(file, "<rect x='%d' y='%d' width='%d' height='%d' fill='%s'/>", x,
            DRAW_BLOCKS_Y - SWATCH + 1, SWATCH, SWATCH, colour);
}

/* "block 3", "blocks 3-8", "message 2", "messages 2-4"; where parts have several blocks but are no
 * messages, their blocks. */
static void put_group_name(const struct drawing *drawing, int group, FILE *file)
{
    const struct plan *plan = drawing->plan;
    int first = group_begin(plan, group), last = group_begin(plan, group + 1) - 1;
    if (!drawing->messages) {
        last = unit_begin(plan, last + 1) - 1;
        first = unit_begin(plan, first);
    }
    const char *what = drawing->messages ? "message" : "block";
    if (first == last)
        fprintf(file, "%s %d", what, first);
    else
        fprintf(file, "%ss %d-%d", what, first, last);
}

void draw_block_legend(const struct drawing *drawing, FILE *file)
{
    const struct plan *plan = drawing->plan;
    int groups = group_count(plan);
    for (int group = 0; group < groups; group++) {
        char text[PICTURE_COLOUR_ROOM];
        int x = LEGEND_LEFT + LEGEND_WIDTH / PICTURE_COLOURS * group;
        int first = unit_begin(plan, group_begin(plan, group));
        int last = unit_begin(plan, group_begin(plan, group + 1)) - 1;
        if (last < first)
            continue; /* parts without data */
        put_swatch(colour_of_block(plan, first, text), x, file);
        if (last > first)
            put_swatch(colour_of_block(plan, last, text), x + SWATCH, file);
        fprintf(file, "<text x='%d' y='%d' fill='" PICTURE_SOFT "'>", x + SWATCH * 2 + 4,
                DRAW_BLOCKS_Y);
        put_group_name(drawing, group, file);
        fputs("</text>\n", file);
    }
}
