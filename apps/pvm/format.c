/* format.c - pvm_packf() and pvm_unpackf(): packing described by a format string.
 *
 *     %+                               a new send buffer; the encoding is an argument
 *     %[count][.stride][h|l|u...]type  type: c bytes, d integers, f floats, x complex, s a string
 *
 * count and stride are numbers, or * for an argument.  Without a count pvm_packf() takes a value,
 * else an address.  Complex numbers, and all arguments of pvm_unpackf(), are addresses.  Other
 * characters are skipped.
 *
 * Nothing is undone after an error: the elements before it are in the buffer, or have been taken
 * from it.
 */
#include "vm.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>

/* One conversion of a format. counted: has a count or a stride. */
struct spec {
    bool counted;
    int count, stride;
    bool is_short, is_long, is_unsigned;
    char type;
};

/* A va_list inside a struct can be passed on by address. */
struct arguments {
    va_list list;
};

/* Parses a number, or takes it from the arguments.  Returns false if there is none. A number that
 * is too large for an int is not checked. */
static bool read_number(const char **at, int *number, struct arguments *arguments)
{
    char *end;

    if (**at == '*') {
        (*at)++;
        *number = va_arg(arguments->list, int);
        return true;
    }
    if (!isdigit((unsigned char)**at))
        return false;
    *number = (int)strtol(*at, &end, 10);
    *at = end;
    return true;
}

/* Parses a conversion after %, and advances *at. At the end of the format the type is 0, which is
 * an error. */
static struct spec read_spec(const char **at, struct arguments *arguments)
{
    struct spec s = {.count = 1, .stride = 1};

    /* Without a number the count stays 1. */
    s.counted = read_number(at, &s.count, arguments);
    /* A stride may come without a count. */
    if (**at == '.') {
        (*at)++;
        s.counted = read_number(at, &s.stride, arguments) || s.counted;
    }
    /* In any order, and repeated letters are no error. */
    for (; **at == 'h' || **at == 'l' || **at == 'u'; (*at)++) {
        s.is_short |= **at == 'h';
        s.is_long |= **at == 'l';
        s.is_unsigned |= **at == 'u';
    }
    s.type = **at;
    if (s.type)
        (*at)++;
    return s;
}

/* Returns -1 for an unknown type. h and l apply to integers, and l to f and x. */
static hn_type type_of(const struct spec *s)
{
    switch (s->type) {
    case 'c':
        return HN_BYTE;
    case 'f':
        return s->is_long ? HN_DOUBLE : HN_FLOAT;
    case 'x':
        return s->is_long ? HN_DOUBLE_COMPLEX : HN_COMPLEX;
    /* The letter u applies to integers only. */
    case 'd':
        if (s->is_long)
            return s->is_unsigned ? HN_ULONG : HN_LONG;
        if (s->is_short)
            return s->is_unsigned ? HN_USHORT : HN_SHORT;
        return s->is_unsigned ? HN_UINT : HN_INT;
    default:
        return -1;
    }
}

/* Packs one value in the form in which C passes it to variadic functions. */
static int pack_value(const struct spec *s, struct arguments *arguments)
{
    /* C promotes float to double here, and short and char to int. */
    if (s->type == 'f') {
        double d = va_arg(arguments->list, double);
        float f = (float)d;
        return s->is_long ? vm_pack_value(&d, HN_DOUBLE) : vm_pack_value(&f, HN_FLOAT);
    }
    if (s->type == 'd' && s->is_long) {
        long l = va_arg(arguments->list, long);
        return vm_pack_value(&l, type_of(s));
    }
    int i = va_arg(arguments->list, int);
    short h = (short)i;
    char c = (char)i;
    if (s->type == 'c')
        return vm_pack_value(&c, HN_BYTE);
    return s->is_short ? vm_pack_value(&h, type_of(s)) : vm_pack_value(&i, type_of(s));
}

/* A text has no count: only the address is taken. A complex number without a count is an
 * address, too: C cannot pass it as one argument of a known type. */
static int pack_one(const struct spec *s, struct arguments *arguments)
{
    if (s->type == 's')
        return vm_pack_text(va_arg(arguments->list, const char *));
    if (type_of(s) < 0)
        return PvmBadParam;
    if (!s->counted && s->type != 'x')
        return pack_value(s, arguments);
    return vm_pack(va_arg(arguments->list, const void *), s->count, type_of(s), s->stride);
}

/* The count is 1 if the format has none. Unlike pack_one(), all types take an address, because a
 * result must be stored. */
static int unpack_one(const struct spec *s, struct arguments *arguments)
{
    if (s->type == 's')
        return vm_unpack_text(va_arg(arguments->list, char *));
    if (type_of(s) < 0)
        return PvmBadParam;
    return vm_unpack(va_arg(arguments->list, void *), s->count, type_of(s), s->stride);
}

/* Stops at the first error; what precedes it is packed. */
static int follow(const char *format, struct arguments *arguments,
                  int (*one)(const struct spec *, struct arguments *))
{
    int result = PvmOk;

    if (!format)
        return PvmBadParam;
    while (*format && result == PvmOk) {
        struct spec s;
        /* Text between conversions is ignored. */
        if (*format++ != '%')
            continue;
        s = read_spec(&format, arguments);
        result = one(&s, arguments);
    }
    return result;
}

/* Only the start of the format may request a new buffer. */
static int pack_all(const char *format, struct arguments *arguments)
{
    int result = PvmOk;

    /* Without %+ the elements are appended to the current buffer. */
    if (format && format[0] == '%' && format[1] == '+') {
        format += 2;
        result = vm_begin_send(va_arg(arguments->list, int));
    }
    return result < 0 ? result : follow(format, arguments, pack_one);
}

/* The encoding after %+ is the first argument, before those of the conversions. PvmNoBuf: there
 * is no current buffer, and the format has no %+. */
int pvm_packf(const char *format, ...)
{
    struct arguments arguments;
    int result;

    va_start(arguments.list, format);
    result = VM_CALL(pack_all(format, &arguments));
    va_end(arguments.list);
    return result;
}

/* From the current receive buffer. A text needs enough memory, as in pvm_upkstr(). */
int pvm_unpackf(const char *format, ...)
{
    struct arguments arguments;
    int result;

    va_start(arguments.list, format);
    result = VM_CALL(follow(format, &arguments, unpack_one));
    va_end(arguments.list);
    return result;
}
