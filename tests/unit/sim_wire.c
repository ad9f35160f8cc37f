/* sim_wire.c - descriptors: pipes, sockets and connections between hosts; see sim.h. */
#include "sim.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum { FIRST_FD = 1000, MOST_FDS = 1 << 16 };

struct mark {
    double at; /* when the bytes up to this place arrive */
    uint64_t end;
};

struct sim_wire {
    struct pack bytes; /* not yet read; of a file, all */
    char *path;        /* of a file that hrun writes, else NULL */
    uint64_t read, written;
    struct mark *mark;
    size_t nmark, first;
    struct sim_host *host; /* NULL: both ends are on one machine */
    size_t room;
    int writers, readers;
    bool reset, broken; /* what is on its way is lost; nothing more comes */
    bool whole;         /* of a socket: takes what there is room for in one piece */
    struct sim_wire *back;
    uint64_t fuse; /* of a socket: after so many bytes both ways break */
    double end;    /* when the end of file arrives */
};

struct descriptor {
    struct sim_wire *in, *out;
    struct sim_process *owner; /* NULL: closed */
    struct sim_socket *socket; /* NULL: it is none */
};

static struct descriptor descriptors[MOST_FDS];
static int ndescriptor;
struct sim_stdio sim_stdio;

struct sim_wire *sim_wire(struct sim_host *host, size_t room)
{
    struct sim_wire *wire = calloc(1, sizeof *wire);
    wire->host = host && !host->direct ? host : NULL;
    wire->room = room;
    return wire;
}

int sim_open(struct sim_process *owner, struct sim_wire *in, struct sim_wire *out)
{
    if (ndescriptor == MOST_FDS)
        sim_fail("the simulator has no more descriptors");
    descriptors[ndescriptor] = (struct descriptor){in, out, owner, NULL};
    if (in)
        in->readers++;
    if (out)
        out->writers++;
    return FIRST_FD + ndescriptor++;
}

static struct descriptor *descriptor(int fd)
{
    if (fd < FIRST_FD || fd >= FIRST_FD + ndescriptor)
        sim_fail("a descriptor that is none is used: %d", fd);
    struct descriptor *d = &descriptors[fd - FIRST_FD];
    if (!d->owner)
        sim_fail("the closed descriptor %d is used", fd);
    if (sim_self && d->owner != sim_self)
        sim_fail("descriptor %d of another process is used", fd);
    return d;
}

static double delay(const struct sim_wire *wire)
{
    return wire->host ? wire->host->delay : 0;
}

static void release(struct descriptor *d)
{
    if (d->socket)
        sim_socket_closed(d->socket);
    if (d->in)
        d->in->readers--;
    if (d->out && --d->out->writers == 0) {
        double last = d->out->nmark > 0 ? d->out->mark[d->out->nmark - 1].at : 0;
        d->out->end = fmax(sim_now() + delay(d->out), last);
    }
    d->owner = NULL;
}

void sim_close(int fd)
{
    release(descriptor(fd));
}

void sim_close_all(struct sim_process *owner)
{
    for (int i = 0; i < ndescriptor; i++)
        if (descriptors[i].owner == owner)
            release(&descriptors[i]);
}

static bool is_cut(const struct sim_wire *wire)
{
    return wire->host && wire->host->cut;
}

static size_t arrived(struct sim_wire *wire)
{
    uint64_t end = wire->read;
    if (is_cut(wire) || wire->reset)
        return 0;
    while (wire->first < wire->nmark && wire->mark[wire->first].end <= wire->read)
        wire->first++;
    for (size_t i = wire->first; i < wire->nmark && wire->mark[i].at <= sim_now(); i++)
        end = wire->mark[i].end;
    end = end < wire->written ? end : wire->written;
    return (size_t)(end - wire->read);
}

static bool is_at_end(const struct sim_wire *wire)
{
    bool over = wire->broken || (wire->writers == 0 && wire->end <= sim_now());
    return !is_cut(wire) && (wire->reset || (over && wire->read == wire->written));
}

