/* See cost.h. Reads headers only as far as the frame's length allows. */
#include "cost.h"

enum {
    ETHERNET_HEADER = 14,
    TYPE_IPV4 = 0x0800,
    TYPE_IPV6 = 0x86DD,
    IPV4_HEADER = 20,
    IPV6_HEADER = 40,
    TCP_HEADER = 20,
    TCP_PUSH = 0x08,
    PROTOCOL_ICMP = 1,
    PROTOCOL_TCP = 6,
    PROTOCOL_UDP = 17,
    PROTOCOL_ICMPV6 = 58,
    ICMPV6_ECHO_REQUEST = 128,
    ICMPV6_ECHO_REPLY = 129,
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

static struct cost_content cost_of_packet(int protocol, const uint8_t *data, size_t length)
{
    struct cost_content none = {0};
    if (protocol == PROTOCOL_TCP)
        return cost_of_tcp(data, length);
    if (protocol == PROTOCOL_UDP || protocol == PROTOCOL_ICMP)
        return (struct cost_content){length, true};
    /* The other ICMPv6 types are IPv6's address resolution. */
    if (protocol == PROTOCOL_ICMPV6 && length > 0 &&
        (data[0] == ICMPV6_ECHO_REQUEST || data[0] == ICMPV6_ECHO_REPLY))
        return (struct cost_content){length, true};
    return none;
}

static struct cost_content cost_of_ipv4(const uint8_t *packet, size_t length)
{
    if (length < IPV4_HEADER)
        return (struct cost_content){0};
    size_t header = (size_t)(packet[0] & 15) * 4, total = cost_read16(packet + 2);
    if (header < IPV4_HEADER || total < header || total > length)
        return (struct cost_content){0};
    return cost_of_packet(packet[9], packet + header, total - header);
}

static struct cost_content cost_of_ipv6(const uint8_t *packet, size_t length)
{
    if (length < IPV6_HEADER)
        return (struct cost_content){0};
    size_t payload = cost_read16(packet + 4);
    if (payload > length - IPV6_HEADER)
        return (struct cost_content){0};
    return cost_of_packet(packet[6], packet + IPV6_HEADER, payload);
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
