/* job.c - forked tasks and the stand-in for their agent (job.h). */
#include "job.h"

#include "protocol/control.h"
#include "hnow.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

const char *job_plan = "";
const char *const job_paths[JOB_PATHS] = {"shm", "fetch", "ring", "unix", "tcp"};

struct child {
    pid_t pid;
    int fd;
    uint16_t port; /* 0: not enrolled yet */
    bool over;
    struct control_decoder in;
    bool asked[JOB_MAX]; /* for whose address it waits */
};

struct job {
    int n, hosts;
    const char *net;
    uint8_t secret[CONTROL_SECRET];
    uint32_t next_context; /* that has not been given out */
    struct child child[JOB_MAX];
};

void job_check_(_Bool condition, const char *text, const char *file, int line)
{
    if (condition)
        return;
    fprintf(stderr, "%s:%d: task %d: %s is false (%s)\n", file, line, hn_rank(), text,
            hn_error_text());
    _exit(1);
}

static uint32_t tid_of(const struct job *job, int i)
{
    return control_tid((uint32_t)(i % job->hosts), (uint32_t)i + 1);
}

static int index_of(uint32_t tid)
{
    return (int)(tid & ((1u << CONTROL_SERIAL_BITS) - 1)) - 1;
}

static void put(struct child *c, struct pack *p)
{
    if (send(c->fd, p->data, p->length, MSG_NOSIGNAL) < 0 && errno != EPIPE && errno != ECONNRESET)
        perror("job: send");
    pack_free(p);
}

static void welcome(struct job *job, int i)
{
    struct pack p = {0};
    size_t frame = control_begin(&p, CONTROL_WELCOME);

    pack_raw(&p, job->secret, sizeof job->secret);
    pack_u32(&p, tid_of(job, i));
    pack_u32(&p, (uint32_t)i);
    pack_u32(&p, (uint32_t)job->n);
    pack_u32(&p, 0);
    pack_str(&p, "");
    pack_str(&p, "");
    pack_u8(&p, 0);
    pack_u32(&p, (uint32_t)job->hosts);
    for (int k = 0; k < job->hosts; k++) {
        char name[16];
        snprintf(name, sizeof name, "h%d", k);
        pack_u32(&p, (uint32_t)k);
        pack_str(&p, job->hosts == 1 ? "localhost" : name);
    }
    pack_u32(&p, (uint32_t)job->n);
    for (int k = 0; k < job->n; k++)
        pack_u32(&p, tid_of(job, k));
    control_end(&p, frame);
    put(&job->child[i], &p);
}

static void start_child(struct job *job, int i, _Bool (*body)(void))
{
    int pair[2];
    char text[16];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        abort();
    job->child[i].fd = pair[0];
    job->child[i].pid = fork();
    if (job->child[i].pid == 0) {
        bool good;
        for (int k = 0; k <= i; k++)
            close(job->child[k].fd);
        snprintf(text, sizeof text, "%d", pair[1]);
        setenv("HNOW_AGENT_FD", text, 1);
        if (hn_enrol() != HN_OK) {
            fprintf(stderr, "hn_enrol: %s\n", hn_error_text());
            _exit(1);
        }
        good = body();
        hn_exit();
        _exit(good ? 0 : 1);
    }
    close(pair[1]);
    welcome(job, i);
}

static void answer(struct job *job, int asker, int about)
{
    static const uint8_t loopback[4] = {127, 0, 0, 1};
    struct child *c = &job->child[about];
    struct pack p = {0};
    size_t frame = control_begin(&p, CONTROL_ADDRESS);

    pack_u32(&p, tid_of(job, about));
    pack_u8(&p, c->over ? CONTROL_TASK_ENDED : CONTROL_FOUND);
    pack_u32(&p, c->over ? 0 : 1);
    if (!c->over) {
        pack_u8(&p, 4);
        pack_blob(&p, loopback, sizeof loopback);
        pack_u16(&p, c->port);
        pack_u32(&p, 0);
    }
    control_end(&p, frame);
    job->child[asker].asked[about] = false;
    put(&job->child[asker], &p);
}

static void give_contexts(struct job *job, int asker, struct unpack *question)
{
    struct pack p = {0};
    size_t frame = control_begin(&p, CONTROL_NUMBER);

    pack_u32(&p, unpack_u32(question));
    pack_u32(&p, job->next_context);
    control_end(&p, frame);
    job->next_context += CONTROL_LEASE;
    put(&job->child[asker], &p);
}

