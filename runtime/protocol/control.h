/* control.h - the control protocol between hrun, its agents and their tasks.
 *
 *      task  <- socketpair ->  agent (hnowd)  <- socketpair or ssh ->  hrun
 *
 * Everything on these channels is a frame: u32 length of the payload, u16 kind, u16 zero, payload;
 * integers as in pack.h.  The table CONTROL_KINDS is the only description of the payloads: encoder,
 * decoder, trace and fuzz dictionary use it.  The decoder does no I/O.  It accepts bytes in pieces
 * of any length, and returns frames whose payload was validated against the signature of its kind.
 * So a reader that reads the fields in the order of the signature cannot fail.
 *
 * Signature letters:  b u8 · h u16 · u u32 · l u64 · s text · y blob · k 32 bytes (the job secret)
 *      ( ... )  a list: u32 count, then the letters inside, count times.  Lists do not nest.
 *
 * An address in a list is  b family (4 or 6) · y IP address (4 or 16 bytes) · h port · u scope (the
 * interface of an IPv6 link-local address, else 0).
 *
 * Both ends of a channel have the same version, which the first frames contain.  So a kind or a
 * payload that is not in the table is an error of the other side and ends the channel.
 */
#pragma once

#include "base/pack.h"

#include <stdarg.h>

/* Bytes: a frame's header; the job's secret, a key of BLAKE2b with the length that libsodium
 * recommends. */
enum { CONTROL_HEADER = 8, CONTROL_SECRET = 32 };
#define CONTROL_PAYLOAD_MAX ((size_t)64 << 20)

/* A task's tid contains its host: (host number + 1) << 18 | serial.  Host numbers are indices in
 * the job's list of hosts.  Serial 0 names the host itself. */
enum { CONTROL_SERIAL_BITS = 18, CONTROL_HOSTS_MAX = (1 << 13) - 1 };
static inline uint32_t control_tid(uint32_t host, uint32_t serial)
{
    return (host + 1) << CONTROL_SERIAL_BITS | serial;
}
static inline uint32_t control_serial(uint32_t tid)
{
    return tid & ((1u << CONTROL_SERIAL_BITS) - 1);
}
static inline uint32_t control_host(uint32_t tid)
{
    return (tid >> CONTROL_SERIAL_BITS) - 1;
}

/* Contexts that hrun assigns: CONTROL_STEP at a time, the first one a multiple of it.  Tasks lease
 * CONTROL_LEASE of them at once. */
enum {
    CONTROL_STEP = 4,
    CONTROL_CONTEXT_FIRST = 0x40000000,
    CONTROL_CONTEXT_END = 0x7fffff00,
    CONTROL_LEASE = 64 * CONTROL_STEP
};

/* Connection failures that a task reports in FAULT. */
enum control_fault {
    CONTROL_FAULT_OWN,     /* the task lacks a resource: ends the job */
    CONTROL_FAULT_REACH,   /* no address of the other task works: ends the job */
    CONTROL_FAULT_LARGE,   /* only small packets arrive there: ends the job */
    CONTROL_FAULT_RELAYED, /* the agents relay the connection: printed with -v */
};

/* Instead of a group, for agreements without one. */
#define CONTROL_NO_GROUP UINT32_MAX

