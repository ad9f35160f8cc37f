/* net_draw.c - draws the map of a network as SVG.
 *
 * A subnet is a box with its name, medium, multicast, latency and rate, uplink, and its hosts on a
 * rail.  A thick rail is a bus; a thin one with a square is a switch; a dashed one is unknown.
 * Lines between boxes are routes between subnets, wider for higher rates, with latency and rate.
 * With more than a few subnets only the edges of the minimum spanning tree (Prim, by latency) have
 * labels, and the others are faint; with very many subnets no lines are drawn.  Lines that several
 * routes share are listed below.  Names and labels are drawn last, on a white margin, so that no
 * line crosses them. Memory is O(hosts + subnets). The drawing is in one pass over the layers, from
 * the back to the front: routes, boxes with rails, the caller's layer, hosts and texts, labels.
 * net_layout.c decides where the boxes and labels are.
 */
#include "net/net.h"
#include "net/net_layout.h"
#include "net/net_show.h"
#include "net/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sizes are in pixels. */
enum {
    BOXES_MOST = 400, /* subnets drawn at most */
    LINES_MOST = 16,  /* lines are drawn between at most this many subnets */
    LABELS_ALL = 6,   /* up to this many subnets every line has a label */
    TILES_MOST = 24,  /* hosts drawn in a box at most */
    COLUMNS = 4,
    TILE_W = 92, /* width of a host, with the gap: 12 letters of its name */
    TILE_H = 38, /* height: its name, and a line with S and R */
    PORT_H = 12, /* added where a host's port is shown */
    ROW_GAP = 24,
    HEAD_H = 48,       /* top of a box: its name, medium and rate, above the rail */
    PAD = 14,          /* between a box's edge and its hosts */
    MARGIN = 30,       /* of the page */
    TITLE_H = 64,      /* of the page: two lines of text */
    WIDTH_LEAST = 560, /* room for the legend */
    HEAD_LETTER = 12,  /* width of a letter of the title: bold, 20 pixels */
    LABEL_H = 20,
    DROP = 14, /* from a rail to its hosts */
};

/* One map. Boxes of subnets come first in taken[], then labels, so that labels avoid both. taken[]
 * has room for all boxes and one label for each two subnets with lines; ntaken counts both. */
struct map {
    const hn_net *net;
    FILE *file;
    int n;      /* subnets drawn */
    int tile_h; /* height of a host */
    struct layout_box *taken;
    int ntaken;
    /* Centre and size of each host's tile, set by put_rails() and used by put_hosts() and the
     * caller's layer. */
    struct net_place *place; /* [host] */
};

/* Text is escaped; `class` is one of the style sheet's (put_head()). */
static void put_text(FILE *file, double x, double y, const char *class, const char *text)
{
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class);
    picture_text(file, text);
    fputs("</text>\n", file);
}

/* Width is in pixels; `class` gives the colour and dashes. */
static void put_line(FILE *file, double x1, double y1, double x2, double y2, const char *class,
                     double width)
{
    fprintf(file,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\" "
            "stroke-width=\"%.1f\"/>\n",
            x1, y1, x2, y2, class, width);
}

/* x and y are the upper left corner; `round` is the radius of the corners. */
static void put_rect(FILE *file, double x, double y, double w, double h, double round,
                     const char *class)
{
    fprintf(file,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\" "
            "class=\"%s\"/>\n",
            x, y, w, h, round, class);
}

/* ---- boxes -------------------------------------------------------------------------------- */

/* A site's uplink is written in the box of each of its subnets, since a site has no box. */
static bool has_site_uplink(const hn_net *net, const struct net_subnet *subnet)
{
    return subnet->site >= 0 && net->site[subnet->site].has_uplink;
}

/* Very large subnets show some of their hosts, and the number of the others. */
static int shown_hosts(const struct net_subnet *subnet)
{
    return subnet->count < TILES_MOST ? subnet->count : TILES_MOST;
}

/* A port without a gap is no limit, and is not shown. */
static bool has_port(const hn_host_cost *cost)
{
    return cost->send_gap || cost->recv_gap;
}

/* Decides once for the whole map whether tiles have a third line, so that all rows are equally
 * high. */
static bool has_ports(const hn_net *net)
{
    for (int i = 0; i < net->n; i++)
        if (has_port(hn_net_host(net, i)))
            return true;
    return false;
}

