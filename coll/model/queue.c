/* queue.c - the queue in the port of a switch (queue.h). */
#include "model/queue.h"

/* Bytes of a connection that Linux keeps in the network by default, and of all connections in a
 * port: a port has room for a few of them. */
enum { UNDER_WAY = 65536, ROOM = 4 * UNDER_WAY };

/* A stream whose byte takes at least FAR times as long as in the port would always have room. */
enum { FAR = 4, NEAR = 2 };

/* Connections whose own rate is far below the port's never fill it. */
static bool is_slower(const struct connection *c, int times)
{
    return c->alone >= times * c->route[c->port].per_byte;
}

/* Bytes of a stream in the port: those that its sender has had time to send, less those that have
 * passed. */
static int64_t in_port(const struct connection *c, const struct stream *stream, hn_time now)
{
    if (c->port < 0 || is_slower(c, NEAR) || stream->rate >= stream->own_rate)
        return 0;
    int64_t rest = stream_rest(stream, now);
    rest = rest < stream->bytes ? rest : stream->bytes; /* overhead has no bytes */
    int64_t waits = stream->queued - stream->bytes + rest;
    int64_t sent = c->alone > 0 ? wide_ratio(now - stream->begun, 1000, c->alone) : INT64_MAX;
    int64_t bytes = sent - (stream->passed + stream->bytes - rest);
    bytes = bytes < waits ? bytes : waits;
    return bytes < 0 ? 0 : bytes > UNDER_WAY ? UNDER_WAY : bytes;
}

/* Messages of near streams that share the port are ahead of one from a slow route. 0: no queue. */
hn_time queue_ahead(const struct fair *fair, const struct connections *connections,
                    const struct stream *streams, int32_t stream, hn_time now)
{
    const struct connection *c = &connections->all[stream];
    if (c->port < 0 || !is_slower(c, FAR))
        return 0;
    int channel = c->route[c->port].id;
    int64_t bytes = 0;
    for (int l = fair_first(fair, channel); l >= 0; l = fair_next(fair, channel, l))
        bytes += in_port(&connections->all[l], &streams[l], now);
    return hn_cost_time(0, c->route[c->port].per_byte, bytes < ROOM ? bytes : ROOM);
}
