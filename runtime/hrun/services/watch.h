/* watch.h - requests for notifications (hn_notify()).  No I/O.
 *
 * A request watches one task, one host, any of them, or a number of new hosts.  An event fulfils
 * all matching requests.  A request about a certain task or host is deleted when it is fulfilled.
 * One about any is deleted when it has been fulfilled as often as it specifies.  Requests are
 * fulfilled in the order in which they were made.
 *
 * Cost: O(requests) an event.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { WATCH_ANY = 0 };
#define WATCH_ALWAYS UINT32_MAX

/* Copied by the list.  The asker's tag and context are those of the message that notifies it. */
struct watch_request {
    uint32_t asker;        /* tid of the task to notify */
    uint32_t tag, context; /* of the notification */
    uint32_t what;         /* enum hn_event */
    uint32_t about;        /* tid of a task or a host, or WATCH_ANY */
    uint32_t times;        /* number of notifications, at least 1, or WATCH_ALWAYS */
};

/* A struct of zeros is empty. */
struct watch {
    struct watch_request *request;
    size_t n;
};

void watch_free(struct watch *watch);
/* Adds a request: HN_OK or HN_ENOMEM. */
int watch_add(struct watch *watch, const struct watch_request *request);
/* Deletes the requests with the same asker, event, tag, context and `about` (WATCH_ANY: whatever
 * they are about). */
void watch_cancel(struct watch *watch, const struct watch_request *like);
/* Deletes all requests of a task. */
void watch_forget(struct watch *watch, uint32_t asker);
/* An event has happened to that task or host: calls notify() for each request that it fulfils.
 * notify() must not change the requests. */
void watch_event(struct watch *watch, uint32_t what, uint32_t about,
                 void (*notify)(void *user, const struct watch_request *request), void *user);
