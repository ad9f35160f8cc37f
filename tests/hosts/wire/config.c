/* See config.h. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#define NAME "%63s" /* a namespace's or interface's name */

static bool config_medium(struct wire *w, const char *text)
{
    static const char *const kinds[] = {"bus", "switch", "link"};
    struct wire_medium m = {0};
    char kind[8];
    int collisions, kinds_count = (int)(sizeof kinds / sizeof *kinds);
    int got =
        sscanf(text, "medium %7s %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu32 " %d",
               kind, &m.rate, &m.delay_ns, &m.jitter_ns, &m.queue, &m.loss_ppm, &collisions);
    if (got != 7 || m.rate == 0)
        return false;
    int k = 0;
    while (k < kinds_count && strcmp(kinds[k], kind) != 0)
        k++;
    m.kind = (enum wire_kind)k;
    m.collisions = collisions != 0;
    return k < kinds_count && wire_add_medium(w, &m) >= 0;
}

static bool config_port_line(struct wire *w, const char *text, int medium, config_port *on_port,
                             void *context)
{
    char netns[64], interface[64];
    struct wire_cost send, receive;
    int got =
        sscanf(text, "port " NAME " " NAME " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, netns,
               interface, &send.message_ns, &send.byte_ps, &receive.message_ns, &receive.byte_ps);
    if (got != 6 || medium < 0)
        return false;
    int port = wire_add_port(w, medium, send, receive);
    return port >= 0 && on_port(context, port, netns, interface);
}

bool config_read(FILE *in, struct wire *w, config_port *on_port, void *context, int *line)
{
    char text[512];
    int medium = -1;
    for (*line = 1; fgets(text, sizeof text, in); (*line)++) {
        bool good;
        if (strncmp(text, "medium ", 7) == 0) {
            good = config_medium(w, text);
            medium++;
        } else {
            good = config_port_line(w, text, medium, on_port, context);
        }
        if (!good)
            return false;
    }
    return !ferror(in);
}
