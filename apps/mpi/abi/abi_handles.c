/* abi_handles.c - the predefined handles of the standard ABI (handles.h). */
#include "handles.h"

struct object *handle_named[HANDLES];
