/* See tap.h. Linux: Documentation/networking/tuntap.rst. */
#include "tap.h"
#include "netns.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static int tap_set_address(const char *interface, const uint8_t *address)
{
    struct ifreq request = {.ifr_hwaddr.sa_family = ARPHRD_ETHER};
    strncpy(request.ifr_name, interface, IFNAMSIZ - 1);
    memcpy(request.ifr_hwaddr.sa_data, address, WIRE_ADDRESS_BYTES);
    int control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (control < 0)
        return -1;
    int result = ioctl(control, SIOCSIFHWADDR, &request);
    close(control);
    return result;
}

/* In the namespace that this process is in. */
static int tap_make(const char *interface, const uint8_t *address)
{
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    strncpy(request.ifr_name, interface, IFNAMSIZ - 1);
    int descriptor = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return -1;
    if (ioctl(descriptor, TUNSETIFF, &request) == 0 && tap_set_address(interface, address) == 0)
        return descriptor;
    int error = errno;
    close(descriptor);
    errno = error;
    return -1;
}

int tap_open(const char *netns, const char *interface, const uint8_t address[WIRE_ADDRESS_BYTES])
{
    int home = netns_current();
    if (home < 0)
        return -1;
    int descriptor = netns_enter(netns) == 0 ? tap_make(interface, address) : -1;
    int error = errno;
    if (netns_enter_open(home) != 0 && descriptor >= 0) {
        error = errno;
        close(descriptor);
        descriptor = -1;
    }
    close(home);
    errno = error;
    return descriptor;
}
