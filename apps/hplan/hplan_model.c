/* hplan_model.c - the models of hplan -model: one network file, in the terms of each paper.
 *
 *     media     ours: S, X and R, and messages share wires, ports and connections (media.h)
 *     sxr       Wu, equations 1 to 4; Banikazemi, section 2: S, X and R
 *     blocking  Bhat, section 3: a message occupies both ports for T + m / B = S + X + R
 *     plogp     Barchet-Steffenel, section 3: a sender is busy for the gap g(m), and the message
 *               arrives after L + g(m) = S + X + R, or later if a slow port makes the gap so long
 *               that less than the L of an empty message would remain. (The paper's T, the time
 *               inside a cluster, is 0: every rank is one host.)
 *
 * media and sxr have equal costs; they differ in what messages in progress compete for (enum port).
 */
#include "hplan.h"

#include "probe/internal.h"

#include <string.h>

static const struct {
    const char *name;
    enum port port;
} models[] = {{"media", PORT_MEDIA},
              {"sxr", PORT_NONBLOCKING},
              {"blocking", PORT_BLOCKING},
              {"plogp", PORT_NONBLOCKING}};
enum { MODELS = sizeof models / sizeof *models };

/* The costs of a message in pLogP, taken from the file's S, X, W and R.  The receiver's part is
 * included in the latency, hence 0. model->data is the network (model_of_net()). */
static struct cost plogp_cost(const struct model *model, int from, int to, int64_t bytes)
{
    int sender = model_host(model, from), receiver = model_host(model, to);
    hn_time gap = plogp_gap(model->data, sender, receiver, bytes);
    hn_time latency = hn_net_time(model->data, sender, receiver, bytes) - gap;
    hn_time least =
        hn_net_time(model->data, sender, receiver, 0) - plogp_gap(model->data, sender, receiver, 0);
    return (struct cost){gap, latency > least ? latency : least, 0};
}

/* A linear search in four names. */
bool hplan_model_is_known(const char *name)
{
    for (int i = 0; i < MODELS; i++)
        if (strcmp(models[i].name, name) == 0)
            return true;
    return false;
}

/* The name is known. The model keeps `net` and `host`, which must outlive it. */
void hplan_model(const char *name, const hn_net *net, const int *host, int ranks,
                 struct model *model)
{
    for (int i = 0; i < MODELS; i++)
        if (strcmp(models[i].name, name) == 0)
            model_of_net(model, net, host, ranks, models[i].port);
    if (strcmp(name, "plogp") == 0)
        model->cost = plogp_cost;
}
