/* pvm_buffer.c - message buffers by number, and the current ones for sending and receiving.
 *
 * A number is an index into a table; it is reused when its buffer is freed, as in PVM.  The memory
 * of one freed buffer is cached, so that a program that packs messages repeatedly does not allocate
 * each time.
 */
#include "vm.h"

#include <stdlib.h>

static struct {
    struct vm_buffer **buffer; /* [number - 1] */
    int n, lowest;             /* all numbers below are in use */
    hn_buffer *spare;
} table;

/* The current buffers; 0: none.  Each thread has its own, so that one can pack while another one
 * unpacks. */
static _Thread_local struct {
    int send, receive;
} current;

struct vm_buffer *vm_buffer(int id)
{
    return id > 0 && id <= table.n ? table.buffer[id - 1] : NULL;
}

/* Returns an unused number, or 0 if out of memory. */
static int free_number(void)
{
    struct vm_buffer **more;

    while (table.lowest < table.n && table.buffer[table.lowest])
        table.lowest++;
    if (table.lowest < table.n)
        return table.lowest + 1;
    more = realloc(table.buffer, sizeof *more * (size_t)(table.n + 1));
    if (!more)
        return 0;
    table.buffer = more;
    table.buffer[table.n++] = NULL;
    return table.n;
}

static hn_buffer *new_data(void)
{
    hn_buffer *data = table.spare;

    table.spare = NULL;
    return data ? data : hn_buffer_new();
}

int vm_buffer_new(int encoding, hn_buffer *data)
{
    struct vm_buffer *buffer = calloc(1, sizeof *buffer);
    int id = free_number();

    if (!buffer || !id)
        goto failed;
    buffer->borrowed = data != NULL;
    buffer->data = data ? data : new_data();
    if (!buffer->data)
        goto failed;
    buffer->encoding = encoding;
    buffer->context = vm_context();
    buffer->from = hn_mytid();
    table.buffer[id - 1] = buffer;
    return id;
failed:
    free(buffer);
    return PvmNoMem;
}

static void free_data(struct vm_buffer *buffer)
{
    if (buffer->borrowed)
        return;
    if (table.spare) {
        hn_buffer_free(buffer->data);
        return;
    }
    hn_buffer_clear(buffer->data);
    table.spare = buffer->data;
}

void vm_buffer_free(int id)
{
    struct vm_buffer *buffer = vm_buffer(id);

    if (!buffer)
        return;
    free_data(buffer);
    free(buffer->places);
    free(buffer);
    table.buffer[id - 1] = NULL;
    if (table.lowest >= id)
        table.lowest = id - 1;
    if (current.send == id)
        current.send = 0;
    if (current.receive == id)
        current.receive = 0;
}

int vm_buffer_ready(struct vm_buffer *buffer)
{
    int result = HN_OK;

    if (buffer->nplace > 0)
        hn_buffer_clear(buffer->data);
    for (int i = 0; i < buffer->nplace && result == HN_OK; i++) {
        const struct vm_place *p = &buffer->places[i];
        result = hn_pack(buffer->data, p->data, p->count, p->type, p->stride);
    }
    return vm_result(result);
}

/* ---- current buffers ---------------------------------------------------------------------- */

int vm_send_id(void)
{
    return current.send;
}

int vm_receive_id(void)
{
    return current.receive;
}

/* A buffer cannot be current for sending and receiving at the same time. */
static int set(int *which, int *other, int id)
{
    int before = *which;

    if (id < 0)
        return PvmBadParam;
    if (id > 0 && !vm_buffer(id))
        return PvmNoSuchBuf;
    if (*other == id)
        *other = 0;
    *which = id;
    return before;
}

int vm_set_send(int id)
{
    return set(&current.send, &current.receive, id);
}

int vm_set_receive(int id)
{
    return set(&current.receive, &current.send, id);
}

void vm_buffer_rewind(struct vm_buffer *buffer)
{
    hn_buffer_rewind(buffer->data);
    buffer->unpacked = 0;
}

struct vm_buffer *vm_to_pack(void)
{
    struct vm_buffer *buffer = vm_buffer(current.send);

    if (buffer && !buffer->packs) {
        hn_buffer_clear(buffer->data);
        buffer->nplace = 0;
        buffer->unpacked = 0;
        buffer->packs = true;
    }
    return buffer;
}

struct vm_buffer *vm_to_unpack(void)
{
    struct vm_buffer *buffer = vm_buffer(current.receive);

    if (buffer && buffer->packs && vm_buffer_ready(buffer) == PvmOk) {
        vm_buffer_rewind(buffer);
        buffer->packs = false;
    }
    return buffer;
}

/* ---- public calls ------------------------------------------------------------------------- */

static bool is_encoding(int encoding)
{
    return encoding == PvmDataDefault || encoding == PvmDataRaw || encoding == PvmDataInPlace ||
           encoding == PvmDataTrace;
}

static int make(int encoding)
{
    return is_encoding(encoding) ? vm_buffer_new(encoding, NULL) : PvmBadParam;
}

int vm_begin_send(int encoding)
{
    int id;

    if (!is_encoding(encoding))
        return PvmBadParam;
    vm_buffer_free(current.send);
    id = make(encoding);
    if (id > 0)
        current.send = id;
    return id;
}

static int give_up(int id)
{
    if (id < 0)
        return PvmBadParam;
    if (id > 0 && !vm_buffer(id))
        return PvmNoSuchBuf;
    vm_buffer_free(id);
    return PvmOk;
}

int pvm_mkbuf(int encoding)
{
    return VM_CALL(make(encoding));
}

int pvm_initsend(int encoding)
{
    return VM_CALL(vm_begin_send(encoding));
}

int pvm_freebuf(int buffer)
{
    return VM_CALL(give_up(buffer));
}

int pvm_getsbuf(void)
{
    return VM_CALL(vm_send_id());
}

int pvm_getrbuf(void)
{
    return VM_CALL(vm_receive_id());
}

int pvm_setsbuf(int buffer)
{
    return VM_CALL(vm_set_send(buffer));
}

int pvm_setrbuf(int buffer)
{
    return VM_CALL(vm_set_receive(buffer));
}