void sim_break(struct sim_wire *wire, bool lose, bool near)
{
    wire->broken = true;
    wire->reset |= lose;
    wire->written = wire->read + arrived(wire);
    if (near)
        wire->host = NULL;
}

double sim_readable(const struct sim_process *process, int fd)
{
    if (process == sim_hrun && fd == 0)
        return sim_now();
    const struct descriptor *d = &descriptors[fd - FIRST_FD];
    struct sim_wire *wire = d->in;
    if (d->socket && !sim_socket_streams(d->socket))
        return sim_socket_readable(d->socket);
    if (is_cut(wire))
        return INFINITY;
    if (arrived(wire) > 0 || is_at_end(wire))
        return sim_now();
    if (wire->first < wire->nmark)
        return wire->mark[wire->first].at;
    return wire->writers == 0 ? wire->end : INFINITY;
}

double sim_writable(const struct sim_process *process, int fd)
{
    if (process == sim_hrun && fd <= 2)
        return fd == 1 && sim_stdio.blocked > sim_now() ? sim_stdio.blocked : sim_now();
    const struct descriptor *d = &descriptors[fd - FIRST_FD];
    const struct sim_wire *wire = d->out;
    if (d->socket && !sim_socket_streams(d->socket))
        return sim_socket_writable(d->socket);
    bool may = wire->readers == 0 || wire->broken || wire->bytes.length < wire->room;
    return may ? sim_now() : INFINITY;
}

static ssize_t read_input(void *data, size_t n)
{
    size_t left = sim_stdio.in - sim_stdio.read;
    n = n < left ? n : left;
    memset(data, 'i', n);
    sim_stdio.read += n;
    return (ssize_t)n;
}

/* A socket that is on its way, or listens. */
static bool is_no_stream(int fd)
{
    const struct sim_socket *socket = descriptor(fd)->socket;
    errno = ENOTCONN;
    return socket && !sim_socket_streams(socket);
}

ssize_t sim_read(int fd, void *data, size_t n)
{
    if (sim_self == sim_hrun && fd == 0)
        return read_input(data, n);
    if (is_no_stream(fd))
        return -1;
    struct sim_wire *wire = descriptor(fd)->in;
    size_t there = arrived(wire);
    if (there == 0) {
        errno = wire->reset ? ECONNRESET : EAGAIN;
        return is_at_end(wire) && !wire->reset ? 0 : -1;
    }
    n = n < there ? n : there;
    if (sim_below(8) == 0 && n > 1)
        n = 1 + sim_below((unsigned)n - 1);
    memcpy(data, wire->bytes.data, n);
    pack_drop(&wire->bytes, n);
    wire->read += n;
    return (ssize_t)n;
}

static ssize_t write_output(int fd, const void *data, size_t n)
{
    if (fd == 2)
        return (ssize_t)n;
    if (sim_stdio.out.length >= sim_stdio.breaks) {
        errno = EPIPE;
        return -1;
    }
    if (sim_below(4) == 0 && n > 1)
        n = 1 + sim_below((unsigned)n - 1);
    pack_raw(&sim_stdio.out, data, n);
    return (ssize_t)n;
}

static void mark(struct sim_wire *wire)
{
    double last = wire->nmark > 0 ? wire->mark[wire->nmark - 1].at : 0;
    double at = fmax(last, sim_now() + delay(wire));
    if (wire->nmark > 0 && wire->nmark > wire->first && at == last) {
        wire->mark[wire->nmark - 1].end = wire->written;
        return;
    }
    if ((wire->nmark & (wire->nmark - 1)) == 0)
        wire->mark = realloc(wire->mark, (wire->nmark ? 2 * wire->nmark : 1) * sizeof *wire->mark);
    wire->mark[wire->nmark++] = (struct mark){at, wire->written};
}

