/* mpi_info.c - info objects (mpi_info.h): a list in insertion order. Every operation costs
 * O(keys). Objects of the program, copies in communicators, windows and files, and MPI_INFO_ENV
 * differ only in who holds them. */
#include "object/mpi_info.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Both strings are owned by the entry. */
struct info_entry {
    struct info_entry *next;
    /* Never NULL. At most MPI_MAX_INFO_KEY - 1 and MPI_MAX_INFO_VAL - 1 characters, unless set
     * here. */
    char *key, *value;
};

/* MPI_INFO_NULL is valid wherever a call takes hints. */
int info_check(struct mpi_comm *c, MPI_Info handle, const char *call)
{
    if (handle == MPI_INFO_NULL || info_of(handle))
        return MPI_SUCCESS;
    return error_on(c, MPI_ERR_INFO, call, "%p is not an info object, or it has been freed",
                    handle_shown(handle));
}

/* It must be out of the list already. */
static void entry_free(struct info_entry *e)
{
    free(e->key);
    free(e->value);
    free(e);
}

/* Called when the last reference has been dropped. */
static void release(void *object)
{
    struct mpi_info *info = object;

    while (info->first) {
        struct info_entry *e = info->first;
        info->first = e->next;
        entry_free(e);
    }
}

/* Returns the link to the entry of a key, or to where a new one is inserted. A link and not an
 * entry is returned, so that the same search serves reading, inserting and deleting. */
static struct info_entry **find(struct mpi_info *info, const char *key)
{
    struct info_entry **at = &info->first;

    while (*at && strcmp((*at)->key, key) != 0)
        at = &(*at)->next;
    return at;
}

/* The copy is made first: if memory runs out, the old value is unchanged. */
static bool set(struct mpi_info *info, const char *key, const char *value)
{
    struct info_entry **at = find(info, key), *e = *at;
    char *copy = strdup(value);

    if (!copy)
        return false;
    if (e) {
        free(e->value);
        e->value = copy;
        return true;
    }
    e = calloc(1, sizeof *e);
    /* free(NULL) is allowed: e may be missing. */
    if (!e || !(e->key = strdup(key))) {
        free(e);
        free(copy);
        return false;
    }
    e->value = copy;
    /* The link that ends the list: keys keep their order of insertion. */
    *at = e;
    return true;
}

/* If memory runs out, the entries copied so far remain in *kept. */
bool info_take(struct mpi_info **kept, const struct mpi_info *info, const char *prefix)
{
    bool ok = *kept || (*kept = object_new(OBJECT_INFO));

    /* An empty prefix selects all keys; info NULL adds none, and still makes *kept. */
    for (struct info_entry *e = info ? info->first : NULL; e && ok; e = e->next)
        if (strncmp(e->key, prefix, strlen(prefix)) == 0)
            ok = set(*kept, e->key, e->value);
    return ok;
}

/* The copy has one reference and one handle, which its new owner takes. */
struct mpi_info *info_copy(const struct mpi_info *info)
{
    struct mpi_info *copy = NULL;

    if (info_take(&copy, info, ""))
        return copy;
    if (copy)
        object_drop(copy);
    return NULL;
}

/* Valid until the object changes. NULL: no such key, or no object. */
const char *info_value(struct mpi_info *info, const char *key)
{
    const struct info_entry *e = info ? *find(info, key) : NULL;

    return e ? e->value : NULL;
}

/* The kinds of memory that buffers may have: MPI's own and the system's, and those of them that the
 * program has named with restrictors. */
#define KINDS_KEY "mpi_memory_alloc_kinds"

struct mpi_info *info_shown(const struct mpi_info *info)
{
    struct mpi_info *copy = info_copy(info);
    const char *wanted = copy ? info_value(copy, KINDS_KEY) : NULL;
    char kinds[MPI_MAX_INFO_VAL] = "mpi,system";
    size_t used = strlen(kinds);

    /* The list is separated by commas. Unknown kinds are left out: the answer names what the
     * library accepts. */
    for (size_t n; wanted && *wanted; wanted += n + (wanted[n] == ',')) {
        n = strcspn(wanted, ",");
        bool known = strncmp(wanted, "mpi:", 4) == 0 || strncmp(wanted, "system:", 7) == 0;
        if (known && n < sizeof kinds - used - 1)
            used += (size_t)snprintf(kinds + used, sizeof kinds - used, ",%.*s", (int)n, wanted);
    }
    /* A failure to set it leaves the program's own list, which is a valid answer. */
    if (copy)
        set(copy, KINDS_KEY, kinds);
    return copy;
}

