/* pvm_task.c - a task that tests what PVM's functions do with messages, alone: pvm_task WHAT.  It
 * sends to itself.
 */
#include "pvm_check.h"

#include <limits.h>
#include <time.h>

/* Sends what is packed to oneself and receives it. */
static int through(int tag)
{
    int buffer;

    CHECK(pvm_send(pvm_mytid(), tag) == PvmOk);
    buffer = pvm_recv(-1, tag);
    CHECK(buffer > 0 && pvm_getrbuf() == buffer);
    return buffer;
}

static void buffers(void)
{
    int a[4] = {1, 2, 3, 4}, i = 0, bytes, tag, tid, one, two;
    char text[20];

    CHECK(pvm_getsbuf() == 0 && pvm_getrbuf() == 0);
    CHECK(pvm_pkint(a, 1, 1) == PvmNoBuf && pvm_upkint(a, 1, 1) == PvmNoBuf);
    CHECK(pvm_send(pvm_mytid(), 1) == PvmNoBuf);
    CHECK(pvm_initsend(77) == PvmBadParam && pvm_mkbuf(-1) == PvmBadParam);
    CHECK(pvm_initsend(PvmDataRaw) > 0 && pvm_pkint(a, 4, 1) == PvmOk);
    CHECK(pvm_bufinfo(pvm_getsbuf(), &bytes, NULL, NULL) == PvmOk && bytes == 16);
    one = through(3);
    CHECK(pvm_upkint(&i, 1, 1) == PvmOk && i == 1);
    CHECK(pvm_bufinfo(one, &bytes, &tag, &tid) == PvmOk && bytes == 16 && tag == 3);
    CHECK(tid == pvm_mytid());
    CHECK(pvm_upkint(&i, 1, 1) == PvmOk && i == 2); /* bufinfo has left the place as it was */
    CHECK(pvm_setrbuf(0) == one);                   /* saved: the next receive leaves it alone */
    CHECK(pvm_initsend(PvmDataDefault) > 0 && pvm_pkstr("text") == PvmOk);
    two = through(4);
    CHECK(two != one && pvm_setrbuf(one) == two);
    CHECK(pvm_upkint(&i, 1, 1) == PvmOk && i == 3);
    a[0] = 0;
    CHECK(pvm_upkint(a, 2, 1) == PvmNoData && a[0] == 4); /* what there is, as in PVM */
    CHECK(pvm_upkint(a, 1, 1) == PvmNoData);
    CHECK(pvm_setrbuf(two) == one && pvm_upkstr(text) == PvmOk && strcmp(text, "text") == 0);
    CHECK(pvm_freebuf(one) == PvmOk && pvm_freebuf(one) == PvmNoSuchBuf);
    CHECK(pvm_bufinfo(one, NULL, NULL, NULL) == PvmNoSuchBuf);
    CHECK(pvm_nrecv(-1, 9) == 0 && pvm_getrbuf() == 0); /* a receive gives up the current one */
    CHECK(pvm_setrbuf(two) == PvmNoSuchBuf && pvm_setsbuf(-1) == PvmBadParam);
    CHECK((one = pvm_getsbuf()) > 0 && pvm_setrbuf(one) == 0); /* not both at a time */
    CHECK(pvm_getsbuf() == 0 && pvm_upkstr(text) == PvmOk && pvm_setsbuf(one) == 0);
    CHECK(pvm_getrbuf() == 0 && pvm_recv(pvm_mytid(), -2) == PvmBadParam && pvm_getsbuf() == one);
    one = pvm_mkbuf(PvmDataDefault);
    two = pvm_getsbuf();
    CHECK(pvm_setsbuf(one) == two && pvm_getsbuf() == one && pvm_setsbuf(0) == one);
    CHECK(pvm_freebuf(one) == PvmOk && pvm_freebuf(0) == PvmOk);
}

/* Packing begins anew in a buffer that was received or unpacked, and unpacking in one that was
 * packed. */
