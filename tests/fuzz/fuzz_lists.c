/* fuzz_lists.c - any bytes as the variables of a Slurm allocation, one NAME=VALUE a line: refused
 * with a text that names a variable, or accepted; then all hosts have slots, or none needs them. */
#include "hrun/hosts/slurm.h"

#include "hnow.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *variables; /* lines end with 0; the last one is empty */

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static const char *get(const char *name)
{
    size_t n = strlen(name);
    for (const char *line = variables; *line; line += strlen(line) + 1)
        if (strncmp(line, name, n) == 0 && line[n] == '=')
            return line + n + 1;
    return NULL;
}

static void look_at(const struct hosts *hosts)
{
    demand(hosts->n > 0 && hosts->n <= HOSTS_MOST);
    for (int i = 0; i < hosts->n; i++) {
        demand(hosts_is_name(hosts->line[i].name));
        demand(hosts->line[i].slots >= 0 && hosts->line[i].slots <= HOSTS_SLOTS);
    }
    demand(hosts->n > 1000 || !slurm_stranger(get, hosts)); /* its look-ups are linear */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hosts *hosts;
    char *text = calloc(size + 2, 1);
    demand(text != NULL);
    for (size_t i = 0; i < size; i++)
        text[i] = data[i] == '\n' ? 0 : (char)data[i];
    variables = text;
    if (slurm_hosts(get, &hosts) != HN_OK)
        demand(!hosts && strstr(hn_error_text(), "SLURM_"));
    else if (hosts)
        look_at(hosts);
    hosts_free(hosts);
    free(text);
    return 0;
}