/* X(name, number, signature, sender and fields) */
#define CONTROL_KINDS(X)                                                                           \
    /* task -> agent */                                                                            \
    X(ENROL, 1, "shu", "version, listening port (its listener is open), pid")                      \
    X(LOOKUP, 2, "u", "tid; answered by ADDRESS when that task has enrolled or ended")             \
    X(TEXT_ASK, 3, "s", "key of a job text; answered by TEXT")                                     \
    X(LEAVE, 4, "", "hn_exit() begins: from now on the end of the task is a clean one")            \
    X(FAULT, 12, "ubs", "the other task's tid, control_fault, what the task lacks or has tried")   \
    X(KNOCKED, 13, "sus",                                                                          \
      "source of refused connections, how many more, why the last one was refused")                \
    /* agent -> task; WELCOME is the first, without a request */                                   \
    X(WELCOME, 16, "kuuuussb(us)(u)",                                                              \
      "secret, tid, rank, world size, parent tid or 0, ports lo:hi or '', interface or '', "       \
      "1 behind WIDE, hosts (number, name), tids of the world by rank")                            \
    X(ADDRESS, 17, "ub(byhu)", "tid, state (control_found), its addresses, best first")            \
    X(TEXT, 18, "sy", "key, text (empty: there is none); short ones come behind WELCOME")          \
    X(ENDED, 19, "uub", "tid of any task that ended, wait status, 1 when its host is lost")        \
    X(QUIT, 20, "s", "the job is ending: why")                                                     \
    /* agent -> hrun; HELLO is the first */                                                        \
    X(HELLO, 32, "bsbussss(byhus)",                                                                \
      "1 when started without ssh, machine, byte order (1 little, 2 big), cores, host name, what " \
      "this very machine is called as long as it runs (or ''), "                                   \
      "address under which ssh reached this host or '', address from which it came or '', "        \
      "interface addresses (as below, and the interface's name)")                                  \
    X(SPAWNED, 33, "uu", "tid, pid")                                                               \
    X(UNSPAWNED, 34, "us", "tid, why it could not be started")                                     \
    X(OUTPUT, 35, "uby", "tid, stream 1 or 2, whole lines or a piece of a long one")               \
    X(ENROLLED, 36, "uhu", "tid, listening port, pid")                                             \
    X(ASK, 37, "uu", "tid that asks, tid whose address it wants; answered by ANSWER")              \
    X(ROOM, 38, "uu", "tid, bytes of standard input that it can take more; 0: it has closed it")   \
    X(OVER, 39, "uubu",                                                                            \
      "tid, wait status, control_how bits, ms since it ended; after all of its OUTPUT")            \
    X(NOTE, 40, "s", "something the user should read")                                             \
    X(LOAD, 44, "u", "how busy the host is: the kernel's load, in hundredths; when it changes")    \
    X(UNREACHED, 46, "uubs", "tid that says FAULT, and what it says")                              \
    X(STRANGER, 43, "usus", "tid, of serial 0: the agent, and as KNOCKED")                         \
    X(ENDS, 47, "uubu", "as OVER, which follows behind UNDELIVERED")                               \
    /* hrun -> agent; SETUP is the first */                                                        \
    X(SETUP, 48, "kussss(us)(s)",                                                                  \
      "secret, host number, directory of hrun, its $PATH or '', ports, interface, hosts (number, " \
      "name), environment K=V")                                                                    \
    X(JOBTEXT, 49, "sy", "key, text: what TEXT_ASK gets")                                          \
    X(WORLD, 50, "(u)", "tids of the world by rank")                                               \
    X(PROGRAM, 51, "usb(s)(s)",                                                                    \
      "number (a used one: in its place), directory or '', 1 when that was asked for, argv, "      \
      "environment K=V")                                                                           \
    X(SPAWN, 52, "uu(uub)",                                                                        \
      "program, parent tid or 0, tasks (tid, rank, 1 when it gets standard input)")                \
    X(INPUT, 53, "uy", "tid, bytes of standard input; none: end of file")                          \
    X(CREDIT, 54, "ubu", "tid, stream, bytes of OUTPUT that hrun has passed on")                   \
    X(SIGNAL, 55, "uu", "tid or 0 for all, signal number (as on Linux/x86)")                       \
    X(ANSWER, 56, "uub(byhu)", "tid that asked, then as ADDRESS")                                  \
    X(GONE, 57, "uub", "as ENDED; passed to all tasks of the host")                                \
    X(END, 58, "us", "milliseconds between SIGTERM and SIGKILL, why; the agent then exits")        \
    X(WIDE, 45, "",                                                                                \
      "hosts of the job are several machines: tasks listen on the network; passed to all tasks")   \
    X(HOSTS_MORE, 59, "(us)", "hosts that have arrived (number, name); passed to all tasks")       \
    X(LAUNCH, 60, "u(s)",                                                                          \
      "host number, words of the command that starts its agent; answered by LAUNCH_OUT and _OVER") \
    X(LAUNCH_IN, 61, "uy", "host number, bytes for the command's standard input")                  \
    X(LAUNCH_SIGNAL, 62, "uu", "host number, signal for the command's process group")              \
    X(STAGE, 63, "sb(sls)",                                                                        \
      "program, 1 when the last file is its loader, files (hash, size, name), the program first; " \
      "answered by STAGE_WANT and STAGE_DONE (stage.h)")                                           \
    X(STAGE_DATA, 66, "sluy",                                                                      \
      "hash, offset, so many bytes of that file; packed by zlib where fewer follow")               \
    X(STAGE_WANT, 67, "sl", "agent -> hrun: hash, offset: answered by STAGE_DATA")                 \
    X(STAGE_DONE, 68, "ss", "agent -> hrun: program, why it could not be stored or ''")            \
    /* agent -> hrun: output of what it has launched */                                            \
    X(LAUNCH_OUT, 64, "uby", "host number, stream 1 or 2, bytes")                                  \
    X(LAUNCH_OVER, 65, "uu", "host number, wait status; after all of its LAUNCH_OUT")              \
    /* agent <-> hrun */                                                                           \
    X(PULSE, 80, "", "still here (pulse.h)")                                                       \
    /* agent -> hrun -> agent: relayed connections (relay.h).  Host: the destination; hrun puts    \
     * the source there.  Then the stream's number, and 1 if the sender has opened it */           \
    X(RELAY_OPEN, 81, "uuu", "host, number, tid")                                                  \
    X(RELAY_DATA, 82, "uuby", "host, number, opener, bytes")                                       \
    X(RELAY_CREDIT, 83, "uubu", "host, number, opener, bytes of DATA written")                     \
    X(RELAY_CLOSE, 84, "uub", "host, number, opener; nothing follows")                             \
    /* agent -> hrun -> agent -> task: messages of an ended task (outbox_record.h) */              \
    X(UNDELIVERED, 85, "uuly", "tid of the receiver, of the sender, place in the stream, bytes")   \
    /* tracing (hrun -trace) */                                                                    \
    X(CLOCK_ASK, 90, "l", "hrun -> agent: hrun's time")                                            \
    X(CLOCK, 91, "ll", "agent -> hrun: that time, CLOCK_MONOTONIC of the host in ns")              \
    X(TRACE, 92, "uly", "agent -> hrun: tid, records dropped, records (trace_record.h)")           \
    /* questions of tasks to hrun, and its frames to them: agents forward these, wrapped */        \
    X(FROM_TASK, 110, "uhy", "agent -> hrun: tid, kind and payload of its frame")                  \
    X(TO_TASK, 111, "uhy", "hrun -> agent: tid or 0 for all, kind and payload")                    \
    /* task -> hrun; each begins with a number that the answer repeats */                          \
    X(SPAWN_ASK, 128, "uubsss(s)(s)",                                                              \
      "number, count, control_where, what it names, least speed or '', directory or '', argv, "    \
      "environment K=V; "                                                                          \
      "answered by SPAWN_DONE")                                                                    \
    X(TASKS_ASK, 129, "u(u)", "number, tids (none: all that run); answered by TASKS")              \
    X(HOSTS_ASK, 130, "u", "number; answered by HOSTS")                                            \
    X(SIGNAL_ASK, 131, "uuub",                                                                     \
      "number, tid, signal number, 1 when its end is then no failure; answered by DONE")           \
    X(CONTEXT_ASK, 140, "uu", "number, how many contexts; answered by NUMBER: the first")          \
    X(AGREE_ASK, 141, "uu(u)",                                                                     \
      "number, context of a group that is to shrink or 2^32-1, tids of its members; answered by "  \
      "AGREED when all that live have asked")                                                      \
    X(RETIRE, 142, "u", "0: hn_exit() begins, it takes part in nothing any more; 1: hn_pause()")   \
    X(JOIN_ASK, 143, "us", "number, name of a group; answered by NUMBER: the instance")            \
    X(PART_ASK, 144, "us", "number, name of a group to leave; answered by DONE")                   \
    X(MEMBERS_ASK, 145, "us", "number, name of a group; answered by MEMBERS")                      \
    X(RENDEZVOUS_ASK, 146, "usub",                                                                 \
      "number, name of a group, how many (2^32-1: all), 1: to freeze it, 2: to close it, too; "    \
      "answered by DONE, or AGREED, when all are there")                                           \
    X(PUT_ASK, 147, "usuby",                                                                       \
      "number, name, index (2^32-1: any), HN_NAME flags, value; answered by NUMBER: its index")    \
    X(GET_ASK, 148, "usubu",                                                                       \
      "number, name, index, HN_NAME flags, milliseconds (2^32-1: no limit); answered by VALUE")    \
    X(DROP_ASK, 149, "usu", "number, name, index; answered by DONE")                               \
    X(NAMES_ASK, 150, "us", "number, pattern as of a shell; answered by NAMES")                    \
    X(RETURN, 151, "uuuu",                                                                         \
      "number of the question that waits in a barrier or 0, context of DELEGATE, barriers passed " \
      "in it, count; answered by DONE when the barrier is over")                                   \
    X(NOTIFY_ASK, 152, "uuuuub(u)",                                                                \
      "number, hn_event, tag, context, how often (all ones: always), control_notify, tids of "     \
      "tasks or hosts (none: any); answered by DONE unless granted")                               \
    X(CAPTURE_ASK, 153, "uub(u)",                                                                  \
      "number, place of the output in the asker or 0: no more, 1 when the asker does not leave "   \
      "before it has arrived, tids (none: what the asker spawns later); answered by DONE")         \
    X(CAPTURED_ACK, 154, "uubu", "0, tid, stream, bytes of CAPTURED taken; not answered")          \
    X(CAPTURE_END, 155, "u", "number; answered by DONE when all that is waited for has arrived")   \
    X(ADD_HOSTS_ASK, 156, "u(s)",                                                                  \
      "number, a standby host or a line of a hosts file each; answered by HOSTS_DONE")             \
    X(REMOVE_HOSTS_ASK, 157, "u(s)", "number, names of hosts; answered by HOSTS_DONE")             \
    X(WAITS, 158, "u(buuuusuu)",                                                                   \
      "number of WAITS_ASK, then of each wait: control_wait, tid or 0 or 2^32-1: any, tag "        \
      "(WAIT_HRUN: number of the question), context, milliseconds, collective operation or '', "   \
      "its number, its step; not answered")                                                        \
    X(ABORT_ASK, 159, "uus", "number, exit status for hrun, why; not answered")                    \
    /* hrun -> task */                                                                             \
    X(DONE, 160, "uus", "number, error code without its sign, why; answers any question")          \
    X(SPAWN_DONE, 161, "us(uu)", "number, why the first failed, tids or 0 and errors")             \
    X(TASKS, 162, "u(uuuusbu)",                                                                    \
      "number, then of each: tid, parent, rank, pid, program, state, wait status")                 \
    X(HOSTS, 163, "u(ussbuuuus)",                                                                  \
      "number, then of each: number, name, machine, byte order, cores, slots, tasks, load (all "   \
      "ones: unknown), speed or ''")                                                               \
    X(GROWN, 164, "b", "tasks were spawned: 1 when others run, 0 when this is the last one")       \
    X(NUMBER, 170, "uu", "number, what was asked for")                                             \
    X(AGREED, 171, "uu(u)",                                                                        \
      "number, a new context (0: closed by some members), tids of the members that live")          \
    X(MEMBERS, 172, "u(u)", "number, tids by instance, 0 where there is none")                     \
    X(VALUE, 173, "uuuby", "number, index, owner, flags, value")                                   \
    X(NAMES, 174, "u(suub)", "number, then of each: name, index, owner, flags")                    \
    X(WAITS_ASK, 180, "u", "number; answered by WAITS")                                            \
    X(HOSTS_DONE, 178, "u(uus)", "number, then of each: error, tid of the host or 0, why")         \
    X(SHRINKS, 175, "uu", "context of a group that a member shrinks, tid of one that is gone")     \
    X(DELEGATE, 165, "su(u)", "name of a group, context, tids by instance (delegation.h)")         \
    X(RECALL, 166, "u", "context of DELEGATE; answered by RETURN")                                 \
    X(CAPTURED, 177, "uuby", "place, tid, stream 1 or 2, its output; stream 0: it is over")        \
    X(NOTIFICATION, 176, "uuu(u)", "tag, context, tid of the task or host concerned, values")