/* The height depends on the rows of hosts, and on what is written below them. */
static void size_box(const struct map *map, const struct net_subnet *subnet, struct layout_box *box)
{
    const hn_net *net = map->net;
    int shown = shown_hosts(subnet), columns = shown < COLUMNS ? shown : COLUMNS;
    box->w = 2 * PAD + columns * TILE_W;
    box->h = HEAD_H + (double)((shown + COLUMNS - 1) / COLUMNS) * (map->tile_h + ROW_GAP) + PAD;
    /* Less than this, and the line with medium, latency and rate would not fit into the box. */
    if (box->w < 200)
        box->w = 200;
    if (subnet->count > shown)
        box->h += LABEL_H;
    if (subnet->has_uplink)
        box->h += LABEL_H;
    if (has_site_uplink(net, subnet))
        box->h += LABEL_H;
}

/* Writes text, in smaller letters if it has more than `full`. */
static void put_fitting(FILE *file, double x, double y, const char *class, const char *text,
                        double size, int full)
{
    int length = (int)strlen(text);
    size = length > full ? size * full / length : size;
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\" style=\"font-size:%.1fpx\">", x, y,
            class, size);
    picture_text(file, text);
    fputs("</text>\n", file);
}

/* Writes a host's name, with its middle omitted if it is very long. */
static void put_host_name(FILE *file, double x, double y, const char *name)
{
    /* Letters that fit into a tile: FULL at 12 pixels, NAME_MOST at 6.5. */
    enum { FULL = 12, NAME_MOST = 22 };
    char text[NAME_MOST + 4];
    size_t length = strlen(name), half = NAME_MOST / 2;
    if (length > NAME_MOST)
        snprintf(text, sizeof text, "%.*s...%s", (int)half - 1, name, name + length - half + 1);
    else
        snprintf(text, sizeof text, "%s", name);
    put_fitting(file, x, y, "name", text, 12, FULL);
}

/* Writes the rates of a host's port, as short as possible. */
static void put_port(FILE *file, const hn_host_cost *cost, double x, double y, double size,
                     int full)
{
    char out[UNITS_TEXT], in[UNITS_TEXT], text[2 * UNITS_TEXT + 16];
    /* The unit is written once if both rates have the same one. */
    units_rate(out, cost->send_gap);
    units_rate(in, cost->recv_gap);
    const char *unit = strrchr(out, ' '), *same = strrchr(in, ' ');
    if (!cost->send_gap || !cost->recv_gap)
        snprintf(text, sizeof text, "%s %s", cost->send_gap ? "out" : "in",
                 cost->send_gap ? out : in);
    else if (strcmp(out, in) == 0)
        snprintf(text, sizeof text, "port %s", out);
    else if (unit && same && strcmp(unit, same) == 0)
        snprintf(text, sizeof text, "port %.*s / %s", (int)(unit - out), out, in);
    else
        snprintf(text, sizeof text, "port %s / %s", out, in);
    put_fitting(file, x, y, "tiny", text, size, full);
}

/* The name, S and R, and the port, as far as they are known. */
static void put_host(const struct map *map, int host, double x, double y)
{
    enum { FULL = 16 };             /* letters that fit into a tile ... */
    static const double tiny = 8.5; /* ... at this font size, pixels */
    const hn_host_cost *cost = hn_net_host(map->net, host);
    char s[UNITS_TEXT], r[UNITS_TEXT], text[2 * UNITS_TEXT + 16];
    put_rect(map->file, x + 4, y, TILE_W - 8, map->tile_h, 5,
             map->net->host[host].line.standby ? "host standby" : "host");
    put_host_name(map->file, x + TILE_W / 2.0, y + 16, hn_net_host_name(map->net, host));
    /* Hosts without costs, as in a plain hosts file, show their names only. */
    snprintf(text, sizeof text, "S %s R %s", units_time(s, cost->send_const),
             units_time(r, cost->recv_const));
    if (cost->send_const || cost->recv_const)
        put_fitting(map->file, x + TILE_W / 2.0, y + 30, "tiny", text, tiny, FULL);
    if (has_port(cost))
        put_port(map->file, cost, x + TILE_W / 2.0, y + 30 + PORT_H, tiny, FULL);
}

/* Draws the rails of a subnet's box, one for each row of hosts, joined at the left. Also stores the
 * places of all hosts: those beyond shown_hosts() share the place of the text "and N more". */
