/* plan_names.c - reads lists of plans (plan_names.h). */
#include "wire/plan_names.h"

#include "base/error.h"
#include "hrun/hrun_options.h"

#include "hnow.h"

#include <string.h>

int names_unknown(const char *text, size_t length)
{
    return error_set(HN_EARG, "there is no plan '%.*s': hplan -list shows all", (int)length, text);
}

int names_parse(const char *text, struct names *names)
{
    const char *rest = text;
    *names = (struct names){0};
    if (!strcmp(text, "auto"))
        return HN_OK;
    while (names->count < NAMES_MOST) {
        size_t length = choice_first(rest, &names->choice[names->count]);
        if (length == 0)
            return names_unknown(rest, strcspn(rest, ","));
        names->count++;
        if (!rest[length])
            return HN_OK;
        rest += length + 1;
    }
    return error_set(HN_EARG, "'%s' are more than %d plans: name at most so many", text,
                     (int)NAMES_MOST);
}

int names_fit(const struct names *names, int ranks)
{
    char text[CHOICE_TEXT_ROOM];
    for (int i = 0; i < names->count; i++)
        if (names->choice[i].root >= ranks)
            return error_set(HN_EARG, "plan '%s': there is no rank %d among %d",
                             choice_text(&names->choice[i], text, sizeof text),
                             names->choice[i].root, ranks);
    return HN_OK;
}

int hrun_check_plan(const char *plan)
{
    struct names names;
    return names_parse(plan, &names);
}
