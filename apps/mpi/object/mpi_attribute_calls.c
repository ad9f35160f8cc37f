/* mpi_attribute_calls.c - the calls about attributes (mpi_attribute.h).
 *
 * Predefined attributes of MPI_COMM_WORLD and windows are not stored in a list.
 *
 * Calls exist for three kinds of objects and are equal except for their handles. ATTRIBUTE_CALLS
 * defines each set; an owner adapts the kind. Values of Fortran enter through
 * attribute_put_Kind() and attribute_get_Kind().
 */
#include "object/mpi_attribute.h"

#include "communicator/mpi_comm.h"
#include "message/mpi_message.h"
#include "datatype/mpi_type.h"
#include "window/mpi_win.h"

#include <stdlib.h>

/* ---- predefined attributes ------------------------------------------------------------------ */

/* They are integers: C gets their addresses, Fortran their values. MPI 4.1, 9.1.2 and 11.10. MPI_IO
 * is MPI_ANY_SOURCE: every task can access files. MPI_HOST is MPI_PROC_NULL: there is no host
 * process. MPI_WTIME_IS_GLOBAL is 0: clocks of hosts are not synchronized. OWN() initialises the
 * union's integer, which is the form of MPI-1. */
static struct own {
    int keyval;
    struct attribute_value value;
} own[] = {
#define OWN(keyval, number)                                                                        \
    {                                                                                              \
        keyval,                                                                                    \
        {                                                                                          \
            LANGUAGE_MPI1,                                                                         \
            {                                                                                      \
                .integer = number                                                                  \
            }                                                                                      \
        }                                                                                          \
    }
    OWN(MPI_TAG_UB, MESSAGE_TAG_MOST),
    OWN(MPI_HOST, MPI_PROC_NULL),
    OWN(MPI_IO, MPI_ANY_SOURCE),
    OWN(MPI_WTIME_IS_GLOBAL, 0),
    /* These three change: see own_value() and attribute_start(). */
    OWN(MPI_LASTUSEDCODE, 0),
    OWN(MPI_UNIVERSE_SIZE, 0),
    OWN(MPI_APPNUM, 0),
#undef OWN
};

/* The value of a predefined attribute of MPI_COMM_WORLD; NULL: the key is not predefined. The last
 * error code changes when the program adds codes, so it is read at each query. */
static struct attribute_value *own_value(int keyval)
{
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (own[i].keyval == keyval) {
            if (keyval == MPI_LASTUSEDCODE)
                own[i].value.integer = *error_last_used();
            return &own[i].value;
        }
    return NULL;
}

/* The universe size is the number of slots of all hosts. MPI 4.1, 11.10.1. A job may run more tasks
 * than slots, so the size of MPI_COMM_WORLD is the lower limit. If the hosts are unknown, that size
 * is all there is. */