enum control_kind {
#define X(name, number, signature, fields) CONTROL_##name = number,
    CONTROL_KINDS(X)
#undef X
};

enum control_found { CONTROL_FOUND = 0, CONTROL_NO_SUCH_TASK = 1, CONTROL_TASK_ENDED = 2 };
/* GRANTED: hrun must accept the request, and does not answer. */
enum control_notify { CONTROL_NOTIFY = 0, CONTROL_NOTIFY_CANCEL = 1, CONTROL_NOTIFY_GRANTED = 2 };
/* Reasons for which a thread of a task waits. */
enum control_wait {
    CONTROL_WAIT_RECV,
    CONTROL_WAIT_PROBE,
    CONTROL_WAIT_SEND, /* for the buffer of a send, or for memory for a copy */
    CONTROL_WAIT_SENT, /* for the end of a send */
    CONTROL_WAIT_EXIT,
    CONTROL_WAIT_HRUN
};
enum control_where { CONTROL_ANYWHERE, CONTROL_ON_HOST, CONTROL_ON_MACHINE, CONTROL_NOT_ON = 4 };
/* A bit of a question's number: hrun answers on the connection on which the question arrived
 * (hrun/services/job_shortcut.c). */
#define CONTROL_SHORTCUT          0x80000000u
#define CONTROL_IS_QUESTION(kind) ((unsigned)(kind) >= CONTROL_SPAWN_ASK && (unsigned)(kind) < 160)
/* CLOSE: the task has closed its connection to the agent, and continues to run. */
enum control_how { CONTROL_DID_ENROL = 1, CONTROL_DID_LEAVE = 2, CONTROL_DID_CLOSE = 4 };

