/* addresses.h - IP addresses: those of this machine's interfaces, and their text form. */
#pragma once

#include "base/pack.h"

#include <net/if.h>
#include <sys/socket.h>

/* An IP address in network byte order.  Bytes of `ip` behind its length are 0 after
 * address_from_...(). */
struct address {
    uint8_t family;      /* 4 or 6 */
    uint8_t ip[16];      /* 4 or 16 bytes are used */
    uint16_t port;       /* 0: none */
    uint32_t scope;      /* interface index of an IPv6 link-local address, else 0 */
    char name[IFNAMSIZ]; /* interface, "" if unknown */
};

/* Bytes of the IP address. */
static inline size_t address_length(const struct address *address)
{
    return address->family == 4 ? 4 : 16;
}

/* Converts a system address (IPv4 mapped into IPv6 becomes IPv4).  False: it is no IP address. */
bool address_from_socket(struct address *address, const struct sockaddr *from);
/* Parses "10.0.0.1" or "fe80::1%eth0", but no names.  False: the text is no address. */
bool address_from_text(struct address *address, const char *text);
bool address_is_loopback(const struct address *address);
/* Whether it is 0.0.0.0 or ::, which lead to this machine. */
bool address_is_unspecified(const struct address *address);
bool address_is_link_local(const struct address *address);
/* Whether family and bytes are equal. */
bool address_same(const struct address *a, const struct address *b);
/* Whether the first `bits` bits are equal; bits must not exceed the length. */
bool address_in_net(const struct address *address, const struct address *net, unsigned bits);

/* Whether iface selects the address: the name of its interface, an address, or ADDRESS/BITS. */
bool address_matches(const struct address *address, const char *iface);

/* Lists the addresses of all interfaces that are up, including loopback.  HN_OK and *list (to be
 * freed) with *n elements, or HN_ESYS, HN_ENOMEM. */
int addresses_own(struct address **list, size_t *n);

/* Finds the name of the interface with this address; "?": there is none. */
void addresses_interface(const struct address *address, char name[IFNAMSIZ]);

/* Packs the address as the control protocol's lists have it: family, IP address, port and scope. */
void address_pack(struct pack *pack, const struct address *address);
