/* pvm_pack.c - pvm_pk...() and pvm_upk...(): pack elements into the send buffer, unpack them from
 * the receive buffer.
 *
 * Every element is sent with its type.  Data packed in place (PvmDataInPlace) is only recorded, and
 * packed when the buffer is sent.
 *
 * The encoding only decides whether data are copied now. Conversion between unlike hosts is the
 * work of hnow, at the receiver, so no encoding needs it here.
 */
#include "vm.h"

#include <stdlib.h>
#include <string.h>

/* A text is an array of bytes here. */
hn_type vm_type(int datatype)
{
    static const hn_type types[] = {
        [PVM_STR] = HN_BYTE,      [PVM_BYTE] = HN_BYTE,
        [PVM_SHORT] = HN_SHORT,   [PVM_INT] = HN_INT,
        [PVM_FLOAT] = HN_FLOAT,   [PVM_CPLX] = HN_COMPLEX,
        [PVM_DOUBLE] = HN_DOUBLE, [PVM_LONG] = HN_LONG,
        [PVM_USHORT] = HN_USHORT, [PVM_DCPLX] = HN_DOUBLE_COMPLEX,
        [PVM_UINT] = HN_UINT,     [PVM_ULONG] = HN_ULONG,
    };
    return datatype >= 0 && datatype < (int)(sizeof types / sizeof *types) ? types[datatype] : -1;
}

/* Returns element i of strided data; the stride may be negative. */
static char *element(const void *data, int i, hn_type type, int stride)
{
    return (char *)data + (ptrdiff_t)i * stride * (ptrdiff_t)hn_type_size(type);
}

/* ---- packing ------------------------------------------------------------------------------ */

/* Returns a new entry for data in place; NULL: out of memory. */
static struct vm_place *leave_in_place(struct vm_buffer *buffer, const void *data, int count,
                                       hn_type type, int stride)
{
    /* One more entry each time, since such a message has few elements. */
    struct vm_place *more = realloc(buffer->places, sizeof *more * (size_t)(buffer->nplace + 1));

    if (!more)
        return NULL;
    buffer->places = more;
    more[buffer->nplace] = (struct vm_place){
        .data = data, .count = (size_t)count, .stride = (size_t)stride, .type = type};
    return &more[buffer->nplace++];
}

static int add(struct vm_buffer *buffer, const void *data, int count, hn_type type, int stride)
{
    int result = PvmOk;

    /* hnow's strides are positive. */
    if (count > 1 && stride < 1) { /* one by one */
        for (int i = 0; i < count && result == PvmOk; i++)
            result = add(buffer, element(data, i, type, stride), 1, type, 1);
        return result;
    }
    /* The stride of a single element has no meaning, and may be anything. */
    stride = count > 1 ? stride : 1;
    if (buffer->encoding == PvmDataInPlace)
        return leave_in_place(buffer, data, count, type, stride) ? PvmOk : PvmNoMem;
    /* hnow copies the elements without the gaps. */
    return vm_result(hn_pack(buffer->data, data, (size_t)count, type, (size_t)stride));
}

int vm_pack(const void *data, int count, hn_type type, int stride)
{
    struct vm_buffer *buffer = vm_to_pack();

    if (count < 0 || (buffer && !data && count > 0))
        return PvmBadParam;
    return buffer ? add(buffer, data, count, type, stride) : PvmNoBuf;
}

/* The value is gone when the caller returns, so a copy is stored with the entry. */
int vm_pack_value(const void *value, hn_type type)
{
    struct vm_buffer *buffer = vm_to_pack();

    if (!buffer || buffer->encoding != PvmDataInPlace)
        return vm_pack(value, 1, type, 1);

    struct vm_place *place = leave_in_place(buffer, NULL, 1, type, 1);
    if (place)
        memcpy(place->value, value, hn_type_size(type));
    return place ? PvmOk : PvmNoMem;
}

/* As in PVM, a text is its number of bytes, with the 0 at its end, and its bytes. */
int vm_pack_text(const char *text)
{
    struct vm_buffer *buffer = vm_to_pack();

    if (!buffer)
        return PvmNoBuf;
    if (!text)
        return PvmBadParam;
    if (buffer->encoding == PvmDataInPlace)
        return PvmNotImpl;

    /* The receiver reads the length first, and then knows how many bytes follow. */
    int length = (int)strlen(text) + 1;
    int result = hn_pack(buffer->data, &length, 1, HN_INT, 1);
    if (result == HN_OK)
        result = hn_pack(buffer->data, text, (size_t)length, HN_BYTE, 1);
    return vm_result(result);
}

/* ---- unpacking ---------------------------------------------------------------------------- */

/* hn_unpack() has returned `result`. */
static int take_rest(struct vm_buffer *buffer, void *data, size_t count, hn_type type, int result)
{
    /* The elements are of another type, or in several pieces. */
    if (result == HN_ETYPE || result == HN_ETRUNC)
        return vm_take_pieces(buffer, data, count, type);
    return vm_result(result);
}

int vm_take(struct vm_buffer *buffer, void *data, size_t count, hn_type type)
{
    return take_rest(buffer, data, count, type, hn_unpack(buffer->data, data, count, type, 1));
}