/* Name and signature of a kind; NULL: there is no such kind. */
const char *control_name(unsigned kind);
const char *control_signature(unsigned kind);

/* To write a frame: control_begin(), the fields with pack_*(), then control_end() with the result
 * of control_begin().  One buffer may contain several frames. control_end() marks the buffer as
 * failed if the payload does not match the signature of its kind. */
size_t control_begin(struct pack *pack, enum control_kind kind);
void control_end(struct pack *pack, size_t begun);
/* Writes a whole frame, with the fields in the order of the signature, which must not contain
 * lists. b h u: unsigned; l: uint64_t; s: const char *; y: const void *, size_t; k: const void
 * *. */
void control_put(struct pack *pack, enum control_kind kind, ...);
void control_vput(struct pack *pack, enum control_kind kind, va_list fields);
/* Writes a frame that is forwarded: its payload is the rest of `in`, which was validated on
 * arrival. */
void control_pass(struct pack *pack, enum control_kind kind, const struct unpack *in);

/* One frame; its payload refers to the decoder's memory and is valid until the next call of the
 * decoder. */
struct control_frame {
    enum control_kind kind;
    struct unpack payload;
};

/* Decodes a frame inside another one: `fields` is the rest of a FROM_TASK or TO_TASK frame, from
 * the inner kind on.  HN_EPROTO: the payload does not match the signature of its kind. */
int control_unwrap(struct unpack *fields, struct control_frame *inner);

/* The decoder; a struct of zeros is a new one.  It stores bytes that were fed and not consumed.  So
 * its memory is bounded by one frame plus what the caller feeds before it consumes. */
struct control_decoder {
    struct pack in;   /* bytes fed */
    size_t taken;     /* number of bytes consumed */
    const char *flaw; /* what was wrong, after an error of control_next() */
};

void control_decoder_free(struct control_decoder *decoder);
/* Makes room for so many bytes, so that the next control_feed() cannot fail.  False: out of memory,
 * and nothing has changed. */
bool control_room(struct control_decoder *decoder, size_t length);
/* Appends bytes: HN_OK or HN_ENOMEM. */
int control_feed(struct control_decoder *decoder, const void *data, size_t length);
/* Returns the next frame: 1; 0: more bytes are needed; HN_EPROTO: an error, now and in all later
 * calls (->flaw explains it). */
int control_next(struct control_decoder *decoder, struct control_frame *frame);
