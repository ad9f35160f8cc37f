/* addresses.c - IP addresses of this machine, and their text form; see addresses.h. */
#include "base/addresses.h"

#include "base/error.h"
#include "base/options.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <limits.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

/* NULL, and families other than AF_INET and AF_INET6, are no IP address.  An IPv4 address mapped
 * into IPv6 becomes IPv4, so that both forms of one address compare as equal. */
bool address_from_socket(struct address *address, const struct sockaddr *from)
{
    *address = (struct address){0};
    if (from && from->sa_family == AF_INET) {
        const struct sockaddr_in *in = (const void *)from;
        address->family = 4;
        address->port = ntohs(in->sin_port);
        memcpy(address->ip, &in->sin_addr, 4);
        return true;
    }
    if (from && from->sa_family == AF_INET6) {
        const struct sockaddr_in6 *in = (const void *)from;
        if (IN6_IS_ADDR_V4MAPPED(&in->sin6_addr)) {
            address->family = 4;
            address->port = ntohs(in->sin6_port);
            memcpy(address->ip, in->sin6_addr.s6_addr + 12, 4);
            return true;
        }
        address->family = 6;
        address->port = ntohs(in->sin6_port);
        address->scope = in->sin6_scope_id;
        memcpy(address->ip, &in->sin6_addr, 16);
        return true;
    }
    return false;
}

/* Parses the scope of "fe80::1%eth0": the interface by name or number. */
static bool address_take_scope(struct address *address, const char *scope)
{
    long number;
    address->scope = if_nametoindex(scope);
    if (address->scope == 0 && options_number(scope, 1, INT_MAX, &number) == HN_OK)
        address->scope = (uint32_t)number;
    return address->scope > 0;
}

/* Does not use getaddrinfo(), which a statically linked agent does not have. */
bool address_from_text(struct address *address, const char *text)
{
    char copy[INET6_ADDRSTRLEN] = "";
    size_t n = strcspn(text, "%");
    *address = (struct address){.family = 4};
    if (inet_pton(AF_INET, text, address->ip) == 1)
        return true;
    if (n >= sizeof copy)
        return false;
    memcpy(copy, text, n);
    address->family = 6;
    return inet_pton(AF_INET6, copy, address->ip) == 1 &&
           (!text[n] || address_take_scope(address, text + n + 1));
}

bool address_is_loopback(const struct address *address)
{
    static const uint8_t loopback6[16] = {[15] = 1};
    return address->family == 4 ? address->ip[0] == 127 : memcmp(address->ip, loopback6, 16) == 0;
}

bool address_is_unspecified(const struct address *address)
{
    static const uint8_t none[16];
    return memcmp(address->ip, none, address->family == 4 ? 4 : 16) == 0;
}

/* 169.254.0.0/16 and fe80::/10. */
bool address_is_link_local(const struct address *address)
{
    const uint8_t *ip = address->ip;
    return address->family == 4 ? ip[0] == 169 && ip[1] == 254
                                : ip[0] == 0xfe && (ip[1] & 0xc0) == 0x80;
}

/* Neither the port nor the scope is compared. */
bool address_same(const struct address *a, const struct address *b)
{
    return a->family == b->family && memcmp(a->ip, b->ip, address_length(a)) == 0;
}

/* Whole bytes first, then the rest of the last one by its upper bits. */
bool address_in_net(const struct address *address, const struct address *net, unsigned bits)
{
    if (address->family != net->family)
        return false;
    if (memcmp(address->ip, net->ip, bits / 8))
        return false;
    unsigned rest = bits % 8;
    return rest == 0 || !((address->ip[bits / 8] ^ net->ip[bits / 8]) >> (8 - rest));
}

/* Parses ADDRESS/BITS, or ADDRESS, which has all bits.  False: it is neither. */
static bool address_read_net(const char *text, struct address *net, unsigned *bits)
{
    char alone[64] = "";
    size_t n = strcspn(text, "/");
    if (n < sizeof alone)
        memcpy(alone, text, n);
    if (!address_from_text(net, alone))
        return false;
    long most = (long)address_length(net) * 8, number = most;
    if (text[n] && options_number(text + n + 1, 0, most, &number))
        return false;
    *bits = (unsigned)number;
    return true;
}

bool address_matches(const struct address *address, const char *iface)
{
    struct address net;
    unsigned bits;
    return strcmp(iface, address->name) == 0 ||
           (address_read_net(iface, &net, &bits) && address_in_net(address, &net, bits));
}

/* Room for all entries of getifaddrs(), of which those without an IP address are skipped.  An
 * interface with several addresses occurs several times.  The caller frees the list.  Interfaces
 * that are down are left out. */
int addresses_own(struct address **list, size_t *n)
{
    struct ifaddrs *all;
    size_t most = 0;
    *list = NULL;
    *n = 0;
    if (getifaddrs(&all))
        return error_set(HN_ESYS, "the interfaces cannot be listed: %s", strerror(errno));
    for (struct ifaddrs *one = all; one; one = one->ifa_next)
        most++;
    *list = calloc(most + 1, sizeof **list);
    for (struct ifaddrs *one = all; one && *list; one = one->ifa_next) {
        struct address *address = &(*list)[*n];
        if (!(one->ifa_flags & IFF_UP) || !address_from_socket(address, one->ifa_addr))
            continue;
        strncpy(address->name, one->ifa_name, IFNAMSIZ - 1);
        ++*n;
    }
    freeifaddrs(all);
    return *list ? HN_OK : error_set(HN_ENOMEM, "out of memory");
}

/* The name of this machine's interface with that address; "?": none has it, or the list cannot be
 * read. */
void addresses_interface(const struct address *address, char name[IFNAMSIZ])
{
    struct address *own;
    size_t n;
    memcpy(name, "?", sizeof "?");
    if (addresses_own(&own, &n) != HN_OK)
        return;
    for (size_t i = 0; i < n; i++)
        if (address_same(&own[i], address))
            memcpy(name, own[i].name, IFNAMSIZ);
    free(own);
}

void address_pack(struct pack *pack, const struct address *address)
{
    pack_u8(pack, address->family);
    pack_blob(pack, address->ip, address_length(address));
    pack_u16(pack, address->port);
    pack_u32(pack, address->scope);
}
