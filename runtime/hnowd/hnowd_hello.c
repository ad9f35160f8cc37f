/* hnowd_hello.c - what an agent reports about its host.
 *
 * HELLO is sent once, before any frame of hrun has arrived. All of it describes this host; hrun
 * checks it like any other value from a host.
 */
#include "hnowd/hnowd.h"

#include "base/addresses.h"
#include "base/host_id.h"
#include "hnowd/cores.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

/* $SSH_CONNECTION is "client-address client-port server-address server-port". */
static void hnowd_ssh_addresses(char server[64], char client[64])
{
    const char *connection = getenv("SSH_CONNECTION");
    server[0] = client[0] = 0;
    if (!connection || sscanf(connection, "%63s %*s %63s", client, server) != 2)
        server[0] = client[0] = 0;
}

/* An agent that cannot list its interfaces reports none; hrun may still know an address. Loopback
 * and link-local addresses are included: hrun chooses. */
static void hnowd_pack_addresses(struct pack *pack)
{
    struct address *list;
    size_t n;
    if (addresses_own(&list, &n))
        n = 0;
    pack_u32(pack, (uint32_t)n);
    for (size_t i = 0; i < n; i++) {
        address_pack(pack, &list[i]);
        pack_str(pack, list[i].name);
    }
    free(list);
}

/* The sync line and the first frame in one write. hrun decides from the addresses how other hosts
 * reach this one. 1 and 2 are the byte orders of HELLO: little and big. */
void hnowd_hello(struct hnowd *agent, bool direct)
{
    struct utsname name;
    char server[64], client[64], id[HOST_ID];
    struct pack *out = channel_out(&agent->up);
    if (uname(&name))
        memset(&name, 0, sizeof name);
    hnowd_ssh_addresses(server, client);
    host_id(id);
    pack_raw(out, "\n" SYNC_WORD HNOW_VERSION "\n", strlen("\n" SYNC_WORD HNOW_VERSION "\n"));
    size_t begun = control_begin(out, CONTROL_HELLO);
    pack_u8(out, direct);
    pack_str(out, name.machine);
    pack_u8(out, BYTE_ORDER == LITTLE_ENDIAN ? 1 : 2);
    pack_u32(out, (uint32_t)cores_usable());
    pack_str(out, name.nodename);
    pack_str(out, id);
    pack_str(out, direct ? "" : server);
    pack_str(out, direct ? "" : client);
    hnowd_pack_addresses(out);
    control_end(out, begun);
    channel_send(&agent->up);
}
