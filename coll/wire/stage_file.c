/* stage_file.c - copies a file from one member's host to the hosts of all members; see hnow_coll.h.
 *
 * The root first broadcasts size and hash. The first member of each other host looks into the
 * user's cache, and opens a file there if the content is missing. These members and the root form a
 * group of their own, in which the content is broadcast in blocks by the plan for this group. The
 * file gets its name when it is complete (protocol/stage.h).
 *
 * Failures: all members agree twice, before and after the content is sent, and report the error of
 * one of them. A writer that cannot write, or a root that cannot read, takes part to the end first.
 *
 * Cost: the root reads the file twice, for the hash and to send it; FLIGHT blocks of memory.
 */
#include "hnow_coll.h"

#include "job/internal.h"
#include "runtime/internal.h"
#include "wire/group_state.h"
#include "wire/model_update.h"
#include "wire/stage_plan.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Two blocks keep the wire busy while a third is read or written. */
enum { FLIGHT = 3 };
/* Answer of a member: it needs the content, or has it; errors are smaller. */
enum { WANTS = 0, HAS = 1 };

/* One call at one member. The root has `source`; a writer has `file`; both have `room`. */
struct staging {
    const hn_group *group;
    int root;
    bool sends; /* this member is the root */
    /* The root's message; text, since byte orders differ: error, size, hash, path or error text. */
    char head[PATH_MAX + 100];
    uint64_t size;
    char hash[STAGE_HASH];
    const char *path; /* on the root's host */
    int source;       /* the root's descriptor, or -1 */
    struct stage_file file;
    size_t block;  /* bytes */
    uint8_t *room; /* buffer for the blocks in flight */
};

/* Errors name host and file, since members of other hosts report them as well. */
static int failed(const char *path, const char *what, const char *why)
{
    return error_set(HN_ESYS, "host %s: %s: %s: %s", tids_host(hn_mytid()), path, what, why);
}

/* The smallest answer of all members; if it is an error, with the text of one member that had it.
 * HN_MINLOC gives the lowest rank among those with the smallest answer, and that one sends its
 * text. */
static int agree(const struct staging *s, int mine)
{
    char text[ERROR_TEXT] = "";
    int64_t least[2] = {mine, hn_group_rank(s->group, hn_mytid())};
    if (mine < 0)
        snprintf(text, sizeof text, "%s", hn_error_text());
    int error = hn_allreduce(HN_IN_PLACE, least, 2, HN_INT64, HN_MINLOC, s->group);
    if (!error && least[0] < 0)
        error = hn_bcast(text, sizeof text, HN_BYTE, (int)least[1], s->group);
    if (!error && least[0] < 0)
        error = error_set((int)least[0], "%s", text);
    return error ? error : (int)least[0];
}

/* ---- before the content ----------------------------------------------------------------- */

/* Opens the file and reads it once for its hash. The head contains the real path, which members on
 * the root's host use directly. */
static int open_source(struct staging *s, const char *path)
{
    char whole[PATH_MAX];
    struct stat status;
    if (!path)
        return error_set(HN_EARG, "hn_stage_file: path is NULL");
    s->source = open(path, O_RDONLY | O_CLOEXEC);
    if (s->source < 0 || fstat(s->source, &status) || !realpath(path, whole))
        return failed(path, "cannot be read", strerror(errno));
    if (!S_ISREG(status.st_mode))
        return failed(path, "cannot be read", "it is not a file");
    if (!stage_sum(s->source, s->hash, &s->size))
        return failed(path, "cannot be read", strerror(errno));
    snprintf(s->head, sizeof s->head, "0 %" PRIu64 " %s %s", s->size, s->hash, whole);
    return HN_OK;
}

/* The head is broadcast in any case, also with an error, so that no member waits. */
static int share_head(struct staging *s, const char *path)
{
    int error = s->sends ? open_source(s, path) : HN_OK, at = 0;
    if (error)
        snprintf(s->head, sizeof s->head, "%d 0 - %s", error, hn_error_text());
    int broken = hn_bcast(s->head, sizeof s->head, HN_BYTE, s->root, s->group);
    if (broken)
        return broken;
    /* Other members' versions may differ, so the text is not trusted. */
    s->head[sizeof s->head - 1] = '\0';
    if (sscanf(s->head, "%d %" SCNu64 " %32s %n", &error, &s->size, s->hash, &at) != 3)
        return error_set(HN_EPROTO, "hn_stage_file: the root's words cannot be understood");
    s->path = s->head + at;
    return error ? error_set(error, "%s", s->path) : HN_OK;
}