static void reused(void)
{
    int a[2] = {1, 2}, b[2] = {0}, bytes, one;
    char text[20];

    for (int encoding = PvmDataDefault; encoding <= PvmDataInPlace; encoding++) {
        CHECK(pvm_initsend(encoding) > 0 && pvm_pkint(a, 2, 1) == PvmOk);
        one = through(1);
        CHECK(pvm_setsbuf(one) > 0 && pvm_pkstr("in place of it") == PvmOk);
        through(2);
        CHECK(pvm_upkstr(text) == PvmOk && pvm_upkint(b, 1, 1) == PvmNoData);
        CHECK(pvm_freebuf(one) == PvmOk && (one = pvm_mkbuf(encoding)) > 0);
        CHECK(pvm_setsbuf(one) == 0 && pvm_pkint(a, 2, 1) == PvmOk);
        CHECK(pvm_setrbuf(one) > 0 && pvm_upkint(b, 2, 1) == PvmOk && b[1] == 2);
        CHECK(pvm_setsbuf(one) == 0 && pvm_pkint(a + 1, 1, 1) == PvmOk);
        CHECK(pvm_bufinfo(one, &bytes, NULL, NULL) == PvmOk && bytes == sizeof *a);
        CHECK(pvm_setrbuf(one) == 0 && pvm_upkint(b, 2, 1) == PvmNoData && b[0] == 2);
        CHECK(pvm_setsbuf(one) == 0 && pvm_send(pvm_mytid(), 3) == PvmOk); /* as it is */
        CHECK(pvm_recv(-1, 3) > 0 && pvm_upkint(b, 1, 1) == PvmOk && b[0] == 2);
        CHECK(pvm_freebuf(one) == PvmOk);
    }
}

static void in_place(void)
{
    int a[4] = {1, 2, 3, 4}, b[2], bytes;
    double d;

    CHECK(pvm_initsend(PvmDataInPlace) > 0 && pvm_pkint(a, 2, 2) == PvmOk);
    CHECK(pvm_pkstr("no") == PvmNotImpl);
    for (int i = 0; i < 3; i++) {
        a[2] = 10 * i;
        through(1);
        CHECK(pvm_upkint(b, 2, 1) == PvmOk && b[0] == 1 && b[1] == 10 * i);
    }
    CHECK(pvm_initsend(PvmDataInPlace) > 0 && pvm_pkint(a, 4, 1) == PvmOk);
    a[3] = 7;
    through(1); /* one array: it goes from where it is */
    CHECK(pvm_bufinfo(pvm_getrbuf(), &bytes, NULL, NULL) == PvmOk && bytes == sizeof a);
    CHECK(pvm_upkint(b, 2, 1) == PvmOk && pvm_upkint(b, 2, 1) == PvmOk && b[1] == 7);
    CHECK(pvm_packf("%+ %d %lf %2d", PvmDataInPlace, 5, 1.5, a) == PvmOk);
    a[0] = 8;
    through(1); /* values are copied */
    CHECK(pvm_upkint(b, 1, 1) == PvmOk && pvm_upkdouble(&d, 1, 1) == PvmOk && b[0] == 5);
    CHECK(d == 1.5 && pvm_upkint(b, 2, 1) == PvmOk && b[0] == 8 && b[1] == a[1]);
    CHECK(pvm_packf("%+ %s", PvmDataInPlace, "no") == PvmNotImpl);
}

