/* job_addresses.c - selects the addresses of a host that are offered to another one.
 *
 * Addresses are offered, not guessed.  The side that connects tries them in this order, and the
 * handshake with the job's secret shows whether the right task answered.
 *     1. addr= of the hosts file, if it is an IP address
 *     2. the address under which ssh reached the host
 *     3. the host's interfaces, IPv4 first; never those that exist on many machines and lead
 *        nowhere (docker0 ...), and link-local ones only if -iface selects them
 * With -iface only the addresses that it selects remain.  On one host, loopback comes first.  While
 * all hosts are this one machine, tasks listen only on loopback (WIDE).  A task on hrun's own
 * machine is offered to another host under the address from which ssh arrived there.
 *
 * The lists are made when a host reports, and used for each pair of tasks that asks. They contain
 * addresses only; the port is the task's.
 */
#include "hrun/hosts/job_host.h"
#include "hrun/job_relay.h"

#include "base/array.h"
#include "base/error.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

enum { JOB_ADDRESSES = 64 }; /* addresses offered for a host */

/* Names of virtual interfaces as container and hypervisor software chooses them. */
static bool job_is_bridge(const char *interface)
{
    static const char *const bridges[] = {"docker", "virbr",  "br-",     "veth", "lxc",
                                          "cni",    "podman", "flannel", "cali"};
    for (size_t i = 0; i < sizeof bridges / sizeof *bridges; i++)
        if (strncmp(interface, bridges[i], strlen(bridges[i])) == 0)
            return true;
    return false;
}

/* Each address once, in the order of the first offer.  O(addresses). Beyond JOB_ADDRESSES further
 * ones are dropped: they are the least likely to work. */
static void job_offer(struct job_host *host, const struct address *address)
{
    for (size_t i = 0; i < host->naddress; i++)
        if (address_same(&host->address[i], address))
            return;
    if (host->naddress < JOB_ADDRESSES)
        host->address[host->naddress++] = *address;
}

/* Only IP addresses: a name would have to be resolved, which blocks.  With -iface these are left
 * out. */
static void job_offer_text(struct job_host *host, const char *text)
{
    struct address address;
    if (text && !host->job->options->iface && address_from_text(&address, text) &&
        !address_is_loopback(&address))
        job_offer(host, &address);
}

/* With -iface, that alone decides, even for loopback and bridges. */
static bool job_is_offered(const struct job_host *host, const struct address *address)
{
    const char *iface = host->job->options->iface;
    if (iface)
        return address_matches(address, iface);
    return !address_is_loopback(address) && !address_is_link_local(address) &&
           !job_is_bridge(address->name);
}

/* An address of a wrong length remains zero, which no one can reach. All fields come from another
 * machine. The name is cut to its field. */
static struct address job_unpack_address(struct unpack *in)
{
    struct address address = {.family = unpack_u8(in)};
    size_t n;
    const uint8_t *ip = unpack_blob(in, &n);
    if (n == address_length(&address))
        memcpy(address.ip, ip, n);
    address.port = unpack_u16(in);
    address.scope = unpack_u32(in);
    strncpy(address.name, unpack_str(in), IFNAMSIZ - 1);
    return address;
}

/* `in` is a copy, so the same list can be walked for each family. Each family is offered as a
 * whole, IPv4 before IPv6. */
static void job_offer_list(struct job_host *host, struct unpack in, int family)
{
    for (uint32_t n = unpack_u32(&in); n > 0; n--) {
        struct address address = job_unpack_address(&in);
        if (address.family == family && job_is_offered(host, &address))
            job_offer(host, &address);
    }
}

/* The list of an earlier attempt to start the host is replaced. HN_OK, or an error: the host is
 * unusable. */
int job_choose_addresses(struct job_host *host, const char *ssh_server, struct unpack *list)
{
    const char *iface = host->job->options->iface;
    free(host->address);
    host->naddress = 0;
    host->address = calloc(JOB_ADDRESSES, sizeof *host->address);
    if (!host->address)
        return error_set(HN_ENOMEM, "out of memory");
    job_offer_text(host, host->line ? host->line->addr : NULL);
    job_offer_text(host, ssh_server);
    job_offer_list(host, *list, 4);
    job_offer_list(host, *list, 6);
    if (iface && host->naddress == 0)
        /* Without the option an empty list is no error: loopback will do on one machine. */
        return error_set(HN_ESYS, "no interface there is, or has an address in, -iface %s", iface);
    return HN_OK;
}

/* The first time, all agents are notified; later only the one that is about to get SETUP. WIDE is
 * necessary as soon as two hosts are up of which one is not this machine.  It is never taken
 * back. */