/* Sets keys of MPI_INFO_ENV that are known before MPI_Init(). */
static void describe(struct mpi_info *info, const char *command)
{
    struct utsname machine;
    char *directory = getcwd(NULL, 0);

    if (command)
        set(info, "command", command);
    if (directory)
        set(info, "wdir", directory);
    /* Missing values have no key: a program tests the flag of MPI_Info_get_string(). */
    if (!uname(&machine)) {
        set(info, "host", machine.nodename);
        set(info, "arch", machine.machine);
    }
    free(directory);
}

/* glibc's program_invocation_name is argv[0] of the process, available before main() passes argv to
 * MPI_Init(). */
void info_setup(void)
{
    struct mpi_info *env = object_new(OBJECT_INFO);

    object_when_freed(OBJECT_INFO, release);
    env->object.named = true;
    describe(env, program_invocation_name);
    handle_bind(env, MPI_INFO_ENV);
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* Not a key: the call is about the whole object. */
static const char no_key[] = "-";

/* Returns the info object of a call after checking its key, and that it has places for its results;
 * or NULL and *error. */
static struct mpi_info *given(MPI_Info handle, const char *key, bool has_places, const char *call,
                              int *error)
{
    struct mpi_info *info = info_of(handle);

    if (!info)
        *error = error_on(NULL, MPI_ERR_INFO, call,
                          handle == MPI_INFO_NULL ? "the info object is MPI_INFO_NULL"
                                                  : "not an info object, or it has been freed");
    /* The whole key is tested here, so lists contain only keys of valid length. */
    else if (!key || !key[0] || strlen(key) >= MPI_MAX_INFO_KEY)
        *error = error_on(NULL, MPI_ERR_INFO_KEY, call, "the key has not 1 to %d characters",
                          MPI_MAX_INFO_KEY - 1);
    else if (!has_places)
        *error = error_on(NULL, MPI_ERR_ARG, call, "no place for the result");
    else
        return info;
    return NULL;
}

/* Passes a new object to the program, or reports what is missing. info NULL: out of memory. The
 * object is freed if there is no place for it. */
static int make(struct mpi_info *info, MPI_Info *handle, const char *call)
{
    if (info && handle) {
        *handle = info->object.handle;
        return MPI_SUCCESS;
    }
    if (info)
        object_drop(info);
    return error_on(NULL, info ? MPI_ERR_ARG : MPI_ERR_NO_MEM, call,
                    info ? "no place for the info object" : "out of memory");
}

/* MPI 4.1, ch. 10, as all calls of this part. */
MPI_DEFINE(int, Info_create, (MPI_Info * info))
{
    return make(info_copy(NULL), info, MPI_CALL);
}

/* MPI 4.0's way to read the start parameters before or without MPI_Init(): MPI 4.1, chapter 10. It
 * is valid at any time. */
MPI_DEFINE(int, Info_create_env, (int argc, char *argv[], MPI_Info *info))
{
    struct mpi_info *made = info_copy(NULL);

    if (made)
        describe(made, argc > 0 && argv ? argv[0] : NULL);
    return make(made, info, MPI_CALL);
}

/* In the same order. */
MPI_DEFINE(int, Info_dup, (MPI_Info info, MPI_Info *newinfo))
{
    int error;
    struct mpi_info *i = given(info, no_key, true, MPI_CALL, &error);

    return i ? make(info_copy(i), newinfo, MPI_CALL) : error;
}

/* Objects that keep hints have copies, so the program's object is always its own. */
MPI_DEFINE(int, Info_free, (MPI_Info * info))
{
    int error;
    struct mpi_info *i = given(info ? *info : MPI_INFO_NULL, no_key, true, MPI_CALL, &error);

    if (!i)
        return error;
    if (i->object.named)
        return error_on(NULL, MPI_ERR_INFO, MPI_CALL, "MPI_INFO_ENV cannot be freed");
    object_retire(i);
    *info = MPI_INFO_NULL;
    return MPI_SUCCESS;
}

/* Replaces an older value. */
MPI_DEFINE(int, Info_set, (MPI_Info info, const char *key, const char *value))
{
    int error;
    struct mpi_info *i = given(info, key, true, MPI_CALL, &error);

    if (!i)
        return error;
    if (!value || strlen(value) >= MPI_MAX_INFO_VAL)
        return error_on(NULL, MPI_ERR_INFO_VALUE, MPI_CALL, "the value has more than %d characters",
                        MPI_MAX_INFO_VAL - 1);
    return set(i, key, value) ? MPI_SUCCESS
                              : error_on(NULL, MPI_ERR_NO_MEM, MPI_CALL, "out of memory");
}

/* `valuelen` does not include the terminating null character, hence the + 1. Deprecated since MPI
 * 4.0, because it cannot report truncation. */
MPI_DEFINE(int, Info_get, (MPI_Info info, const char *key, int valuelen, char *value, int *flag))
{
    int error;
    struct mpi_info *i = given(info, key, flag && value, MPI_CALL, &error);

    if (!i)
        return error;
    if (valuelen < 0)
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "the length %d is negative", valuelen);
    struct info_entry *e = *find(i, key);
    *flag = e != NULL;
    if (e)
        snprintf(value, (size_t)valuelen + 1, "%s", e->value);
    return MPI_SUCCESS;
}

