/* watch.h - which tasks want to be notified of what: the requests of hn_notify().  No I/O.
 *
 * A request names what is watched: one task, one host or any, and new hosts so many times.  An
 * event picks the requests that it fulfils; one about a certain task or host is fulfilled once and
 * goes then, one about any stays until it has been fulfilled as often as it says.  Requests are
 * answered in the order in which they were made.
 *
 * Cost: O(requests) an event.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { WATCH_ANY = 0 };
#define WATCH_ALWAYS UINT32_MAX

struct watch_request {
    uint32_t asker;        /* tid of the task that is notified */
    uint32_t tag, context; /* of the message that it gets */
    uint32_t what;         /* enum hn_event */
    uint32_t about;        /* tid of a task or a host, or WATCH_ANY */
    uint32_t times;        /* how many notifications, at least 1; or WATCH_ALWAYS */
};

/* All zero is a fresh one. */
struct watch {
    struct watch_request *request;
    size_t n;
};

void watch_free(struct watch *watch);
/* HN_OK or HN_ENOMEM. */
int watch_add(struct watch *watch, const struct watch_request *request);
/* Forgets the requests of the same asker, event, tag and context, about what `like` says
 * (WATCH_ANY: about anything). */
void watch_cancel(struct watch *watch, const struct watch_request *like);
/* Forgets all requests of a task. */
void watch_forget(struct watch *watch, uint32_t asker);
/* Something has happened to that task or host: calls notify() for each request that this fulfils.
 * notify() must not change the requests. */
void watch_event(struct watch *watch, uint32_t what, uint32_t about,
                 void (*notify)(void *user, const struct watch_request *request), void *user);