static void on_fuse(void *arg, int value)
{
    struct sim_wire *wire = arg;
    (void)value;
    if (wire->broken)
        return;
    sim_talk("a connection breaks");
    sim_break(wire, sim_below(2), false);
    sim_break(wire->back, sim_below(2), false);
}

void sim_wire_of_socket(struct sim_wire *wire, struct sim_wire *back, uint64_t fuse)
{
    wire->whole = true;
    wire->back = back;
    wire->fuse = fuse;
}

void sim_wire_hold(struct sim_wire *in, struct sim_wire *out, int n)
{
    in->readers += n;
    out->writers += n;
}

int sim_descriptors(const struct sim_process *owner)
{
    int n = 0;
    for (int i = 0; i < ndescriptor; i++)
        n += descriptors[i].owner == owner;
    return n;
}

bool sim_are_joined(int a, int b)
{
    const struct descriptor *one = &descriptors[a - FIRST_FD], *other = &descriptors[b - FIRST_FD];
    return one->in == other->out && one->out == other->in;
}

struct sim_socket *sim_socket_of(int fd)
{
    return descriptor(fd)->socket;
}

void sim_socket_attach(int fd, struct sim_socket *socket, struct sim_wire *in, struct sim_wire *out)
{
    struct descriptor *d = descriptor(fd);
    d->socket = socket;
    d->in = in;
    d->out = out;
    if (in)
        in->readers++;
    if (out)
        out->writers++;
}

ssize_t sim_write(int fd, const void *data, size_t n)
{
    if (sim_self == sim_hrun && fd <= 2)
        return write_output(fd, data, n);
    if (is_no_stream(fd))
        return -1;
    struct sim_wire *wire = descriptor(fd)->out;
    if (wire->broken || wire->readers == 0) {
        errno = EPIPE;
        return -1;
    }
    size_t room = wire->room > wire->bytes.length ? wire->room - wire->bytes.length : 0;
    if (wire->path && room > sim_stdio.disk)
        room = sim_stdio.disk;
    if (room == 0) {
        errno = wire->path ? ENOSPC : EAGAIN;
        return -1;
    }
    n = n < room ? n : room;
    if (!wire->whole && sim_below(8) == 0 && n > 1)
        n = 1 + sim_below((unsigned)n - 1);
    pack_raw(&wire->bytes, data, n);
    wire->written += n;
    if (wire->whole && wire->written >= wire->fuse)
        sim_after(0, on_fuse, wire, 0);
    if (wire->path)
        sim_stdio.disk -= n;
    else
        mark(wire);
    return (ssize_t)n;
}

int sim_dup(int fd)
{
    const struct descriptor *d = descriptor(fd);
    return sim_open(d->owner, d->in, d->out);
}

int sim_make_room(int fd)
{
    struct sim_wire *wire = descriptor(fd)->out;
    wire->room = wire->bytes.length + 65536;
    return wire->readers > 0;
}

/* ---- files of -output -------------------------------------------------------------------------
 */

enum { MOST_FILES = 256 };
static struct sim_wire *files[MOST_FILES];
static int nfile;

void sim_forget_files(void)
{
    nfile = 0;
}

const struct pack *sim_file(const char *path)
{
    for (int i = 0; i < nfile; i++)
        if (strcmp(files[i]->path, path) == 0)
            return &files[i]->bytes;
    return NULL;
}

int __wrap_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...)
{
    (void)flags;
    if (sim_stdio.disk == 0 || nfile == MOST_FILES) {
        errno = ENOSPC;
        return -1;
    }
    if (sim_file(path))
        sim_fail("%s is opened twice", path);
    struct sim_wire *wire = sim_wire(NULL, SIZE_MAX);
    wire->path = strdup(path);
    wire->readers = 1;
    files[nfile++] = wire;
    return sim_open(sim_self, NULL, wire);
}

int __wrap_mkdir(const char *path, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode)
{
    (void)path, (void)mode;
    return 0;
}