static void put_rails(const struct map *map, const struct net_subnet *subnet,
                      const struct layout_box *box)
{
    static const char *const rail[] = {"rail unknown", "rail bus", "rail switch"};
    double thick = subnet->medium == HN_MEDIUM_BUS ? 5 : 1.5;
    double left = box->x - box->w / 2, top = box->y - box->h / 2 + HEAD_H;
    int row_h = map->tile_h + ROW_GAP, shown = shown_hosts(subnet);
    const char *class = rail[subnet->medium];
    /* A host's column is its number modulo COLUMNS. The first of each row draws the row's rail. */
    for (int i = 0; i < shown; i++) {
        double x = left + PAD + (i % COLUMNS + .5) * TILE_W;
        double y = top + (double)(i / COLUMNS) * row_h;
        if (i % COLUMNS == 0)
            put_line(map->file, left + 7, y, left + box->w - 7, y, class, thick);
        put_line(map->file, x, y, x, y + DROP, class, 1.5);
        map->place[subnet->host[i]] =
            (struct net_place){x, y + DROP + map->tile_h / 2.0, TILE_W - 8, map->tile_h};
    }
    /* The bar at the left joins the rails of several rows: they are one medium. */
    int rows = (shown + COLUMNS - 1) / COLUMNS;
    put_line(map->file, left + 8, top, left + 8, top + (rows - 1.0) * row_h, class, thick);
    if (subnet->medium == HN_MEDIUM_SWITCH)
        put_rect(map->file, box->x - 9, top - 7, 18, 14, 2, "box-switch");
    for (int i = shown; i < subnet->count; i++)
        map->place[subnet->host[i]] =
            (struct net_place){box->x, top + rows * row_h + DROP, TILE_W, LABEL_H};
}

/* Draws the hosts of a subnet at their places. */
static void put_hosts(const struct map *map, const struct net_subnet *subnet)
{
    int shown = shown_hosts(subnet);
    for (int i = 0; i < shown; i++) {
        const struct net_place *place = &map->place[subnet->host[i]];
        put_host(map, subnet->host[i], place->x - TILE_W / 2.0, place->y - map->tile_h / 2.0);
    }
    if (subnet->count > shown) {
        const struct net_place *place = &map->place[subnet->host[shown]];
        char more[32];
        snprintf(more, sizeof more, "and %d more", subnet->count - shown);
        put_text(map->file, place->x, place->y, "small", more);
    }
}

/* Draws the shared uplink at the bottom of a box. Latency and rate are written only where they are
 * not 0. */
static void put_uplink(FILE *file, const char *of, hn_pair_cost cost, double x, double bottom)
{
    char latency[UNITS_TEXT], rate[UNITS_TEXT], text[2 * UNITS_TEXT + 80];
    snprintf(text, sizeof text, "uplink %.40s%s%s%s%s", of, *of ? ": " : "",
             cost.latency ? units_time(latency, cost.latency) : "",
             cost.latency && cost.per_byte ? ", " : "",
             cost.per_byte ? units_rate(rate, cost.per_byte) : "");
    put_text(file, x, bottom - 8, "small", text);
}

/* The site's uplink is below the subnet's. */
static void put_uplinks(const struct map *map, const struct net_subnet *subnet, double x,
                        double bottom)
{
    bool has_site = has_site_uplink(map->net, subnet);
    if (has_site)
        put_uplink(map->file, map->net->site[subnet->site].name,
                   map->net->site[subnet->site].uplink, x, bottom);
    if (subnet->has_uplink)
        put_uplink(map->file, "", subnet->uplink, x, has_site ? bottom - LABEL_H : bottom);
}

/* Writes medium, multicast, latency and rate, as far as they are known. */
static void put_medium(const struct map *map, int s, double x, double y)
{
    /* Indexed by hn_medium; unknown is left out. */
    static const char *const media[] = {"", "bus", "switch"};
    const struct net_subnet *subnet = &map->net->subnet[s];
    hn_pair_cost cost = net_inside(map->net, s);
    bool pair = subnet->count > 1;
    char latency[UNITS_TEXT], rate[UNITS_TEXT];
    const char *part[] = {media[subnet->medium], subnet->multicast ? "multicast" : "",
                          pair ? units_time(latency, cost.latency) : "",
                          pair && cost.per_byte ? units_rate(rate, cost.per_byte) : ""};
    /* An empty part gets no comma. */
    const char *between = "";
    fprintf(map->file, "<text x=\"%.1f\" y=\"%.1f\" class=\"small\">", x, y);
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (*part[i]) {
            fprintf(map->file, "%s%s", between, part[i]);
            between = ", ";
        }
    fputs("</text>\n", map->file);
}