static void answer_all(struct job *job)
{
    for (int i = 0; i < job->n; i++)
        for (int k = 0; k < job->n; k++)
            if (job->child[i].asked[k] && (job->child[k].port || job->child[k].over))
                answer(job, i, k);
}

static void tell_all_ended(struct job *job, int i)
{
    for (int k = 0; k < job->n; k++) {
        struct pack p = {0};
        if (job->child[k].over)
            continue;
        control_put(&p, CONTROL_ENDED, tid_of(job, i), 0u, 0u);
        put(&job->child[k], &p);
    }
}

static const char *text_of(const struct job *job, const char *key)
{
    if (strcmp(key, "plan") == 0)
        return job_plan;
    return strcmp(key, "hosts") ? "" : job->net;
}

static void take_frames(struct job *job, int i)
{
    struct child *c = &job->child[i];
    struct control_frame f;

    while (control_next(&c->in, &f) == 1) {
        if (f.kind == CONTROL_ENROL) {
            unpack_str(&f.payload);
            c->port = unpack_u16(&f.payload);
        } else if (f.kind == CONTROL_LOOKUP) {
            c->asked[index_of(unpack_u32(&f.payload))] = true;
        } else if (f.kind == CONTROL_CONTEXT_ASK) {
            give_contexts(job, i, &f.payload);
        } else if (f.kind == CONTROL_TEXT_ASK) {
            const char *key = unpack_str(&f.payload);
            const char *text = text_of(job, key);
            struct pack p = {0};
            control_put(&p, CONTROL_TEXT, key, text, strlen(text));
            put(c, &p);
        }
    }
}

static void serve(struct job *job, int i)
{
    uint8_t buffer[4096];
    struct child *c = &job->child[i];
    ssize_t n = read(c->fd, buffer, sizeof buffer);

    if (n > 0) {
        control_feed(&c->in, buffer, (size_t)n);
        take_frames(job, i);
        return;
    }
    c->over = true;
    close(c->fd);
    control_decoder_free(&c->in);
    tell_all_ended(job, i);
}

static int running(const struct job *job)
{
    int n = 0;

    for (int i = 0; i < job->n; i++)
        n += !job->child[i].over;
    return n;
}

static void serve_until(struct job *job, time_t end)
{
    while (running(job) > 0 && time(NULL) < end) {
        struct pollfd p[JOB_MAX];

        for (int i = 0; i < job->n; i++)
            p[i] =
                (struct pollfd){.fd = job->child[i].over ? -1 : job->child[i].fd, .events = POLLIN};
        poll(p, (nfds_t)job->n, 100);
        for (int i = 0; i < job->n; i++)
            if (p[i].fd >= 0 && p[i].revents)
                serve(job, i);
        answer_all(job);
    }
}

enum { PATIENCE = 30 }; /* on a machine that does much else, or under a sanitizer */

int job_run(int n, int seconds, _Bool (*body)(void))
{
    return job_run_on(n, 1, "", seconds, body);
}

int job_run_on(int n, int hosts, const char *net, int seconds, _Bool (*body)(void))
{
    struct job *job = calloc(1, sizeof *job);
    int failed = 0;

    job->n = n;
    job->hosts = hosts;
    job->net = net;
    job->next_context = CONTROL_CONTEXT_FIRST + (1 << 20); /* tests take those before */
    randombytes_buf(job->secret, sizeof job->secret); /* jobs that run side by side are strangers */
    for (int i = 0; i < n; i++)
        start_child(job, i, body);
    serve_until(job, time(NULL) + PATIENCE * seconds);
    for (int i = 0; i < n; i++) {
        int status = 0;
        if (!job->child[i].over) {
            fprintf(stderr, "job: task %d does not end\n", i);
            kill(job->child[i].pid, SIGKILL);
            close(job->child[i].fd);
            control_decoder_free(&job->child[i].in);
        }
        waitpid(job->child[i].pid, &status, 0);
        if (WIFSIGNALED(status))
            fprintf(stderr, "job: task %d was ended by signal %d\n", i, WTERMSIG(status));
        else if (status != 0)
            fprintf(stderr, "job: task %d ended with status %d\n", i, WEXITSTATUS(status));
        failed += status != 0;
    }
    free(job);
    return failed;
}
