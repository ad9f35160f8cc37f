/* See cost.h. Reads headers only as far as the frame's length allows. */
#include "cost.h"

enum {
    ETHERNET_HEADER = 14,
    TYPE_IPV4 = 0x0800,
    TYPE_IPV6 = 0x86DD,
    IPV4_HEADER = 20,
    IPV6_HEADER = 40,
    IPV6_FRAGMENT_HEADER = 8,
    TCP_HEADER = 20,
    TCP_PUSH = 0x08,
    UDP_HEADER = 8,
    IPV4_MORE = 0x2000, /* another fragment follows */
    IPV4_OFFSET = 0x1FFF,
    IPV6_MORE = 1,
    IPV6_OFFSET = 0xFFF8,
    PROTOCOL_ICMP = 1,
    PROTOCOL_TCP = 6,
    PROTOCOL_UDP = 17,
    PROTOCOL_IPV6_FRAGMENT = 44,
    PROTOCOL_ICMPV6 = 58,
    ICMPV6_ECHO_REQUEST = 128,
    ICMPV6_ECHO_REPLY = 129,
};

/* Which part of a datagram a packet holds: all of it is the first and the last one. */
struct cost_part {
    bool first, last;
};

static size_t cost_read16(const uint8_t *at)
{
    return (size_t)at[0] << 8 | at[1];
}

static struct cost_content cost_of_tcp(const uint8_t *segment, size_t length)
{
    struct cost_content none = {0};
    if (length < TCP_HEADER)
        return none;
    size_t header = (size_t)(segment[12] >> 4) * 4;
    if (header < TCP_HEADER || header >= length)
        return none;
    return (struct cost_content){length - header, (segment[13] & TCP_PUSH) != 0};
}

/* Only its first part has the header. */
static struct cost_content cost_of_udp(struct cost_part part, size_t length)
{
    size_t header = part.first ? UDP_HEADER : 0;
    if (length < header)
        return (struct cost_content){0};
    return (struct cost_content){length - header, part.last};
}

static struct cost_content cost_of_packet(int protocol, struct cost_part part, const uint8_t *data,
                                          size_t length)
{
    struct cost_content none = {0};
    if (protocol == PROTOCOL_TCP && part.first)
        return cost_of_tcp(data, length);
    if (protocol == PROTOCOL_UDP)
        return cost_of_udp(part, length);
    if (protocol == PROTOCOL_ICMP)
        return (struct cost_content){length, part.last};
    /* The other ICMPv6 types are IPv6's address resolution. */
    if (protocol == PROTOCOL_ICMPV6 && length > 0 &&
        (!part.first || data[0] == ICMPV6_ECHO_REQUEST || data[0] == ICMPV6_ECHO_REPLY))
        return (struct cost_content){length, part.last};
    return none;
}

static struct cost_content cost_of_ipv4(const uint8_t *packet, size_t length)
{
    if (length < IPV4_HEADER)
        return (struct cost_content){0};
    size_t header = (size_t)(packet[0] & 15) * 4, total = cost_read16(packet + 2);
    if (header < IPV4_HEADER || total < header || total > length)
        return (struct cost_content){0};
    size_t place = cost_read16(packet + 6);
    struct cost_part part = {!(place & IPV4_OFFSET), !(place & IPV4_MORE)};
    return cost_of_packet(packet[9], part, packet + header, total - header);
}

static struct cost_content cost_of_ipv6(const uint8_t *packet, size_t length)
{
    if (length < IPV6_HEADER)
        return (struct cost_content){0};
    const uint8_t *data = packet + IPV6_HEADER;
    size_t payload = cost_read16(packet + 4);
    int protocol = packet[6];
    struct cost_part part = {true, true};
    if (payload > length - IPV6_HEADER)
        return (struct cost_content){0};
    if (protocol == PROTOCOL_IPV6_FRAGMENT && payload >= IPV6_FRAGMENT_HEADER) {
        size_t place = cost_read16(data + 2);
        part = (struct cost_part){!(place & IPV6_OFFSET), !(place & IPV6_MORE)};
        protocol = data[0];
        data += IPV6_FRAGMENT_HEADER;
        payload -= IPV6_FRAGMENT_HEADER;
    }
    return cost_of_packet(protocol, part, data, payload);
}

struct cost_content cost_of_frame(const uint8_t *frame, size_t length)
{
    if (length < ETHERNET_HEADER)
        return (struct cost_content){0};
    size_t type = cost_read16(frame + 12);
    if (type == TYPE_IPV4)
        return cost_of_ipv4(frame + ETHERNET_HEADER, length - ETHERNET_HEADER);
    if (type == TYPE_IPV6)
        return cost_of_ipv6(frame + ETHERNET_HEADER, length - ETHERNET_HEADER);
    return (struct cost_content){0};
}