void attribute_start(int appnum)
{
    hn_host_info *hosts;
    int n;

    /* Before the first query: MPI_Init() calls this once. */
    own_value(MPI_APPNUM)->integer = appnum;
    MPI_Fint *universe = &own_value(MPI_UNIVERSE_SIZE)->integer;
    *universe = comm_world->size;
    /* A task without hrun has no hosts; then the world's size stays. */
    if (hn_hosts(&hosts, &n) != HN_OK)
        return;
    int slots = 0;
    for (int i = 0; i < n; i++)
        /* Of hosts that are in the job now. */
        slots += hosts[i].slots;
    free(hosts);
    if (slots > *universe)
        *universe = slots;
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* An object with attributes. Exactly one of `comm` and `win` is set for errors; both are NULL for
 * datatypes, whose errors belong to no object. */
struct owner {
    enum object_kind of;
    struct mpi_comm *comm; /* if it is a communicator */
    /* For the functions of the program, which get the object's handle. */
    mpi_handle handle;
    struct mpi_attribute **list;
    struct mpi_win *win; /* if it is a window */
};

/* The three return an error that has been reported, or fill in *o completely. */
static int comm_owner(MPI_Comm handle, struct owner *o, const char *call)
{
    struct mpi_comm *c = comm_of(handle);

    if (!c)
        return error_no_comm(handle, call);
    *o = (struct owner){OBJECT_COMM, c, handle, &c->attributes};
    return MPI_SUCCESS;
}

static int type_owner(MPI_Datatype handle, struct owner *o, const char *call)
{
    struct mpi_type *t = type_of(handle);

    if (!t)
        return error_no_type(NULL, handle, call);
    *o = (struct owner){OBJECT_TYPE, NULL, handle, &t->attributes};
    return MPI_SUCCESS;
}

static int win_owner(MPI_Win handle, struct owner *o, const char *call)
{
    struct mpi_win *w = win_of(handle);

    if (!w)
        return error_no_win(handle, call);
    *o = (struct owner){OBJECT_WIN, NULL, handle, &w->attributes, w};
    return MPI_SUCCESS;
}

/* The value of a predefined attribute of a window; NULL: the key is not predefined. MPI 4.1,
 * 12.2.6. These are attributes of one window, so they are fields of the window. */
static struct attribute_value *win_value(struct mpi_win *w, int keyval)
{
    switch (keyval) {
    case MPI_WIN_BASE:
        return &w->own.base;
    case MPI_WIN_SIZE:
        return &w->own.size;
    case MPI_WIN_DISP_UNIT:
        return &w->own.unit;
    case MPI_WIN_CREATE_FLAVOR:
        return &w->own.flavor;
    case MPI_WIN_MODEL:
        return &w->own.model;
    default:
        return NULL;
    }
}

/* Errors on windows go to the window's handler. */
#define ERROR_OWNER(o, code, call, ...)                                                            \
    ((o)->win ? error_win((o)->win, code, call, __VA_ARGS__)                                       \
              : error_on((o)->comm, code, call, __VA_ARGS__))

static int no_key(const struct owner *o, int keyval, const char *call)
{
    return ERROR_OWNER(o, MPI_ERR_KEYVAL, call, "%d is not a key for this", keyval);
}

/* MPI 4.1, 7.7.2 to 7.7.4. The null functions of the standard are stored as their numbers. */
static int create(enum object_kind of, void *copy, void *discard, int *keyval, void *extra,
                  const char *call)
{
    struct mpi_keyval *k;

    if (!keyval)
        return error_on(NULL, MPI_ERR_ARG, call, "there is no place for the key");
    /* The attribute list refers to the key and not to its number, which may be used again. */
    k = object_new(OBJECT_KEYVAL);
    if (!k)
        return error_on(NULL, MPI_ERR_NO_MEM, call, "too many keys");
    k->of = of;
    k->copy = copy;
    k->discard = discard;
    k->extra = extra;
    *keyval = attribute_key(k);
    return MPI_SUCCESS;
}

/* Attributes with this key still hold it. A second free of the same key is accepted while
 * attributes use it: the key is still valid, but has no handle that could be retired. */
static int give_up(enum object_kind of, int *keyval, const char *call)
{
    struct mpi_keyval *k = keyval ? attribute_keyval_of(of, *keyval) : NULL;

    if (!k)
        return no_key(&(struct owner){0}, keyval ? *keyval : MPI_KEYVAL_INVALID, call);
    if (k->object.handles > 0)
        object_retire(k);
    *keyval = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

/* `k` is held, because the delete function of the old value may free the key itself. */
static int put(const struct owner *o, int keyval, struct attribute_value value, const char *call)
{
    struct mpi_keyval *k = attribute_keyval_of(o->of, keyval);
    int error = MPI_SUCCESS;

    if (!k)
        return no_key(o, keyval, call);
    object_hold(k); /* the program may have freed it */
    struct mpi_attribute **at = attribute_find(o->list, k);
    /* The delete function may change the list, so *at is not used afterwards. */
    if (*at)
        error = attribute_delete_one(o->list, at, o->handle);
    if (error != MPI_SUCCESS)
        error = ERROR_OWNER(o, error, call, "the attribute's delete function has failed");
    else if (!attribute_add(o->list, k, value))
        error = ERROR_OWNER(o, MPI_ERR_NO_MEM, call, "no memory for the attribute");
    object_drop(k);
    return error;
}

/* *value is NULL if the object has none.
 * Predefined keys are looked up first; their numbers are below those of a program's keys. A key
 * that is hidden in a session has no value, which is not an error. */
static int get(const struct owner *o, int keyval, struct attribute_value **value, const char *call)
{
    struct mpi_keyval *k = attribute_keyval_of(o->of, keyval);
    /* In sessions, MPI_TAG_UB is the only one that describes the environment. */
    bool hidden = o->comm && o->comm->in_session &&
                  (keyval == MPI_HOST || keyval == MPI_IO || keyval == MPI_WTIME_IS_GLOBAL);

    *value = o->win ? win_value(o->win, keyval) : o->comm && !hidden ? own_value(keyval) : NULL;
    if (*value || hidden)
        return MPI_SUCCESS;
    if (!k)
        return no_key(o, keyval, call);
    struct mpi_attribute *a = *attribute_find(o->list, k);
    *value = a ? &a->value : NULL;
    return MPI_SUCCESS;
}

/* *value is unchanged if there is no such attribute. */
static int get_pointer(const struct owner *o, int keyval, void *value, int *flag, const char *call)
{
    struct attribute_value *found;
    int error;

    if (!value || !flag)
        return ERROR_OWNER(o, MPI_ERR_ARG, call, "there is no place for the value");
    error = get(o, keyval, &found, call);
    if (error != MPI_SUCCESS)
        return error;
    *flag = found != NULL;
    if (found)
        *(void **)value = attribute_pointer(found);
    return MPI_SUCCESS;
}

/* MPI 4.1, 7.7.2: deleting an attribute that was not set is an error. Predefined attributes are in
 * no list, so they cannot be deleted. */
static int discard(const struct owner *o, int keyval, const char *call)
{
    struct mpi_keyval *k = attribute_keyval_of(o->of, keyval);
    struct mpi_attribute **at = k ? attribute_find(o->list, k) : NULL;
    int error;

    if (!k || !*at)
        return no_key(o, keyval, call);
    /* If the delete function fails, the attribute stays (MPI 4.1, 7.7.2). */
    error = attribute_delete_one(o->list, at, o->handle);
    return error == MPI_SUCCESS
               ? error
               : ERROR_OWNER(o, error, call, "the attribute's delete function has failed");
}

#define ATTRIBUTE_CALLS(Kind, Handle, of, owner_of)                                                \
    MPI_DEFINE(int, Kind##_create_keyval,                                                          \
               (MPI_##Kind##_copy_attr_function * copy,                                            \
                MPI_##Kind##_delete_attr_function * delete, int *keyval, void *extra))             \
    {                                                                                              \
        return create(of, (void *)copy, (void *)delete, keyval, extra, MPI_CALL);                  \
    }                                                                                              \
    MPI_DEFINE(int, Kind##_free_keyval, (int *keyval))                                             \
    {                                                                                              \
        return give_up(of, keyval, MPI_CALL);                                                      \
    }                                                                                              \
    int attribute_put_##Kind(Handle handle, int keyval, struct attribute_value value,              \
                             const char *call)                                                     \
    {                                                                                              \
        struct owner o = {0};                                                                      \
        int error = owner_of(handle, &o, call);                                                    \
        return error == MPI_SUCCESS ? put(&o, keyval, value, call) : error;                        \
    }                                                                                              \
    int attribute_get_##Kind(Handle handle, int keyval, struct attribute_value **value,            \
                             const char *call)                                                     \
    {                                                                                              \
        struct owner o = {0};                                                                      \
        int error = owner_of(handle, &o, call);                                                    \
        return error == MPI_SUCCESS ? get(&o, keyval, value, call) : error;                        \
    }                                                                                              \
    MPI_DEFINE(int, Kind##_set_attr, (Handle handle, int keyval, void *value))                     \
    {                                                                                              \
        return attribute_put_##Kind(                                                               \
            handle, keyval, (struct attribute_value){LANGUAGE_C, {.pointer = value}}, MPI_CALL);   \
    }                                                                                              \
    MPI_DEFINE(int, Kind##_get_attr, (Handle handle, int keyval, void *value, int *flag))          \
    {                                                                                              \
        struct owner o = {0};                                                                      \
        int error = owner_of(handle, &o, MPI_CALL);                                                \
        return error == MPI_SUCCESS ? get_pointer(&o, keyval, value, flag, MPI_CALL) : error;      \
    }                                                                                              \
    MPI_DEFINE(int, Kind##_delete_attr, (Handle handle, int keyval))                               \
    {                                                                                              \
        struct owner o = {0};                                                                      \
        int error = owner_of(handle, &o, MPI_CALL);                                                \
        return error == MPI_SUCCESS ? discard(&o, keyval, MPI_CALL) : error;                       \
    }

ATTRIBUTE_CALLS(Comm, MPI_Comm, OBJECT_COMM, comm_owner)
ATTRIBUTE_CALLS(Type, MPI_Datatype, OBJECT_TYPE, type_owner)
ATTRIBUTE_CALLS(Win, MPI_Win, OBJECT_WIN, win_owner)

/* ---- MPI-1's names -------------------------------------------------------------------------- */

MPI_ALSO(int, Keyval_create, Comm_create_keyval,
         (MPI_Copy_function * copy, MPI_Delete_function *delete, int *keyval, void *extra));
MPI_ALSO(int, Keyval_free, Comm_free_keyval, (int *keyval));
MPI_ALSO(int, Attr_put, Comm_set_attr, (MPI_Comm comm, int keyval, void *value));
MPI_ALSO(int, Attr_get, Comm_get_attr, (MPI_Comm comm, int keyval, void *value, int *flag));
MPI_ALSO(int, Attr_delete, Comm_delete_attr, (MPI_Comm comm, int keyval));