/* The empty box, below the lines. The rails must be drawn before the contents, since they compute
 * where the hosts are. */
static void put_box(const struct map *map, int s)
{
    const struct layout_box *box = &map->taken[s];
    put_rect(map->file, box->x - box->w / 2, box->y - box->h / 2, box->w, box->h, 8, "subnet");
    put_rails(map, &map->net->subnet[s], box);
}

/* Draws the contents of a box, on top of all lines. */
static void put_contents(const struct map *map, int s)
{
    const struct net_subnet *subnet = &map->net->subnet[s];
    const struct layout_box *box = &map->taken[s];
    double top = box->y - box->h / 2;
    char text[128];
    put_hosts(map, subnet);
    snprintf(text, sizeof text, "%.40s%s%.40s", subnet->name, subnet->site < 0 ? "" : " @ ",
             hn_net_subnet_site(map->net, s));
    put_text(map->file, box->x, top + 18, "title", text);
    put_medium(map, s, box->x, top + 34);
    put_uplinks(map, subnet, box->x, top + box->h);
}

/* ---- lines between boxes ------------------------------------------------------------------ */

/* 1.5 at 10 kb/s, plus 2 for each factor of ten. */
static double line_width(hn_pair_cost cost)
{
    /* Without a cost per byte there is no rate; the line gets a medium width. */
    if (cost.per_byte <= 0)
        return 3;
    /* The rate is in b/s: a byte in 8e15 fs (8 s) is one bit a second. */
    double width = 1.5 + (log10(8e15 / (double)cost.per_byte) - 4);
    return width < 1 ? 1 : width > 8 ? 8 : width;
}

/* From middle to middle; the boxes are drawn over it. The width is that of the direction a to b. */
static void put_route(const struct map *map, int a, int b, bool strong)
{
    const struct layout_box *from = &map->taken[a], *to = &map->taken[b];
    put_line(map->file, from->x, from->y, to->x, to->y, strong ? "way" : "way faint",
             line_width(net_between(map->net, a, b)));
}

/* The label is placed where it covers no box and no other label. */
static void put_label(struct map *map, int a, int b)
/* Both directions are in one label; the rate back is added where they differ. */
{
    hn_pair_cost there = net_between(map->net, a, b), back = net_between(map->net, b, a);
    const struct pair *link = pairs_find(&map->net->links, a, b);
    bool same = there.latency == back.latency && there.per_byte == back.per_byte;
    char x[UNITS_TEXT], y[UNITS_TEXT], z[UNITS_TEXT], text[4 * UNITS_TEXT + 16];
    snprintf(text, sizeof text, "%s, %s%s%s%s", units_time(x, there.latency),
             units_rate(y, there.per_byte), same ? "" : " (back ",
             same ? "" : units_rate(z, back.per_byte), same ? "" : ")");
    struct layout_box label = {.w = 12, .h = LABEL_H};
    /* 6.3 pixels are allowed for a letter of 11 pixels; fonts differ, so the frame is 12 wider. */
    for (const char *c = text; *c; c++)
        label.w += 6.3;
    layout_label(&label, &map->taken[a], &map->taken[b], map->taken, map->ntaken);
    map->taken[map->ntaken++] = label;
    put_rect(map->file, label.x - label.w / 2, label.y - label.h / 2, label.w, label.h, 4,
             link && link->wire ? "label shared" : "label");
    put_text(map->file, label.x, label.y + 4, "small", text);
}

/* Finds the spanning tree of smallest latencies: tree[b] = a for each edge. The tree connects
 * everything with the fewest labels, and its routes are those that people think of: each subnet
 * with the nearest one. Prim's algorithm, O(n^3) with n <= LINES_MOST; it starts at subnet 0. */
static void nearest_tree(const struct map *map, int *tree)
{
    bool in[LINES_MOST] = {true};
    for (int added = 1; added < map->n; added++) {
        int from = -1, to = -1;
        for (int a = 0; a < map->n; a++)
            for (int b = 0; in[a] && b < map->n; b++)
                if (!in[b] && (from < 0 || net_between(map->net, a, b).latency <
                                               net_between(map->net, from, to).latency))
                    from = a, to = b;
        in[to] = true;
        tree[to] = from;
    }
}