/* *buflen does include the null character, in both directions: room on entry, and the room that the
 * whole value needs on return. 0 only queries the length. If there is no such key, *buflen is
 * unchanged. */
MPI_DEFINE(int, Info_get_string,
           (MPI_Info info, const char *key, int *buflen, char *value, int *flag))
{
    int error;
    /* With no room, `value` may be NULL. */
    bool has_places = flag && buflen && (value || *buflen <= 0);
    struct mpi_info *i = given(info, key, has_places, MPI_CALL, &error);

    if (!i)
        return error;
    struct info_entry *e = *find(i, key);
    *flag = e != NULL;
    if (!e)
        return MPI_SUCCESS;
    if (*buflen > 0)
        snprintf(value, (size_t)*buflen, "%s", e->value);
    *buflen = (int)strlen(e->value) + 1;
    return MPI_SUCCESS;
}

/* Without the terminating zero. Unchanged if there is no such key. */
MPI_DEFINE(int, Info_get_valuelen, (MPI_Info info, const char *key, int *valuelen, int *flag))
{
    int error;
    struct mpi_info *i = given(info, key, flag && valuelen, MPI_CALL, &error);

    if (!i)
        return error;
    struct info_entry *e = *find(i, key);
    *flag = e != NULL;
    if (e)
        *valuelen = (int)strlen(e->value);
    return MPI_SUCCESS;
}

/* Counted at each call, O(keys). */
MPI_DEFINE(int, Info_get_nkeys, (MPI_Info info, int *nkeys))
{
    int error;
    struct mpi_info *i = given(info, no_key, nkeys, MPI_CALL, &error);

    if (!i)
        return error;
    *nkeys = 0;
    for (struct info_entry *e = i->first; e; e = e->next)
        ++*nkeys;
    return MPI_SUCCESS;
}

/* Keys are numbered from 0 in insertion order; the order holds as long as no key is set or
 * deleted. */
MPI_DEFINE(int, Info_get_nthkey, (MPI_Info info, int n, char *key))
{
    int error;
    struct mpi_info *i = given(info, no_key, key, MPI_CALL, &error);

    if (!i)
        return error;
    struct info_entry *e = i->first;
    for (int k = 0; e && k < n; k++)
        e = e->next;
    if (!e || n < 0)
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "there is no key %d", n);
    /* The program provides MPI_MAX_INFO_KEY characters, and keys are shorter. */
    strcpy(key, e->key);
    return MPI_SUCCESS;
}

/* MPI_ERR_INFO_NOKEY: there is no such key. */
MPI_DEFINE(int, Info_delete, (MPI_Info info, const char *key))
{
    int error;
    struct mpi_info *i = given(info, key, true, MPI_CALL, &error);

    if (!i)
        return error;
    struct info_entry **at = find(i, key), *e = *at;
    if (!e)
        return error_on(NULL, MPI_ERR_INFO_NOKEY, MPI_CALL, "there is no key %s", key);
    *at = e->next;
    entry_free(e);
    return MPI_SUCCESS;
}
