/* watch.c - requests for notifications; see watch.h.
 *
 * Requests are one array, in the order of their arrival, and notifications follow that order.  An
 * event costs O(requests), which are few.
 */
#include "hrun/services/watch.h"

#include "base/array.h"
#include "base/error.h"

#include <stdbool.h>
#include <stdlib.h>

void watch_free(struct watch *watch)
{
    free(watch->request);
    *watch = (struct watch){0};
}

int watch_add(struct watch *watch, const struct watch_request *request)
{
    if (!ARRAY_ROOM(watch->request, watch->n + 1))
        return error_set(HN_ENOMEM, "out of memory");
    watch->request[watch->n++] = *request;
    return HN_OK;
}

/* Keeps the requests for which stays() is true, in order. */
static void watch_keep(struct watch *watch,
                       bool (*stays)(const struct watch_request *, const struct watch_request *),
                       const struct watch_request *like)
{
    size_t n = 0;
    for (size_t i = 0; i < watch->n; i++)
        if (stays(&watch->request[i], like))
            watch->request[n++] = watch->request[i];
    watch->n = n;
}

/* A request is cancelled by its asker's own description of it; WATCH_ANY there cancels those about
 * anything. */
static bool watch_is_unlike(const struct watch_request *request, const struct watch_request *like)
{
    return request->asker != like->asker || request->what != like->what ||
           request->tag != like->tag || request->context != like->context ||
           (like->about != WATCH_ANY && request->about != like->about);
}

void watch_cancel(struct watch *watch, const struct watch_request *like)
{
    watch_keep(watch, watch_is_unlike, like);
}

static bool watch_is_of_another(const struct watch_request *request,
                                const struct watch_request *like)
{
    return request->asker != like->asker;
}

void watch_forget(struct watch *watch, uint32_t asker)
{
    watch_keep(watch, watch_is_of_another, &(struct watch_request){.asker = asker});
}

static bool watch_is_open(const struct watch_request *request, const struct watch_request *like)
{
    (void)like;
    return request->times > 0;
}

/* Fulfilled requests are removed after all were notified, so the order of the others does not
 * change. notify() must not change the list.  A request about one thing is fulfilled after its
 * first event, since that cannot happen twice. */
void watch_event(struct watch *watch, uint32_t what, uint32_t about,
                 void (*notify)(void *user, const struct watch_request *request), void *user)
{
    for (size_t i = 0; i < watch->n; i++) {
        struct watch_request *request = &watch->request[i];
        if (request->what != what || (request->about != WATCH_ANY && request->about != about))
            continue;
        notify(user, request);
        if (request->about != WATCH_ANY)
            request->times = 0;
        else if (request->times != WATCH_ALWAYS)
            request->times--;
    }
    watch_keep(watch, watch_is_open, NULL);
}