/* Returns the first subnet of the same site. */
static int first_of_site(const struct map *map, int subnet)
{
    const struct net_subnet *all = map->net->subnet;
    for (int s = 0; s < subnet && all[subnet].site >= 0; s++)
        if (all[s].site == all[subnet].site)
            return s;
    return subnet;
}

/* True if another pair's line represents this one: subnets of two sites that are equally far share
 * one line. */
static bool stands_elsewhere(const struct map *map, int a, int b)
{
    int from = first_of_site(map, a), to = first_of_site(map, b);
    if (from == to || (from == a && to == b))
        return false;
    /* The rule compares costs, not wires: a line is left out only if its label would be the same.
     */
    hn_pair_cost own = net_between(map->net, a, b), first = net_between(map->net, from, to);
    return net_same_cost(&own, &first);
}

/* Called twice: lines are drawn below the boxes, labels above them. */
static void put_routes(struct map *map, bool labels)
{
    /* tree[0] stays -1: the root has no edge of its own. */
    int tree[LINES_MOST] = {-1};
    if (map->n > LINES_MOST || !hn_net_has_costs(map->net))
        return;
    nearest_tree(map, tree);
    /* Each pair once, by the direction of the lower number. */
    for (int a = 0; a < map->n; a++)
        for (int b = a + 1; b < map->n; b++) {
            bool strong = map->n <= LABELS_ALL || tree[a] == b || tree[b] == a;
            if (stands_elsewhere(map, a, b))
                continue;
            if (!labels)
                put_route(map, a, b, strong);
            else if (strong)
                put_label(map, a, b);
        }
}

/* ---- the page ----------------------------------------------------------------------------- */

/* The style sheet, the title, and a line with the size and the origin of the network. Colours are
 * those of picture_colour(), also of timing diagrams. One style sheet for the whole page keeps the
 * file small; every element has only a class. */
static void put_head(const struct map *map, const char *title, double width, double height)
{
    const struct net_origin *origin = &map->net->origin;
    char text[256], switched[PICTURE_COLOUR_ROOM], bus[PICTURE_COLOUR_ROOM];
    picture_colour(0, 0, switched);
    picture_colour(6, 0, bus);
    fprintf(map->file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\">\n<style>\n"
            "text{font-family:sans-serif;text-anchor:middle;fill:" PICTURE_INK ";"
            "stroke:#fff;stroke-width:3px;stroke-linejoin:round;paint-order:stroke}\n"
            ".head{font-size:20px;font-weight:bold;text-anchor:start}\n"
            ".sub{font-size:12px;text-anchor:start;fill:" PICTURE_SOFT "}\n"
            ".title{font-size:14px;font-weight:bold}.small{font-size:11px}\n"
            ".tiny{fill:" PICTURE_SOFT ";stroke:none}\n"
            ".subnet{fill:" PICTURE_BAND ";stroke:" PICTURE_AXIS ";stroke-width:1.2}\n"
            ".host{fill:#fff;stroke:%s;stroke-width:1}.standby{stroke-dasharray:3 2}\n"
            ".rail{stroke:%s}.bus{stroke:%s}.unknown{stroke-dasharray:4 3}\n"
            ".box-switch{fill:%s}.way{stroke:" PICTURE_AXIS ";stroke-linecap:round}\n"
            ".faint{stroke:" PICTURE_GRID "}.label{fill:#fff;stroke:" PICTURE_IDLE
            ";stroke-width:.8}\n"
            ".shared{stroke:%s}.page{fill:#fff}\n</style>\n",
            width, height, width, height, switched, switched, bus, switched, bus);
    /* A white page, since viewers may have a dark background. */
    put_rect(map->file, 0, 0, width, height, 0, "page");
    put_text(map->file, MARGIN, 34, "head", title);
    snprintf(text, sizeof text, "%d host%s, %d subnet%s%s%.80s%s%.80s", map->net->n,
             map->net->n == 1 ? "" : "s", map->net->nsubnet, map->net->nsubnet == 1 ? "" : "s",
             origin->measured ? ", measured " : "", origin->measured ? origin->measured : "",
             !origin->by        ? ""
             : origin->measured ? " by "
                                : ", by ",
             origin->by ? origin->by : "");
    put_text(map->file, MARGIN, 52, "sub", text);
}

/* Lists lines that several subnets' routes share, below the map. Both ends are written by their
 * names of subnets and sites, as in the file. */