/* Every type with a stride; and what is unpacked in other parts than it was packed in. */
#define ROUND(name, type)                                                                          \
    do {                                                                                           \
        type in[6] = {1, 99, 2, 99, 3, 99}, out[6] = {0};                                          \
        CHECK(pvm_initsend(PvmDataDefault) > 0);                                                   \
        CHECK(pvm_pk##name(in, 3, 2) == PvmOk && pvm_pk##name(in + 4, 1, 0) == PvmOk);             \
        through(5);                                                                                \
        CHECK(pvm_upk##name(out, 2, 1) == PvmOk && pvm_upk##name(out + 2, 2, 2) == PvmOk);         \
        CHECK(out[0] == 1 && out[1] == 2 && out[2] == 3 && out[3] == 0 && out[4] == 3);            \
        CHECK(pvm_upk##name(out, 1, 1) == PvmNoData && pvm_upk##name(out, 0, 1) == PvmOk);         \
        CHECK(pvm_pk##name(in, -1, 1) == PvmBadParam && pvm_pk##name(0, 1, 1) == PvmBadParam);     \
    } while (0)

static void packing(void)
{
    float c[8] = {1, 2, 0, 0, 3, 4, 0, 0}, d[8] = {0};
    double e[4] = {1, 2, 3, 4}, f[4] = {0};

    ROUND(byte, char);
    ROUND(short, short);
    ROUND(int, int);
    ROUND(long, long);
    ROUND(ushort, unsigned short);
    ROUND(uint, unsigned);
    ROUND(ulong, unsigned long);
    ROUND(float, float);
    ROUND(double, double);
    CHECK(pvm_initsend(PvmDataDefault) > 0 && pvm_pkcplx(c, 2, 2) == PvmOk);
    CHECK(pvm_pkdcplx(e, 2, 1) == PvmOk);
    through(6);
    CHECK(pvm_upkcplx(d, 2, 1) == PvmOk && d[0] == 1 && d[1] == 2 && d[2] == 3 && d[3] == 4);
    CHECK(pvm_upkdcplx(f, 2, 1) == PvmOk && memcmp(e, f, sizeof e) == 0);
}

/* PVM looks at no types: signs, bytes for numbers and numbers for bytes. */
static void other_types(void)
{
    struct {
        int i;
        float f;
    } in = {7, 1.5f}, out = {0, 0};
    int a[3] = {1, -2, 3}, b[3] = {0};
    unsigned u[2] = {4, UINT_MAX}, v[3] = {0};
    double d;

    CHECK(pvm_initsend(PvmDataRaw) > 0 && pvm_pkint(a, 2, 1) == PvmOk);
    CHECK(pvm_pkuint(u, 2, 1) == PvmOk && pvm_pkbyte((char *)&in, sizeof in, 1) == PvmOk);
    CHECK(pvm_pkint(a, 3, 1) == PvmOk);
    through(1);
    CHECK(pvm_upkuint(v, 3, 1) == PvmOk && v[0] == 1 && v[1] == (unsigned)-2 && v[2] == 4);
    CHECK(pvm_upkint(b, 1, 1) == PvmOk && b[0] == -1);
    CHECK(pvm_upkint(&out.i, 1, 1) == PvmOk && pvm_upkfloat(&out.f, 1, 1) == PvmOk);
    CHECK(out.i == 7 && out.f == 1.5f);
    CHECK(pvm_upkdouble(&d, 1, 1) == PvmBadMsg);
    CHECK(pvm_upkbyte((char *)b, sizeof b, 1) == PvmOk && memcmp(a, b, sizeof a) == 0);
    CHECK(pvm_upkbyte((char *)b, 1, 1) == PvmNoData);
}

/* Complex numbers are pairs of reals. */
static void complex_as_reals(void)
{
    double d[5] = {1, 2, 3, 4, 5}, e[6] = {0};
    float f[2] = {6, 7}, g[2] = {0};

    CHECK(pvm_initsend(PvmDataDefault) > 0 && pvm_pkdouble(d, 3, 1) == PvmOk);
    CHECK(pvm_pkdouble(d + 3, 2, 1) == PvmOk && pvm_pkcplx(f, 1, 1) == PvmOk);
    through(1);
    CHECK(pvm_upkdcplx(e, 1, 1) == PvmOk && e[0] == 1 && e[1] == 2);
    CHECK(pvm_upkdcplx(e, 1, 1) == PvmBadMsg); /* one real is left of that piece */
    CHECK(pvm_upkdouble(e, 1, 1) == PvmOk && pvm_upkdcplx(e + 1, 1, 1) == PvmOk);
    CHECK(memcmp(d + 2, e, 3 * sizeof *e) == 0);
    CHECK(pvm_upkfloat(g, 2, 1) == PvmOk && memcmp(f, g, sizeof f) == 0);
    CHECK(pvm_upkfloat(g, 1, 1) == PvmNoData);
}

static void formats(void)
{
    int a[6] = {1, 0, 2, 0, 3, 0}, x = 0, b[3] = {0};
    short h = 0;
    long l = 0;
    unsigned u = 0;
    float f = 0;
    double d = 0, e[2] = {0}, z[2] = {7, 8};
    char c = 0, text[20], bytes[3];

    CHECK(pvm_packf("%+ %d %c %hd %ld %f %lf %s, %ud", PvmDataRaw, -5, 'q', 3, 4L, 1.5, 2.5, "text",
                    7u) == PvmOk);
    CHECK(pvm_packf("%*.*d %3c %2lf %lx", 3, 2, a, "abc", z, z) == PvmOk);
    through(1);
    CHECK(pvm_unpackf("%d %c %hd %ld %f %lf %s %ud", &x, &c, &h, &l, &f, &d, text, &u) == PvmOk);
    CHECK(x == -5 && c == 'q' && h == 3 && l == 4 && f == 1.5f && d == 2.5 && u == 7);
    CHECK(strcmp(text, "text") == 0);
    CHECK(pvm_unpackf("%3d %*c %2lf", b, 3, bytes, e) == PvmOk);
    CHECK(b[0] == 1 && b[1] == 2 && b[2] == 3 && memcmp(bytes, "abc", 3) == 0 && e[1] == 8);
    CHECK(pvm_unpackf("%lx", e) == PvmOk && e[0] == 7);
    CHECK(pvm_unpackf("%d", &x) == PvmNoData && pvm_unpackf("%+", 0) == PvmBadParam);
    CHECK(pvm_packf("%+", 77) == PvmBadParam && pvm_packf("%y", 1) == PvmBadParam);
}

static void inner(void)
{
    int a[2] = {5, 6}, i = 0, one, got, bytes, tid;
    char text[10];

    CHECK((one = pvm_mkbuf(PvmDataDefault)) > 0);
    pvm_setsbuf(one);
    CHECK(pvm_pkint(a, 2, 1) == PvmOk && pvm_pkstr("in") == PvmOk);
    CHECK(pvm_pkmesg(one) == PvmBadParam);
    pvm_setsbuf(0);
    CHECK(pvm_pkmesg(one) == PvmNoBuf && pvm_initsend(PvmDataDefault) > 0);
    CHECK(pvm_pkmesg(99) == PvmNoSuchBuf && pvm_pkmesg(one) == PvmOk &&
          pvm_pkint(a, 1, 1) == PvmOk);
    CHECK(pvm_pkmesgbody(one) == PvmOk);
    through(8);
    CHECK((got = pvm_upkmesg()) > 0 && pvm_upkint(&i, 1, 1) == PvmOk && i == 5);
    CHECK(pvm_upkint(a, 2, 1) == PvmOk && a[1] == 6 && pvm_upkstr(text) == PvmOk);
    CHECK(pvm_upkmesg() == PvmNoData);
    CHECK(pvm_setrbuf(got) > 0 && pvm_bufinfo(got, &bytes, NULL, &tid) == PvmOk);
    CHECK(bytes == 8 + 4 + 3 && tid == pvm_mytid());
    CHECK(pvm_upkint(a, 2, 1) == PvmOk && pvm_upkstr(text) == PvmOk && strcmp(text, "in") == 0);
    CHECK(pvm_initsend(PvmDataRaw) > 0 && pvm_pkmesgbody(one) == PvmMismatch);
}

static void put(int tag, int value)
{
    CHECK(pvm_initsend(PvmDataDefault) > 0 && pvm_pkint(&value, 1, 1) == PvmOk);
    CHECK(pvm_send(pvm_mytid(), tag) == PvmOk);
}

static int got(int buffer)
{
    int value = -1;

    CHECK(buffer > 0 && pvm_upkint(&value, 1, 1) == PvmOk);
    return value;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Receives that wait or not, probes, and the order of messages after a probe. */
static void receiving(void)
{
    struct timeval none = {0, 0}, some = {0, 200000};
    int buffer, tag, bytes;
    double begun;

    CHECK(pvm_nrecv(-1, -1) == 0 && pvm_trecv(-1, 1, &none) == 0);
    begun = now();
    CHECK(pvm_trecv(-1, 1, &some) == 0 && now() - begun >= 0.19);
    put(1, 10);
    put(2, 20);
    put(1, 11);
    CHECK((buffer = pvm_probe(-1, 2)) > 0 && pvm_getrbuf() == 0);
    CHECK(pvm_bufinfo(buffer, &bytes, &tag, NULL) == PvmOk && bytes == 4 && tag == 2);
    CHECK(pvm_probe(-1, 3) == 0 && pvm_probe(-1, 2) == buffer);
    CHECK(got(pvm_recv(-1, -1)) == 10); /* the first that came, not the one probed */
    CHECK(got(pvm_trecv(pvm_mytid(), -1, &some)) == 20);
    CHECK(got(pvm_trecv(-1, 1, NULL)) == 11);
    CHECK(pvm_recv(0, 1) == PvmBadParam && pvm_recv(-1, -2) == PvmBadParam);
    CHECK(pvm_send(0, 1) == PvmBadParam && pvm_send(pvm_mytid(), -1) == PvmBadParam);
    CHECK(pvm_recv(-1, 1) == PvmNoTask); /* nobody is left who could send */
}

static void without_buffer(void)
{
    int me = pvm_mytid(), a[3] = {1, 2, 3}, b[4] = {0}, tid, tag, bytes;
    double d[2] = {1.5, 2.5}, e[3] = {0};
    char text[8] = "";

    CHECK(pvm_psend(me, 6, a, 3, PVM_INT) == PvmOk);
    CHECK(pvm_precv(-1, 6, b, 4, PVM_INT, &tid, &tag, &bytes) == PvmOk);
    CHECK(b[2] == 3 && b[3] == 0 && tid == me && tag == 6 && bytes == 12);
    CHECK(pvm_psend(me, 6, a, 3, PVM_INT) == PvmOk); /* what does not fit is lost */
    CHECK(pvm_precv(-1, 6, b, 1, PVM_INT, NULL, NULL, &bytes) == PvmOk && bytes == 12);
    CHECK(b[0] == 1 && b[1] == 2 && pvm_nrecv(-1, 6) == 0);
    CHECK(pvm_psend(me, 7, a, 1, PVM_INT) == PvmOk && pvm_psend(me, 8, d, 2, PVM_DOUBLE) == PvmOk);
    CHECK(got(pvm_recv(-1, 7)) == 1);
    CHECK(pvm_recv(-1, 8) > 0 && pvm_upkdouble(e, 2, 1) == PvmOk && e[1] == 2.5);
    CHECK(pvm_initsend(PvmDataDefault) > 0 && pvm_pkdouble(d, 1, 1) == PvmOk);
    CHECK(pvm_pkdouble(d + 1, 1, 1) == PvmOk && pvm_send(me, 9) == PvmOk);
    CHECK(pvm_precv(me, 9, e, 3, PVM_DOUBLE, NULL, NULL, NULL) == PvmOk && e[0] == 1.5);
    CHECK(pvm_psend(me, 9, "text", 5, PVM_STR) == PvmNotImpl);
    CHECK(pvm_psend(me, 9, "text", 5, PVM_BYTE) == PvmOk && pvm_probe(-1, 9) > 0);
    CHECK(pvm_precv(me, 9, text, 8, PVM_BYTE, NULL, NULL, NULL) == PvmOk &&
          strcmp(text, "text") == 0);
    CHECK(pvm_psend(me, 1, a, 1, 99) == PvmBadParam && pvm_psend(me, 1, a, -1, 3) == PvmBadParam);
}

static int by_parity(int buffer, int tid, int tag)
{
    struct pvmminfo info;

    (void)tid;
    CHECK(pvm_getminfo(buffer, &info) == PvmOk && info.src == pvm_mytid());
    if (tag == -99)
        return PvmDenied;
    return info.tag % 2 == tag % 2 ? info.tag : 0;
}

/* The tag that is asked for is the message's content. */
static int by_content(int buffer, int tid, int tag)
{
    int value = 0, before = pvm_setrbuf(buffer);

    (void)tid;
    CHECK(pvm_upkint(&value, 1, 1) == PvmOk);
    pvm_setrbuf(before);
    return value == tag;
}

static void matching(void)
{
    int (*usual)(int, int, int), value;

    put(2, 20);
    put(3, 30);
    put(4, 40);
    usual = pvm_recvf(by_parity); /* the program may call it */
    CHECK(pvm_probe(-1, 0) > 0 && usual(pvm_probe(-1, 0), -1, 4) == 1);
    CHECK(usual(pvm_probe(-1, 0), 1, 4) == 0 && usual(pvm_probe(-1, 0), pvm_mytid(), 3) == 0);
    CHECK(got(pvm_recv(-1, 0)) == 40 && got(pvm_recv(-1, 0)) == 20 && pvm_nrecv(-1, 0) == 0);
    CHECK(pvm_probe(-1, 1) > 0 && pvm_nrecv(-1, -99) == PvmDenied);
    CHECK(pvm_recvf(usual) == by_parity && pvm_recvf(NULL) == usual);
    CHECK(got(pvm_recv(-1, -1)) == 30);
    pvm_recvf(by_content);
    put(5, 50);
    CHECK(got(pvm_recv(-1, 50)) == 50);
    put(5, 51);
    CHECK(pvm_precv(-1, 51, &value, 1, PVM_INT, NULL, NULL, NULL) == PvmOk && value == 51);
    pvm_recvf(usual);
}

static int handled, handler_id;

static int handle(int buffer)
{
    int value;

    CHECK(pvm_getrbuf() == buffer && pvm_getsbuf() == 0);
    CHECK(pvm_upkint(&value, 1, 1) == PvmOk);
    handled += value;
    CHECK(pvm_packf("%+ %d", PvmDataDefault, value + 1) == PvmOk);
    CHECK(pvm_send(pvm_mytid(), 51) == PvmOk && pvm_freebuf(pvm_setsbuf(0)) == PvmOk);
    return 0;
}

static void handlers(void)
{
    int saved;

    put(50, 5);
    CHECK(pvm_probe(-1, 50) > 0); /* what was looked at already, goes to the handler, too */
    CHECK((handler_id = pvm_addmhf(-1, 50, -1, handle)) >= 0 && handled == 5);
    CHECK(pvm_addmhf(-1, 50, -1, handle) == PvmExists);
    put(50, 7);
    put(1, 1);
    CHECK(got(pvm_recv(-1, 1)) == 1 && (saved = pvm_getrbuf()) > 0);
    CHECK(handled == 12 && pvm_getsbuf() > 0);
    CHECK(got(pvm_recv(-1, 51)) == 6 && got(pvm_recv(-1, 51)) == 8 && pvm_nrecv(-1, 50) == 0);
    CHECK(pvm_delmhf(handler_id) == PvmOk && pvm_delmhf(handler_id) == PvmNotFound);
    CHECK(pvm_delmhf(-1) == PvmBadParam);
    put(50, 9);
    CHECK(got(pvm_recv(-1, 50)) == 9 && handled == 12);
}

static int counted;

static int count(int buffer)
{
    (void)buffer;
    counted++;
    return 0;
}

static int made_in_handler;

/* So many contexts that any list of them must move in memory. */
static int make_contexts(int buffer)
{
    for (int i = 0; i < 1000; i++)
        CHECK((made_in_handler = pvm_newcontext()) > 0);
    return count(buffer);
}

/* It is called at once, for the first of the contexts that it is to be extended to. */
static void handlers_making_contexts(void)
{
    int last = 0;

    pvm_setcontext(0); /* which is thereby the first one of the list */
    for (int i = 0; i < 10; i++)
        CHECK((last = pvm_newcontext()) > 0);
    put(50, 1);
    CHECK(pvm_addmhf(-1, 50, -1, make_contexts) >= 0 && counted == 1);
    pvm_setcontext(last);
    put(50, 1);
    CHECK(pvm_nrecv(-1, 50) == 0 && counted == 2);
    pvm_setcontext(made_in_handler);
    put(50, 1);
    CHECK(pvm_nrecv(-1, 50) == 0 && counted == 3);
    pvm_setcontext(0);
}

/* One for all contexts: what was set before, after, and is not set now; one for its context alone.
 */
static void handlers_everywhere(void)
{
    int before = pvm_newcontext(), all, after;

    CHECK((all = pvm_addmhf(-1, 50, -1, count)) >= 0);
    after = pvm_newcontext();
    CHECK(pvm_addmhf(-1, 52, after, count) >= 0);
    put(50, 1);
    put(52, 1);
    pvm_setcontext(before);
    put(50, 1);
    pvm_setcontext(after);
    put(50, 1);
    put(52, 1);
    pvm_setcontext(7);
    put(50, 1);
    pvm_setcontext(0);
    CHECK(pvm_nrecv(-1, 50) == 0 && counted == 5);
    CHECK(got(pvm_recv(-1, 52)) == 1 && pvm_delmhf(all) == PvmOk);
    pvm_setcontext(after);
    put(50, 2);
    CHECK(got(pvm_recv(-1, 50)) == 2 && counted == 5);
    pvm_setcontext(0);
}

static void contexts(void)
{
    int other = pvm_newcontext();

    CHECK(pvm_getcontext() == PvmBaseContext && other > 0 && pvm_newcontext() != other);
    put(1, 1);
    CHECK(pvm_setcontext(other) == 0 && pvm_getcontext() == other && pvm_nrecv(-1, 1) == 0);
    put(1, 2);
    CHECK(pvm_probe(-1, -1) > 0 && pvm_setcontext(7) == other && pvm_probe(-1, -1) == 0);
    CHECK(pvm_getcontext() == 7 && pvm_setcontext(0) == 7 && got(pvm_recv(-1, -1)) == 1);
    CHECK(pvm_nrecv(-1, -1) == 0 && pvm_setcontext(other) == 0 && got(pvm_recv(-1, -1)) == 2);
    CHECK(pvm_freecontext(other) == PvmOk && pvm_freecontext(other) == PvmNotFound);
    CHECK(pvm_freecontext(7) == PvmNotFound && pvm_setcontext(-1) == other);
    put(1, 3);
    CHECK(pvm_getcontext() == -1 && pvm_setcontext(0) == -1 && pvm_nrecv(-1, -1) == 0);
    CHECK(pvm_setcontext(-1) == 0 && got(pvm_recv(-1, -1)) == 3);
    pvm_setcontext(0);
}

static void options(void)
{
    CHECK(pvm_getopt(PvmRoute) == PvmAllowDirect && pvm_setopt(PvmRoute, PvmRouteDirect) == 2);
    CHECK(pvm_getopt(PvmRoute) == PvmRouteDirect && pvm_setopt(PvmRoute, 9) == PvmBadParam);
    CHECK(pvm_getopt(0) == PvmBadParam && pvm_setopt(99, 0) == PvmBadParam);
    CHECK(pvm_getopt(PvmShowTids) == 1);
    setenv("PVM_EXPORT", "SHELL:HOME", 1);
    CHECK(pvm_export("TERM") == PvmOk && pvm_export("TERM") == PvmOk);
    CHECK(pvm_unexport("HOME") == PvmOk && pvm_unexport("NONE") == PvmOk);
    CHECK(strcmp(getenv("PVM_EXPORT"), "SHELL:TERM") == 0);
    CHECK(pvm_start_pvmd(0, NULL, 0) == PvmDupHost && pvm_reg_tasker() == PvmNotImpl &&
          strcmp(pvm_version(), PVM_VER) == 0);
}

/* What is printed when a call fails is looked at by test_pvm. */
static void loud(void)
{
    pvm_setopt(PvmAutoErr, 1);
    pvm_freebuf(99);
    pvm_perror("mine");
    fprintf(stderr, "%s\n", pvm_strerror());
    pvm_gsize("none"); /* an answer: not printed */
    pvm_setopt(PvmAutoErr, 0);
    pvm_freebuf(99);
    pvm_setopt(PvmAutoErr, 2);
    pvm_initsend(99);
    CHECK(!"still there");
}

/* A server that does not look at what it is told, when all others have ended. */
static void in_vain(void)
{
    for (;;)
        pvm_recv(-1, 1);
}

int main(int argc, char **argv)
{
    static const struct pvm_test tests[] = {
        {"buffers", buffers},
        {"reused", reused},
        {"in-place", in_place},
        {"packing", packing},
        {"other-types", other_types},
        {"complex-as-reals", complex_as_reals},
        {"formats", formats},
        {"inner", inner},
        {"receiving", receiving},
        {"without-buffer", without_buffer},
        {"matching", matching},
        {"handlers", handlers},
        {"handlers-everywhere", handlers_everywhere},
        {"handlers-making-contexts", handlers_making_contexts},
        {"contexts", contexts},
        {"options", options},
        {"loud", loud},
        {"in-vain", in_vain},
    };

    pvm_setopt(PvmAutoErr, 0);
    return argc == 2 ? pvm_run(tests, sizeof tests / sizeof *tests, argv[1]) : 2;
}