/* Unpacks strided elements: types that are a single element directly, all others one by one. */
static __attribute__((noinline)) int take_apart(struct vm_buffer *buffer, void *data, int count,
                                                hn_type type, int stride)
{
    int result = HN_ETYPE;

    /* The fast way, for elements of the same type in one piece. */
    if (stride > 1)
        result = hn_unpack(buffer->data, data, (size_t)count, type, (size_t)stride);
    if (result != HN_ETYPE && result != HN_ETRUNC)
        return vm_result(result);
    result = PvmOk;
    for (int i = 0; i < count && result == PvmOk; i++)
        result = vm_take(buffer, element(data, i, type, stride), 1, type);
    return result;
}

/* The stride may be negative or 0, as for packing. */
int vm_unpack(void *data, int count, hn_type type, int stride)
{
    struct vm_buffer *buffer = vm_to_unpack();

    if (count < 0 || (buffer && !data && count > 0))
        return PvmBadParam;
    if (!buffer)
        return PvmNoBuf;
    /* The stride of a single element has no meaning. */
    if (count > 1 && stride != 1)
        return take_apart(buffer, data, count, type, stride);
    return vm_take(buffer, data, (size_t)count, type);
}

/* The program must provide enough memory for the text: PVM has no length argument. */
int vm_unpack_text(char *text)
{
    int length, result = text ? vm_unpack(&length, 1, HN_INT, 1) : PvmBadParam;

    return result == PvmOk ? vm_unpack(text, length, HN_BYTE, 1) : result;
}

/* ---- public calls ------------------------------------------------------------------------- */

#define PACKERS(X)                                                                                 \
    X(byte, char, HN_BYTE)                                                                         \
    X(short, short, HN_SHORT)                                                                      \
    X(int, int, HN_INT)                                                                            \
    X(long, long, HN_LONG)                                                                         \
    X(ushort, unsigned short, HN_USHORT)                                                           \
    X(uint, unsigned int, HN_UINT)                                                                 \
    X(ulong, unsigned long, HN_ULONG)                                                              \
    X(float, float, HN_FLOAT)                                                                      \
    X(double, double, HN_DOUBLE)                                                                   \
    X(cplx, float, HN_COMPLEX)                                                                     \
    X(dcplx, double, HN_DOUBLE_COMPLEX)

/* All pvm_pk...() and pvm_upk...() of numbers continue in one function, which is not inlined.  The
 * usual case comes first: contiguous elements, and a buffer that is in use already.  Programs pack
 * many single numbers. */
static bool is_contiguous(int count, int stride)
{
    return count == 1 || (count > 1 && stride == 1);
}

static __attribute__((noinline)) int pack_slowly(const void *data, int count, int stride,
                                                 hn_type type, const char *function)
{
    return vm_end(function, vm_enter() ? PvmSysErr : vm_pack(data, count, type, stride));
}

static __attribute__((noinline)) int pack(const void *data, int count, int stride, hn_type type,
                                          const char *function)
{
    if (!is_contiguous(count, stride) || !vm_enter_open())
        return pack_slowly(data, count, stride, type, function);

    const struct vm_buffer *buffer = vm_buffer(vm_thread.send);
    if (!buffer || !buffer->packs || buffer->encoding == PvmDataInPlace) {
        lock_leave_open(&vm_mutex);
        return pack_slowly(data, count, stride, type, function);
    }
    int result = hn_pack(buffer->data, data, (size_t)count, type, 1);
    if (result == HN_OK) {
        lock_leave_open(&vm_mutex);
        return PvmOk;
    }
    vm_enter_late();
    return vm_end(function, vm_result(result));
}

static __attribute__((noinline)) int unpack_slowly(void *data, int count, int stride, hn_type type,
                                                   const char *function)
{
    return vm_end(function, vm_enter() ? PvmSysErr : vm_unpack(data, count, type, stride));
}

static __attribute__((noinline)) int unpack(void *data, int count, int stride, hn_type type,
                                            const char *function)
{
    if (!is_contiguous(count, stride) || !vm_enter_open())
        return unpack_slowly(data, count, stride, type, function);

    struct vm_buffer *buffer = vm_buffer(vm_thread.receive);
    if (!buffer || buffer->packs) {
        lock_leave_open(&vm_mutex);
        return unpack_slowly(data, count, stride, type, function);
    }
    int result = hn_unpack(buffer->data, data, (size_t)count, type, 1);
    if (result == HN_OK) {
        lock_leave_open(&vm_mutex);
        return PvmOk;
    }
    vm_enter_late();
    return vm_end(function, take_rest(buffer, data, (size_t)count, type, result));
}

#define X(name, ctype, type)                                                                       \
    int pvm_pk##name(ctype *p, int count, int stride)                                              \
    {                                                                                              \
        return pack(p, count, stride, type, __func__);                                             \
    }                                                                                              \
    int pvm_upk##name(ctype *p, int count, int stride)                                             \
    {                                                                                              \
        return unpack(p, count, stride, type, __func__);                                           \
    }
PACKERS(X)
#undef X

/* Texts are of bytes, without a conversion of characters. */
int pvm_pkstr(char *text)
{
    return VM_CALL(vm_pack_text(text));
}

int pvm_upkstr(char *text)
{
    return VM_CALL(vm_unpack_text(text));
}