static void put_lines(const struct map *map, double y)
{
    const hn_net *net = map->net;
    char rate[UNITS_TEXT];
    for (int i = 0; i < net->nline; i++) {
        fprintf(map->file, "<text x=\"%d\" y=\"%.1f\" class=\"sub\">", MARGIN,
                y + LABEL_H * (i + 1));
        picture_text(map->file, net->line[i].name);
        fprintf(map->file, ", %s, is shared by all routes between",
                units_rate(rate, net->line[i].per_byte));
        for (int end = 0; end < 2; end++) {
            int next = 0;
            fputs(end ? " and" : "", map->file);
            for (const char *name; (name = net_line_end(net, i, end, &next));) {
                putc(' ', map->file);
                picture_text(map->file, name);
            }
        }
        fputs("</text>\n", map->file);
    }
}

/* Draws the legend of the lines at the bottom. */
static void put_legend(const struct map *map, double y)
{
    static const struct {
        const char *class;
        double thick;
        const char *name;
    } key[] = {{"rail bus", 5, "bus"},
               {"rail switch", 1.5, "switch"},
               {"rail unknown", 1.5, "unknown medium"},
               {"way", 4, "link, wider where it is faster"}};
    /* Entries are placed one after the other, with 7 pixels a letter at 12 pixels. */
    double x = MARGIN;
    for (size_t i = 0; i < sizeof key / sizeof *key; i++) {
        put_line(map->file, x, y - 4, x + 24, y - 4, key[i].class, key[i].thick);
        if (i == 1)
            put_rect(map->file, x + 5, y - 9, 14, 10, 2, "box-switch");
        put_text(map->file, x + 30, y, "sub", key[i].name);
        x += 52 + 7.0 * (double)strlen(key[i].name);
    }
}

/* Draws the map; map->place is already allocated. Later parts are drawn on top of earlier ones.
 * map->taken starts with the boxes, so index s is a subnet there; labels are appended. */
static int draw(struct map *map, const char *title,
                void (*over)(const struct net_page *page, void *arg), void *arg)
{
    const hn_net *net = map->net;
    double width, height;
    for (int s = 0; s < map->n; s++)
        size_box(map, &net->subnet[s], &map->taken[s]);
    map->ntaken = map->n;
    /* Lines need more distance between the boxes, for their labels. */
    layout_place(map->taken, map->n, map->n <= LINES_MOST ? 150 : 80, &width, &height);
    for (int s = 0; s < map->n; s++) {
        map->taken[s].x += MARGIN;
        map->taken[s].y += TITLE_H;
    }
    /* The title must fit, whatever the boxes need. */
    double least = fmax(WIDTH_LEAST, HEAD_LETTER * (double)strlen(title));
    if (width < least)
        width = least;
    /* The legend is below the map and the list of lines. The caller's text takes its place, and the
     * legend moves down. */
    double legend = TITLE_H + height + LABEL_H * (net->nline + 1.0), more = over ? LABEL_H : 0;
    put_head(map, title, width + 2 * MARGIN, legend + more + MARGIN);
    put_routes(map, false);
    for (int s = 0; s < map->n; s++)
        put_box(map, s);
    if (over) {
        const struct net_page page = {map->file, map->place, MARGIN, legend + more};
        over(&page, arg);
    }
    for (int s = 0; s < map->n; s++)
        put_contents(map, s);
    put_routes(map, true);
    put_lines(map, height + TITLE_H);
    put_legend(map, legend);
    fputs("</svg>\n", map->file);
    return HN_OK;
}

int net_draw_over(const hn_net *net, const char *title, FILE *file,
                  void (*over)(const struct net_page *page, void *arg), void *arg)
{
    struct map map = {.net = net, .file = file};
    map.tile_h = TILE_H + (has_ports(net) ? PORT_H : 0);
    map.n = net->nsubnet < BOXES_MOST ? net->nsubnet : BOXES_MOST;
    /* Boxes, and at most one label for each two subnets with lines. */
    size_t room = (size_t)map.n + LINES_MOST * LINES_MOST;
    map.taken = calloc(room, sizeof *map.taken);
    /* One more than needed, so that a net without hosts is no special case. */
    map.place = calloc((size_t)net->n + 1, sizeof *map.place);
    int error = map.taken && map.place
                    ? draw(&map, title, over, arg)
                    : error_set(HN_ENOMEM, "no memory for a map of %d subnets", map.n);
    free(map.taken);
    free(map.place);
    return error;
}

int net_draw(const hn_net *net, const char *title, FILE *file)
{
    return net_draw_over(net, title, file, NULL, NULL);
}
