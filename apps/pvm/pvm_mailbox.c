/* pvm_mailbox.c - mailboxes: pvm_putinfo() and related calls, and the older pvm_insert() etc.,
 * whose values are an int.
 *
 * They use hnow's name service.  HN_ESTATE (the entry belongs to another task) becomes PvmDenied.
 *
 * The service of hrun keeps the entries, so each call is a round trip, and all tasks see the same
 * table. An entry is a name and an index, with a message as its value.
 */
#include "vm.h"

#include <stdlib.h>
#include <string.h>

/* Other results are mapped as in all calls. */
static int denied(int result)
{
    return result == HN_ESTATE ? PvmDenied : vm_result(result);
}

/* ---- putting ------------------------------------------------------------------------------ */

/* PvmMboxMultiInstance: a further entry under the same name, else index 0 or the one in the flags.
 * The value is a copy of the buffer. */
static int put(const char *name, int id, int flags)
{
    struct vm_buffer *buffer = vm_buffer(id);
    /* Without an index in the flags this is 0. */
    int index = PvmMboxDirectIndexOf(flags), hnow = 0, result;

    if (!name || !buffer)
        return name && id > 0 ? PvmNoSuchBuf : PvmBadParam;
    hnow |= flags & PvmMboxPersistent ? HN_NAME_STAYS : 0;
    hnow |= flags & PvmMboxOverWritable ? HN_NAME_SHARED : 0;
    /* With an index in the flags, the search for a free one starts there. */
    hnow |= flags & PvmMboxMultiInstance ? HN_NAME_MANY | HN_NAME_FREE : 0;
    /* Data in place are packed, and later changes of them do not matter. */
    result = vm_buffer_ready(buffer);
    if (result != PvmOk)
        return result;
    return denied(hn_name_put(name, index, hnow, buffer->data));
}

/* Returns the index. PvmDenied: the entry belongs to another task, and is not PvmMboxOverWritable.
 * An entry ends with its task, unless it is PvmMboxPersistent. */
int pvm_putinfo(char *name, int buffer, int flags)
{
    return VM_ASK(put(name, buffer, flags), PvmDenied);
}

/* ---- getting ------------------------------------------------------------------------------ */

/* The sender is the owner of the entry. */
static int get_into(int id, const char *name, int index, int flags)
{
    int hnow = 0, wait = flags & PvmMboxWaitForInfo ? -1 : 0, result;
    hn_name_info info;

    /* The two flags can be combined: the entry found is the one deleted. */
    hnow |= flags & PvmMboxFirstAvail ? HN_NAME_NEXT : 0;
    hnow |= flags & PvmMboxReadAndDelete ? HN_NAME_TAKE : 0;
    /* The table may change while the call waits, but not this buffer. */
    hn_buffer *data = vm_buffer(id)->data;
    VM_WAIT(result = hn_name_get(name, index, hnow, wait, data, &info));
    /* Found anew by its number, as the lock was released. */
    if (result == HN_OK)
        vm_buffer(id)->from = info.owner;
    return denied(result);
}

/* The current receive buffer is freed only after success. */
static int get(const char *name, int index, int flags)
{
    int id, result;

    if (!name || !*name || index < 0)
        return PvmBadParam;
    id = vm_buffer_new(PvmDataDefault, NULL);
    if (id < 0)
        return id;
    result = get_into(id, name, index, flags);
    if (result != PvmOk) {
        vm_buffer_free(id);
        return result;
    }
    /* As a receive does. */
    vm_buffer_free(vm_thread.receive);
    vm_set_receive(id);
    return id;
}

/* PvmMboxFirstAvail: this index or the next one. PvmMboxReadAndDelete: PvmDenied if the entry is
 * another task's, and not PvmMboxOverWritable. PvmMboxWaitForInfo: blocks until there is one. */
int pvm_recvinfo(char *name, int index, int flags)
{
    return VM_ASK(get(name, index, flags), PvmNotFound);
}

/* Deletes an entry.  Returns its index, as PVM does.  hn_name_delete() would also delete an entry
 * of a task that has ended. */
static int take_away(const char *name, int index)
{
    if (!name || !*name || index < 0)
        return PvmBadParam;

    int result = denied(hn_name_get(name, index, HN_NAME_TAKE, 0, NULL, NULL));
    return result == PvmOk ? index : result;
}

/* The flags have no meaning. */
int pvm_delinfo(char *name, int index, int flags)
{
    (void)flags;
    return VM_ASK(take_away(name, index), PvmDenied, PvmNotFound);
}

/* ---- entries of one int ------------------------------------------------------------------- */

/* These entries outlive their task. */
static int put_int(const char *name, int index, int value)
{
    hn_buffer *buffer = hn_buffer_new();
    int result = buffer ? hn_pack(buffer, &value, 1, HN_INT, 1) : HN_ENOMEM;
    /* With index -1 hrun chooses the lowest free one. */
    int flags = HN_NAME_STAYS | HN_NAME_MANY | (index < 0 ? HN_NAME_FREE : 0);

    if (result == HN_OK)
        result = hn_name_put(name, index < 0 ? 0 : index, flags, buffer);
    hn_buffer_free(buffer);
    return denied(result);
}

/* An existing entry is not replaced, not even the caller's own. */
static int insert(const char *name, int index, int value)
{
    if (!name || index < -1)
        return PvmBadParam;
    /* The entry may be made by another task after this check; then hn_name_put() refuses it. */
    if (index >= 0 && hn_name_get(name, index, 0, 0, NULL, NULL) == HN_OK)
        return PvmDenied;
    return put_int(name, index, value);
}

