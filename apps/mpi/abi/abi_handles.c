/* abi_handles.c - the standard's own handles (handles.h). */
#include "handles.h"

struct object *handle_named[HANDLES];
