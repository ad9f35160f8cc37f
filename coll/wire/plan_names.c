/* plan_names.c - parses lists of plans (plan_names.h). */
#include "wire/plan_names.h"

#include "runtime/internal.h"

#include "hnow.h"

#include <string.h>

int plan_names_unknown(const char *text, size_t length)
{
    return error_set(HN_EARG, "there is no plan '%.*s': hplan -list shows all", (int)length, text);
}

int plan_names_parse(const char *text, struct plan_names *names)
{
    const char *rest = text;
    *names = (struct plan_names){0};
    if (strcmp(text, "auto") == 0)
        return HN_OK;
    while (names->count < PLAN_NAMES_MOST) {
        size_t length = choice_first(rest, &names->choice[names->count]);
        if (length == 0)
            return plan_names_unknown(rest, strcspn(rest, ","));
        names->count++;
        if (!rest[length])
            return HN_OK;
        rest += length + 1;
    }
    return error_set(HN_EARG, "'%s': more than %d plans: name fewer", text, (int)PLAN_NAMES_MOST);
}

int plan_names_fit(const struct plan_names *names, int ranks)
{
    char text[CHOICE_TEXT_ROOM];
    for (int i = 0; i < names->count; i++)
        if (names->choice[i].root >= ranks)
            return error_set(HN_EARG, "plan '%s': there is no rank %d among %d",
                             choice_text(&names->choice[i], text, sizeof text),
                             names->choice[i].root, ranks);
    return HN_OK;
}