/* The value may be NULL; then only the index is returned. */
static int lookup(const char *name, int index, int *value)
{
    hn_buffer *buffer;
    hn_name_info info;
    int result;

    if (!name || !*name || index < -1)
        return PvmBadParam;
    /* The value is the first int, whatever else the entry contains. */
    buffer = hn_buffer_new();
    result = buffer ? hn_name_get(name, index, 0, 0, buffer, &info) : HN_ENOMEM;
    if (result == HN_OK && value)
        result = hn_unpack(buffer, value, 1, HN_INT, 1);
    hn_buffer_free(buffer);
    return result == HN_OK ? info.index : vm_result(result);
}

/* PvmDupEntry, which is PvmDenied: the index is in use. */
int pvm_insert(char *name, int index, int value)
{
    return VM_ASK(insert(name, index, value), PvmDupEntry);
}

int pvm_lookup(char *name, int index, int *value)
{
    return VM_ASK(lookup(name, index, value), PvmNoEntry);
}

/* PvmNoEntry: there is no such entry. */
int pvm_delete(char *name, int index)
{
    return VM_ASK(take_away(name, index), PvmNoEntry);
}

/* ---- listing ------------------------------------------------------------------------------ */

/* What pvm_getmboxinfo() gives the program. */
static struct {
    hn_name_info *info; /* owns the names */
    struct pvmmboxinfo *classes;
    int *numbers; /* the arrays of all classes: indices, owners, flags */
} listed;

/* The lists that an earlier call has returned are invalid afterwards. */
static void forget(void)
{
    free(listed.info);
    free(listed.classes);
    free(listed.numbers);
    listed.info = NULL;
    listed.classes = NULL;
    listed.numbers = NULL;
}

/* Contexts of groups, which the program has not made. */
static bool is_hidden(const char *name)
{
    return strncmp(name, VM_HIDDEN, sizeof VM_HIDDEN - 1) == 0;
}

/* Escapes a pattern so that only * is special; NULL: out of memory. A backslash in the name is not
 * escaped. */
static char *quoted(const char *name)
{
    char *pattern = malloc(2 * strlen(name) + 1), *to = pattern;

    /* At most two characters for each one of the name. */
    for (; pattern && *name; name++) {
        if (strchr("?[]", *name))
            *to++ = '\\';
        *to++ = *name;
    }
    if (pattern)
        *to = 0;
    return pattern;
}

/* Lists the names that contain a pattern; * matches any text. An empty pattern matches all
 * names. */
static int list_names(const char *pattern, int *n)
{
    char *inner = quoted(pattern), *whole = NULL;
    int m = 0, result = HN_ENOMEM;

    if (inner && asprintf(&whole, "*%s*", inner) >= 0)
        result = hn_name_list(whole, &listed.info, n);
    for (int i = 0; result == HN_OK && i < *n; i++)
        /* Closes the gaps of hidden names. */
        if (!is_hidden(listed.info[i].name))
            listed.info[m++] = listed.info[i];
    free(inner);
    free(whole);
    *n = m;
    return vm_result(result);
}

/* The flags of pvm_putinfo(); the index is not among them. */
static int flags_of(const hn_name_info *info)
{
    return (info->flags & HN_NAME_STAYS ? PvmMboxPersistent : 0) |
           (info->flags & HN_NAME_MANY ? PvmMboxMultiInstance : PvmMboxDirectIndex(info->index)) |
           (info->flags & HN_NAME_SHARED ? PvmMboxOverWritable : 0);
}

/* Entries of a task that has ended have no owner. */
static int owner_of(const hn_name_info *info)
{
    hn_task_info task;

    /* Such an entry exists only as long as its owner, so no query is needed. */
    if (!(info->flags & HN_NAME_STAYS))
        return info->owner;
    return hn_task_status(info->owner, &task) == HN_OK && task.state != HN_ENDED ? info->owner : 0;
}

/* Groups the entries, which are sorted by name, into classes.  Returns their number. */
static int make_classes(int n)
{
    int *indices = listed.numbers, *owners = indices + n, *flags = owners + n, classes = 0;

    for (int i = 0; i < n; i++) {
        hn_name_info *info = &listed.info[i];
        /* Entries of one name are adjacent. */
        if (i == 0 || strcmp(info->name, info[-1].name))
            listed.classes[classes++] = (struct pvmmboxinfo){.mi_name = info->name,
                                                             .mi_indices = indices + i,
                                                             .mi_owners = owners + i,
                                                             .mi_flags = flags + i};
        listed.classes[classes - 1].mi_nentries++;
        indices[i] = info->index;
        owners[i] = owner_of(info);
        flags[i] = flags_of(info);
    }
    return classes;
}

/* One query for all names, and one for each entry that stays. */
static int list(const char *pattern, int *count, struct pvmmboxinfo **classes)
{
    int n, result;

    forget();
    result = list_names(pattern ? pattern : "", &n);
    if (result != PvmOk)
        return result;
    listed.classes = calloc((size_t)n + 1, sizeof *listed.classes);
    /* Three arrays of n numbers in one block; the classes point into it. */
    listed.numbers = calloc((size_t)n + 1, 3 * sizeof *listed.numbers);
    if (!listed.classes || !listed.numbers)
        return PvmNoMem;
    n = make_classes(n);
    if (count)
        *count = n;
    if (classes)
        *classes = listed.classes;
    return PvmOk;
}

/* The arrays of a class have mi_nentries elements. All is valid until the next call. */
int pvm_getmboxinfo(char *pattern, int *count, struct pvmmboxinfo **classes)
{
    return VM_CALL(list(pattern, count, classes));
}
