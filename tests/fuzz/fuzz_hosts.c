/* fuzz_hosts.c - any bytes as a hosts file: refused with a message that names the file, or accepted
 * and then consistent. */
#include "hosts.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static void look_at(const struct hosts *hosts, size_t size)
{
    demand(hosts->n >= 0 && hosts->n <= HOSTS_MOST && hosts->text_length == size);
    for (int i = 0; i < hosts->n && i < 100; i++) {
        const struct host_line *line = &hosts->line[i];
        demand(line->name && line->name[0]);
        demand(line->slots >= 0 && line->slots <= HOSTS_SLOTS);
        demand(line->port >= 0 && line->port <= 65535);
        demand(hosts_find(hosts, line->name) == i);
        for (int k = 0; k < line->nenv; k++)
            demand(strchr(line->env[k], '=') != NULL);
    }
    for (int i = 0; i < hosts->nrecord; i++)
        demand(hosts->record[i].count > 0 && hosts->record[i].word[0].value[0] == '@');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hosts *hosts = NULL;
    if (hosts_parse("fuzz", (const char *)data, size, &hosts) == HN_OK)
        look_at(hosts, size);
    else
        demand(!hosts && hn_error_text()[0]);
    hosts_free(hosts);
    return 0;
}