/* The user's cache, as -stage has it. */
static int cache_directory(char path[PATH_MAX])
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    struct stat status;
    bool has_home = home && stat(home, &status) == 0 && S_ISDIR(status.st_mode);
    /* Without a home the directory is in /tmp, whose entries may belong to others. So links are not
     * followed there. */
    bool shared = !(base && base[0]) && !has_home; /* with strangers: /tmp */
    if (shared)
        snprintf(path, PATH_MAX, "/tmp/hnow-%u", (unsigned)geteuid());
    else if (base && base[0])
        snprintf(path, PATH_MAX, "%s/hnow", base);
    else
        snprintf(path, PATH_MAX, "%s/.cache/hnow", home);
    /* Makes the directories above; what exists is left as it is. */
    for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
    if ((mkdir(path, 0700) && errno != EEXIST) || (shared ? lstat : stat)(path, &status))
        return failed(path, "the file cannot be stored", strerror(errno));
    /* The user's own directory, not writable by others: cached programs are executed later. */
    if (!S_ISDIR(status.st_mode) || status.st_uid != geteuid() || status.st_mode & 022)
        return failed(path, "the file cannot be stored", "it is not the user's own directory");
    return HN_OK;
}

/* Does no member before this one run on its host, nor the root? */
static bool is_first(const struct staging *s)
{
    hn_tid host = hn_host_tid(hn_mytid());
    for (int i = 0; hn_group_tid(s->group, i) != hn_mytid(); i++)
        if (hn_host_tid(hn_group_tid(s->group, i)) == host)
            return false;
    return true;
}

/* Finds the path of the file for this member; opens it if it is to be written. WANTS: this member
 * writes the content. HAS: its host has it, or another member writes it. Or an error. */
static int look(struct staging *s, char *where, size_t size)
{
    bool here = hn_host_tid(hn_mytid()) == hn_host_tid(hn_group_tid(s->group, s->root));
    char cache[PATH_MAX] = "";
    int error = here ? HN_OK : cache_directory(cache);
    if (error)
        return error;
    if (!where || (here ? strlen(s->path) : strlen(cache) + STAGE_HASH) >= size)
        return error_set(HN_EARG, "hn_stage_file: `where` has no room for the path");
    snprintf(where, size, "%s%s%s", here ? s->path : cache, here ? "" : "/", here ? "" : s->hash);
    bool writes = !here && is_first(s) && !stage_has(where, s->hash, s->size);
    /* The root and each writer need the blocks in flight. */
    if ((s->sends || writes) && !(s->room = malloc((size_t)FLIGHT * STAGE_BLOCK_LONG)))
        return error_set(HN_ENOMEM, "hn_stage_file: out of memory");
    if (writes && !stage_open(&s->file, cache, s->hash, s->size))
        return failed(cache, "the file cannot be stored", strerror(errno));
    return writes ? WANTS : HAS;
}

/* ---- the content ------------------------------------------------------------------------ */

static size_t length(const struct staging *s, uint64_t block)
{
    uint64_t left = s->size - block * s->block;
    return left < s->block ? (size_t)left : s->block;
}

/* Reads a block at the root. HN_OK, or an error if it does not belong to the file. After an error
 * the root sends the block all the same; the writers find that the hash is wrong. */
static int fill(const struct staging *s, uint64_t block, uint8_t *data)
{
    size_t n = length(s, block), done = 0;
    ssize_t got = 1;
    while (done < n && got > 0) {
        got = pread(s->source, data + done, n - done, (off_t)(block * s->block + done));
        done += got > 0 ? (size_t)got : 0;
    }
    return done == n
               ? HN_OK
               : failed(s->path, "cannot be read", got < 0 ? strerror(errno) : "it has changed");
}

/* Blocks are stored in order. */
static int store(struct staging *s, uint64_t block, const uint8_t *data)
{
    const char *why = stage_write(&s->file, data, length(s, block));
    return why ? failed(s->file.path, "the file cannot be stored", why) : HN_OK;
}

/* The root plans for at most this part of the shortest time for the content. */
enum { LOOK_SHARE = 8 };

/* Chooses the block size, and the plan for all blocks as one message. "": each block has its own
 * plan, since the user has named one, or nothing suits. */
static void choose_plan(const struct staging *s, const hn_group *group, char *text, size_t size)
{
    struct group_state *state;
    struct held_model held;
    char name[PLAN_NAME_ROOM];
    snprintf(text, size, "%d ", STAGE_BLOCK);
    if (s->size <= STAGE_BLOCK || s->size > INT64_MAX || group_state_get(group, &state) ||
        group_state_is_named(state))
        return;
    struct request req = {
        .op = OP_BCAST, .ranks = group_state_size(state), .bytes = (int64_t)s->size, .grain = 1};
    group_state_hold_model(state, &held);
    size_t block = stage_plan(&req, &held.model, name);
    snprintf(text, size, "%zu %s", block, name);
    held_model_drop(&held);
}

