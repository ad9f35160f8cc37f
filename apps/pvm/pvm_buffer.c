/* pvm_buffer.c - message buffers by number, and the current ones for sending and receiving.
 *
 * A number is an index into a table; it is reused when its buffer is freed, as in PVM.  The memory
 * of one freed buffer is cached, so that a program that packs messages repeatedly does not allocate
 * each time.
 *
 * The lock of the library protects the table. A function that releases it must find its buffer
 * anew by the number, since another thread may have freed it.
 */
#include "vm.h"

#include <stdlib.h>

struct vm_table vm_table;

/* Returns an unused number, or 0 if out of memory. The lowest unused number, so numbers stay
 * small. */
static int free_number(void)
{
    struct vm_buffer **more;

    /* The search starts at `lowest`, which moves back when a buffer is freed. */
    while (vm_table.lowest < vm_table.n && vm_table.buffer[vm_table.lowest])
        vm_table.lowest++;
    if (vm_table.lowest < vm_table.n)
        return vm_table.lowest + 1;
    more = realloc(vm_table.buffer, sizeof *more * (size_t)(vm_table.n + 1));
    if (!more)
        return 0;
    vm_table.buffer = more;
    /* The entry stays in the table when its buffer is freed. The table never shrinks. */
    vm_table.buffer[vm_table.n++] = NULL;
    return vm_table.n;
}

/* The cached one is empty. */
static hn_buffer *new_data(void)
{
    hn_buffer *data = vm_table.spare;

    vm_table.spare = NULL;
    return data ? data : hn_buffer_new();
}

/* If one of the two allocations fails, the number is not taken: its entry is still NULL. */
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
    /* Until a receive sets the sender. */
    buffer->from = hn_mytid();
    vm_table.buffer[id - 1] = buffer;
    return id;
failed:
    free(buffer);
    return PvmNoMem;
}

/* A borrowed buffer is that of a handler's message. */
static void free_data(struct vm_buffer *buffer)
{
    if (buffer->borrowed)
        return;
    if (vm_table.spare) {
        hn_buffer_free(buffer->data);
        return;
    }
    /* Its memory is kept, so the next message of similar size needs no allocation. */
    hn_buffer_clear(buffer->data);
    vm_table.spare = buffer->data;
}

/* The data of a handler's message belong to hnow, so only the descriptor is freed. */
void vm_buffer_free(int id)
{
    struct vm_buffer *buffer = vm_buffer(id);

    if (!buffer)
        return;
    free_data(buffer);
    free(buffer->places);
    free(buffer);
    vm_table.buffer[id - 1] = NULL;
    /* This number is the lowest free one now. */
    if (vm_table.lowest >= id)
        vm_table.lowest = id - 1;
    if (vm_thread.send == id)
        vm_thread.send = 0;
    if (vm_thread.receive == id)
        vm_thread.receive = 0;
}

/* A buffer sent twice is packed twice, with the data of that moment. */
int vm_buffer_ready(struct vm_buffer *buffer)
{
    int result = HN_OK;

    /* A buffer without data in place is complete already. */
    if (buffer->nplace > 0)
        hn_buffer_clear(buffer->data);
    for (int i = 0; i < buffer->nplace && result == HN_OK; i++) {
        const struct vm_place *p = &buffer->places[i];
        result = hn_pack(buffer->data, p->data ? p->data : p->value, p->count, p->type, p->stride);
    }
    return vm_result(result);
}

/* ---- current buffers ---------------------------------------------------------------------- */

/* A buffer cannot be current for sending and receiving at the same time. Returns the previous
 * number, 0 if there was none. */
static int set(int *which, int *other, int id)
{
    int before = *which;

    if (id < 0)
        return PvmBadParam;
    if (id > 0 && !vm_buffer(id))
        return PvmNoSuchBuf;
    /* For id 0 this changes nothing. */
    if (*other == id)
        *other = 0;
    *which = id;
    return before;
}

/* PvmNoSuchBuf: no buffer has this number; the current one stays. */
int vm_set_send(int id)
{
    return set(&vm_thread.send, &vm_thread.receive, id);
}

/* The position in the buffer is unchanged, so a program may switch between messages. */
int vm_set_receive(int id)
{
    return set(&vm_thread.receive, &vm_thread.send, id);
}

/* The contents are lost, as in PVM, when a program packs into a message that it has received. */
void vm_buffer_pack_anew(struct vm_buffer *buffer)
{
    hn_buffer_clear(buffer->data);
    buffer->nplace = 0;
    buffer->packs = true;
}

/* If out of memory, the buffer stays as it is. */
void vm_buffer_unpack_anew(struct vm_buffer *buffer)
{
    if (vm_buffer_ready(buffer) != PvmOk)
        return;
    hn_buffer_rewind(buffer->data);
    buffer->nplace = 0; /* the data have been read */
    buffer->packs = false;
}

/* ---- public calls ------------------------------------------------------------------------- */

/* PvmDataDefault and PvmDataRaw are the same here, because hnow converts by types. */
static bool is_encoding(int encoding)
{
    return encoding == PvmDataDefault || encoding == PvmDataRaw || encoding == PvmDataInPlace ||
           encoding == PvmDataTrace;
}

/* Its number is never 0: 0 is PVM's value for no buffer. */
static int make(int encoding)
{
    return is_encoding(encoding) ? vm_buffer_new(encoding, NULL) : PvmBadParam;
}

/* A wrong encoding leaves the old buffer current. */
int vm_begin_send(int encoding)
{
    int id;

    if (!is_encoding(encoding))
        return PvmBadParam;
    vm_buffer_free(vm_thread.send);
    id = make(encoding);
    if (id > 0)
        vm_thread.send = id;
    return id;
}

/* Also for a current buffer, or a probed message, which is then lost. */
static int give_up(int id)
{
    if (id < 0)
        return PvmBadParam;
    if (id > 0 && !vm_buffer(id))
        return PvmNoSuchBuf;
    vm_buffer_free(id);
    return PvmOk;
}

/* The program frees it. */
int pvm_mkbuf(int encoding)
{
    return VM_CALL(make(encoding));
}

/* Frees the current send buffer, and makes a new one current. Returns its number. */
int pvm_initsend(int encoding)
{
    return VM_CALL(vm_begin_send(encoding));
}

/* PvmNoSuchBuf: it was freed already. */
int pvm_freebuf(int buffer)
{
    return VM_CALL(give_up(buffer));
}

/* 0 inside a message handler, unless the handler has made a buffer current. */
int pvm_getsbuf(void)
{
    return VM_CALL(vm_thread.send);
}

/* Each receive but pvm_precv() changes it, and so does pvm_recvinfo(). */
int pvm_getrbuf(void)
{
    return VM_CALL(vm_thread.receive);
}

/* The buffer need not be new: a received message can be sent again. */
int pvm_setsbuf(int buffer)
{
    return VM_CALL(vm_set_send(buffer));
}

/* Unpacking continues where it has stopped in that buffer. */
int pvm_setrbuf(int buffer)
{
    return VM_CALL(vm_set_receive(buffer));
}
