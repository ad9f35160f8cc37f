/* addresses.h - IP addresses: those of this machine's interfaces, and their texts. */
#pragma once

#include "base/pack.h"

#include <net/if.h>
#include <sys/socket.h>

struct address {
    uint8_t family;      /* 4 or 6 */
    uint8_t ip[16];      /* 4 or 16 bytes are used */
    uint16_t port;       /* 0: none */
    uint32_t scope;      /* interface index of an IPv6 link-local address, else 0 */
    char name[IFNAMSIZ]; /* interface, "" when it is not known */
};

/* Bytes of the IP address. */
static inline size_t address_length(const struct address *address)
{
    return address->family == 4 ? 4 : 16;
}

/* From what the system calls use (an IPv4 address mapped into IPv6 is one of IPv4); false when it
 * is no IP address. */
bool address_from_socket(struct address *address, const struct sockaddr *from);
/* From "10.0.0.1" or "fe80::1%eth0" (no names); false when text is none. */
bool address_from_text(struct address *address, const char *text);
bool address_is_loopback(const struct address *address);
/* 0.0.0.0 or ::, which lead to this machine. */
bool address_is_unspecified(const struct address *address);
bool address_is_link_local(const struct address *address);
/* Same family and bytes. */
bool address_same(const struct address *a, const struct address *b);
/* True when the first `bits` bits agree; bits must not exceed the length. */
bool address_in_net(const struct address *address, const struct address *net, unsigned bits);

/* Whether iface means it: the name of its interface, an address, or a network ADDRESS/BITS. */
bool address_matches(const struct address *address, const char *iface);

/* The addresses of the interfaces that are up, loopback too.  HN_OK and *list (to be freed) with *n
 * elements, or HN_ESYS, HN_ENOMEM. */
int addresses_own(struct address **list, size_t *n);

/* The name of the interface that has this address, "?" when there is none. */
void addresses_interface(const struct address *address, char name[IFNAMSIZ]);

/* The form of the control protocol's lists: family, IP address, then port and scope. */
void address_pack(struct pack *pack, const struct address *address);