/* Only the root plans, for longer than a single block would allow. If all members did, tasks on
 * shared processors would do so one after the other. */
static int follow_plan(struct staging *s, const hn_group *group)
{
    /* All members must use the same block size, so the root's choice is broadcast with its plan. */
    char text[PLAN_NAME_ROOM + 16] = "", *name;
    if (s->sends)
        choose_plan(s, group, text, sizeof text);
    int error = hn_bcast(text, sizeof text, HN_BYTE, 0, group);
    if (error)
        return error;
    text[sizeof text - 1] = '\0';
    s->block = strtoul(text, &name, 10);
    if (*name != ' ' || s->block < STAGE_BLOCK || s->block > STAGE_BLOCK_LONG)
        return error_set(HN_EPROTO, "hn_stage_file: the root's words cannot be understood");
    return name[1] ? hn_set_plan(group, name + 1) : HN_OK;
}

/* wrong: the first error of the disk, with which the member takes part to the end. A gate holds the
 * root back until all members have stored the block of FLIGHT ago, so no inbox fills up. The gate
 * is a reduce, since a message from the root would wait behind its blocks. Iteration i ends the
 * broadcast of block i - FLIGHT in the same slot, stores it, and then starts that of block i. After
 * the last block FLIGHT iterations only end what is in flight. */
static int stream(struct staging *s, const hn_group *group, int *wrong)
{
    hn_request *request[FLIGHT] = {0}, *gate = NULL;
    int32_t one = 1, stored = 0;
    int error = follow_plan(s, group);
    /* After an error there is no block, and the loop only runs empty. */
    uint64_t blocks = error ? 0 : (s->size + s->block - 1) / s->block;
    for (uint64_t i = 0; i < blocks + FLIGHT; i++) {
        hn_request **slot = &request[i % FLIGHT];
        uint8_t *data = s->room + i % FLIGHT * s->block;
        int ended = *slot ? hn_wait(*slot, NULL) : HN_OK;
        bool taken = *slot && !ended && !s->sends;
        *slot = NULL;
        error = error ? error : ended;
        if (taken && !*wrong)
            *wrong = store(s, i - FLIGHT, data);
        ended = gate ? hn_wait(gate, NULL) : HN_OK;
        gate = NULL;
        error = error ? error : ended;
        /* A member joins the gate of iteration i after it has stored block i - FLIGHT. */
        if (i >= FLIGHT && i < blocks && !error)
            error = hn_ireduce(&one, &stored, 1, HN_INT32, HN_SUM, 0, group, &gate);
        if (i >= blocks || error)
            continue;
        if (s->sends && !*wrong)
            *wrong = fill(s, i, data);
        error = hn_ibcast(data, length(s, i), HN_BYTE, 0, group, slot);
    }
    return error;
}

/* Only writers and the root form the group; the root has rank 0 by its key. */
static int send_content(struct staging *s, bool writes)
{
    hn_group *group;
    int wrong = HN_OK;
    int error = hn_group_split(s->group, writes || s->sends ? 0 : -1, s->sends ? 0 : 1, &group);
    if (error || !group)
        return error;
    error = stream(s, group, &wrong);
    hn_group_free(group);
    /* The file gets its name only when all of it has arrived with the right hash. */
    if (error || wrong || !writes)
        return error ? error : wrong;
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s", s->file.path);
    const char *why = stage_finish(&s->file);
    return why ? failed(path, "the file cannot be stored", why) : HN_OK;
}

int hn_stage_file(const char *path, char *where, size_t size, int root, const hn_group *group)
{
    int rank = group ? hn_group_rank(group, hn_mytid()) : HN_EARG;
    struct staging s = {.group = group, .root = root, .source = -1, .file = {.fd = -1}};
    s.sends = rank == root;
    int error = share_head(&s, path);
    if (!error) {
        int mine = look(&s, where, size);
        error = agree(&s, mine);
        /* By the second agreement all members learn whether every writer has succeeded. */
        if (error == WANTS)
            error = agree(&s, send_content(&s, mine == WANTS));
        else if (error == HAS)
            error = HN_OK;
    }
    stage_drop(&s.file);
    if (s.source >= 0)
        close(s.source);
    free(s.room);
    return error;
}