void job_widen(struct job_host *come)
{
    struct job *job = come->job;
    int up = 0;
    /* far: not this machine. */
    bool far = false;
    for (int i = 0; i < job->nhost; i++) {
        const struct job_host *host = &job->host[i];
        if (host != come && !job_host_is_up(host))
            continue;
        up++;
        far |= !host->about.direct;
    }
    bool all = !job->wide;
    /* One machine alone needs no network, and neither do several names of it. */
    job->wide |= up > 1 && far;
    for (int i = 0; i < job->nhost && job->wide; i++) {
        struct job_host *host = &job->host[i];
        if (host != come && !(all && job_host_is_up(host)))
            continue;
        /* From now on tasks there listen on the network as well. */
        channel_put(&host->channel, CONTROL_WIDE);
    }
}

/* Parses an address from another host's ssh: an interface after % is one of that host's. That
 * interface has no meaning on another host, so it is dropped. */
static bool job_foreign_address(struct address *address, const char *text)
{
    char ip[INET6_ADDRSTRLEN] = "";
    size_t n = strcspn(text ? text : "", "%");
    if (n == 0 || n >= sizeof ip)
        return false;
    memcpy(ip, text, n);
    return address_from_text(address, ip);
}

/* The count is written in front of the list by the caller. */
static void job_pack_one(struct pack *pack, struct address address, uint16_t port, uint32_t *n)
{
    address.port = port;
    address_pack(pack, &address);
    ++*n;
}

/* Packs the addresses of a task for a host: the list of an ADDRESS frame.  The list is never empty:
 * without any address it has loopback. */
static void job_pack_addresses(struct pack *pack, const struct job_task *task,
                               const struct job_host *from)
{
    const struct job_host *host = task->host;
    const struct address loopback = {.family = 4, .ip = {127, 0, 0, 1}};
    struct address client;
    /* near: both on one host, or both on this machine. */
    bool near = from == host || (from->about.direct && host->about.direct);
    uint32_t n = 0;
    struct pack list = {0};
    /* With -iface other hosts' tasks do not listen on loopback, once the job is wide. */
    if (near && !(host->job->wide && host->job->options->iface))
        job_pack_one(&list, loopback, task->port, &n);
    while (from->parent) /* hrun itself has connected only to the first host of the chain */
        from = from->parent;
    if (!near && host->about.direct && job_foreign_address(&client, from->about.ssh_client) &&
        !host->job->options->iface)
        job_pack_one(&list, client, task->port, &n);
    for (size_t i = 0; i < host->naddress; i++)
        /* In the order of job_choose_addresses(). */
        job_pack_one(&list, host->address[i], task->port, &n);
    if (n == 0)
        job_pack_one(&list, loopback, task->port, &n);
    pack_u32(pack, n);
    pack_raw(pack, list.data, list.length);
    pack->failed |= list.failed;
    pack_free(&list);
}

/* ---- requests for addresses ------------------------------------------------------------- */

/* An empty list with CONTROL_FOUND: the task exists, but has not enrolled. asker may have ended;
 * then there is no answer. */
static void job_answer(struct job *job, uint32_t asker, uint32_t tid)
{
    struct job_task *from = job_any_task(job, asker);
    const struct job_task *task = job_any_task(job, tid);
    if (!from || !job_host_is_up(from->host))
        return;
    struct pack *out = channel_out(&from->host->channel);
    size_t begun = control_begin(out, CONTROL_ANSWER);
    pack_u32(out, asker);
    pack_u32(out, tid);
    pack_u8(out, !task                          ? CONTROL_NO_SUCH_TASK
                 : task->state == JOB_TASK_OVER ? CONTROL_TASK_ENDED
                                                : CONTROL_FOUND);
    if (task && task->state == JOB_TASK_ENROLLED)
        job_pack_addresses(out, task, from->host);
    else
        pack_u32(out, 0);
    control_end(out, begun);
    job_host_send(from->host);
}

/* Called when the task has enrolled or ended. */
void job_answer_all(struct job_task *task)
{
    struct job *job = task->host->job;
    for (size_t i = 0; i < task->nasker; i++)
        job_answer(job, task->asker[i], task->tid);
    free(task->asker);
    task->asker = NULL;
    task->nasker = 0;
}

/* If the other task has not enrolled yet, it is answered later, when that has enrolled or ended.
 * Without memory the question is lost, and its asker waits until its own time is over. The asker is
 * not checked here: job_answer() looks it up. */
void job_on_ask(struct job_host *host, struct unpack *in)
{
    struct job *job = host->job;
    uint32_t asker = unpack_u32(in);
    uint32_t tid = unpack_u32(in);
    struct job_task *task = job_any_task(job, tid);
    if (task && (task->state == JOB_TASK_STARTING || task->state == JOB_TASK_RUNS)) {
        if (ARRAY_ROOM(task->asker, task->nasker + 1))
            task->asker[task->nasker++] = asker;
        return;
    }
    job_answer(job, asker, tid);
}
