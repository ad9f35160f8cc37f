/* host_id.h - identifies the host on which a process runs. */
#pragma once

enum { HOST_ID = 128 }; /* bytes: a UUID of 36, and two names such as net:[4026531840] */

/* Writes an identifier that all processes of a host share, and no others.  It contains the kernel's
 * random boot id, and the namespaces, because each container counts as a host.  "": the system does
 * not provide it. */
void host_id(char id[HOST_ID]);
