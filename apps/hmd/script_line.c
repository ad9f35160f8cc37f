/* script_line.c - see script_line.h.
 *
 * As CHARMM reads: '*' begins a title, '!' a comment, a '-' at the end joins the next line, @NAME
 * or
 * @{NAME} is what SET has given NAME.
 */
#include "script_line.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

int script_line_set(struct script_line *l, const char *name, const char *value)
{
    int k = 0;
    while (k < l->sets && strcmp(l->set[k].name, name))
        k++;
    if (k == SCRIPT_SETS || strlen(name) >= SCRIPT_NAME || strlen(value) >= SCRIPT_VALUE)
        return 0;
    l->sets += k == l->sets;
    strcpy(l->set[k].name, name);
    strcpy(l->set[k].value, value);
    return 1;
}

/* Copies a line to `to`, each @NAME or @{NAME} replaced; 0 when there is no such name or no room.
 */
static int script_line_replace(struct script_line *l, const char *from, char *to, size_t room)
{
    size_t n = 0;
    while (*from && n + 1 < room) {
        char name[SCRIPT_NAME] = "";
        size_t k = 0;
        if (*from != '@') {
            to[n++] = *from++;
            continue;
        }
        int brace = from[1] == '{', found = 0;
        for (from += 1 + brace;
             k + 1 < sizeof name && (isalnum((unsigned char)*from) || *from == '_');)
            name[k++] = (char)toupper((unsigned char)*from++);
        from += brace && *from == '}';
        for (int i = 0; i < l->sets && !found; i++)
            if (!strcmp(l->set[i].name, name)) {
                n += (size_t)snprintf(to + n, room - n, "%s", l->set[i].value);
                found = 1;
            }
        if (!found || n >= room)
            return 0;
    }
    to[n] = 0;
    return !*from;
}

int script_line_next(struct script_line *l, struct err *e, int *status)
{
    char joined[SCRIPT_LINE];
    int got = text_command(&l->t, joined, sizeof joined, &l->first);
    if (got == 0)
        return 0;
    if (got < 0 || !script_line_replace(l, joined, l->line, sizeof l->line)) {
        *status = err_set(e, ERR_INPUT,
                          "%s:%d: the command is too long, or has a name behind @ that no SET has "
                          "given",
                          l->t.name, l->t.line);
        return 0;
    }
    snprintf(l->upper, sizeof l->upper, "%s", l->line);
    text_upper(l->upper);
    words_split(&l->raw, l->line);
    words_split(&l->word, l->upper);
    return 1;
}
