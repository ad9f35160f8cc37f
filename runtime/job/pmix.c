/* pmix.c - a client of PMIx, whose library is loaded if the launcher offers PMIx; see pmi.h.
 *
 * The few necessary declarations are here, so that hnow builds and runs without PMIx.  They are the
 * same in versions 3 to 5 of the standard, whose library is libpmix.so.2.
 */
#include "job/pmi.h"

#include "base/error.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Constants of PMIx: PMIX_BOOL, PMIX_STRING, PMIX_UINT32; the scope PMIX_GLOBAL; PMIX_MAX_KEYLEN
 * and a 0. */
enum { BOOL = 1, STRING = 3, UINT32 = 14, GLOBAL = 3, KEY_SIZE = 512 };
#define ALL_RANKS (UINT32_MAX - 1)

/* As pmix_proc_t. */
struct process {
    char job[PMI_NAME];
    uint32_t rank;
};

/* As pmix_value_t of the standard: only the members that are used here, with the full size. */
struct value {
    uint16_t type;
    union {
        bool flag;
        char *text;
        uint32_t number;
        char room[24];
    } data;
};

/* As pmix_info_t. */
struct info {
    char key[KEY_SIZE];
    uint32_t directives;
    struct value value;
};

typedef void on_done(int status, void *data);

static struct {
    int (*init)(struct process *self, struct info *info, size_t n);
    int (*put)(uint8_t scope, const char *key, struct value *value);
    int (*commit)(void);
    int (*fence)(const struct process *of, size_t processes, const struct info *info, size_t n,
                 on_done *done, void *data);
    int (*get)(const struct process *of, const char *key, const struct info *info, size_t n,
               struct value **value);
    int (*abort)(int status, const char *why, const struct process *of, size_t processes);
    int (*finalize)(const struct info *info, size_t n);
} library;

/* The library stays loaded, because its threads may still run.  False: it is missing, or lacks a
 * function. */
static bool load(void)
{
    static const struct {
        const char *name;
        void **at;
    } functions[] = {
        {"PMIx_Init", (void **)&library.init},         {"PMIx_Put", (void **)&library.put},
        {"PMIx_Commit", (void **)&library.commit},     {"PMIx_Fence_nb", (void **)&library.fence},
        {"PMIx_Get", (void **)&library.get},           {"PMIx_Abort", (void **)&library.abort},
        {"PMIx_Finalize", (void **)&library.finalize},
    };
    /* It needs libevent, and libev exports the same names: RTLD_DEEPBIND selects its own ones. */
    void *loaded = dlopen("libpmix.so.2", RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);

    for (size_t i = 0; loaded && i < sizeof functions / sizeof *functions; i++)
        if (!(*functions[i].at = dlsym(loaded, functions[i].name)))
            return false;
    return loaded;
}

static int failed(const char *what, int status)
{
    return error_set(HN_ESTART, "the launcher of this process refuses PMIx's %s: error %d", what,
                     status);
}

/* The value is allocated by the library and is freed by the caller. */
static int get_value(struct pmi *p, uint32_t rank, const char *key, struct value **value)
{
    struct process of = {.rank = rank};

    memcpy(of.job, p->table, sizeof of.job);
    int status = library.get(&of, key, NULL, 0, value);
    return status == 0 ? HN_OK : failed(key, status);
}

/* The pipe makes the end of a barrier visible to poll(2), as PMI-1's descriptor does. */
static int open_library(struct pmi *p)
{
    struct process self = {.rank = 0};
    struct value *size = NULL;
    int ends[2], status = library.init(&self, NULL, 0);

    if (status != 0)
        return failed("PMIx_Init", status);
    memcpy(p->table, self.job, sizeof p->table);
    p->rank = (int)self.rank;
    int result = get_value(p, ALL_RANKS, "pmix.job.size", &size);
    if (result != HN_OK)
        return result;
    /* A value of another type counts as 0, which is refused below. */
    p->size = size->type == UINT32 ? (int)size->data.number : 0;
    free(size);
    if (p->size <= p->rank || pipe2(ends, O_CLOEXEC) != 0)
        return failed("pmix.job.size", p->size);
    p->fd = ends[0];
    p->signal = ends[1];
    return HN_OK;
}

/* The library copies the text. */
static int put(struct pmi *p, const char *key, const char *text)
{
    struct value value = {.type = STRING, .data.text = strdup(text)};
    int status = value.data.text ? library.put(GLOBAL, key, &value) : -1;

    (void)p;
    free(value.data.text);
    return status == 0 ? HN_OK : failed(key, status);
}

/* Called by a thread of the library. */
static void all_are_there(int status, void *data)
{
    struct pmi *p = data;
    char outcome = status == 0;

    if (write(p->signal, &outcome, 1) != 1)
        close(p->signal);
}

/* Nonblocking, with "pmix.collect": the barrier also distributes what was put. all_are_there() ends
 * it. */
static int barrier_begin(struct pmi *p)
{
    static const struct info with_texts = {.key = "pmix.collect",
                                           .value = {.type = BOOL, .data.flag = true}};
    int status = library.commit();

    if (status == 0)
        status = library.fence(NULL, 0, &with_texts, 1, all_are_there, p);
    return status == 0 ? HN_OK : failed("PMIx_Fence", status);
}

/* Blocks until all_are_there() has written the outcome. */
static int barrier_end(struct pmi *p)
{
    char outcome = 0;
    ssize_t n;

    do
        n = read(p->fd, &outcome, 1);
    while (n < 0 && errno == EINTR);
    return n == 1 && outcome ? HN_OK : failed("PMIx_Fence", 0);
}

/* The library allocates the value and its text by malloc(); the caller gets a copy in p->line. */
static int get(struct pmi *p, int rank, const char *key, const char **text)
{
    struct value *value = NULL;
    int result = get_value(p, (uint32_t)rank, key, &value);

    if (result != HN_OK)
        return result;
    snprintf(p->line, sizeof p->line, "%s", value->type == STRING ? value->data.text : "");
    if (value->type == STRING)
        free(value->data.text);
    free(value);
    *text = p->line;
    return HN_OK;
}

static void abort_all(struct pmi *p, int status)
{
    (void)p;
    library.abort(status, NULL, NULL, 0);
}

static void close_library(struct pmi *p)
{
    library.finalize(NULL, 0);
    close(p->fd);
    close(p->signal);
}

/* The launcher's variables are checked before the library is loaded, which takes longer. */
bool pmix_here(struct pmi *p)
{
    static const struct pmi_calls calls = {open_library, put,       barrier_begin, barrier_end,
                                           get,          abort_all, close_library};

    *p = (struct pmi){.calls = &calls, .fd = -1, .signal = -1};
    return getenv("PMIX_NAMESPACE") && getenv("PMIX_RANK") && load();
}
