/* mpi_external.h - data in a form that is the same on all machines: big-endian, integers in two's
 * complement, real numbers of IEEE 754.
 *
 * In external32, which the standard defines, a long has 4 bytes.  In what travels between unlike
 * machines (`wire`) it has 8, so that nothing is lost.
 */
#pragma once

#include "datatype/mpi_type.h"

enum external_form { EXTERNAL_32, EXTERNAL_WIRE };

/* Bytes of `elements` basic elements of a type, in the order of its type map, in that form. */
size_t external_size(const struct mpi_type *t, size_t elements, enum external_form form);
/* The same from and to packed data as this machine has it.  False: a value does not fit. */
bool external_put(const struct mpi_type *t, size_t elements, enum external_form form,
                  const void *packed, void *out);
bool external_get(const struct mpi_type *t, size_t elements, enum external_form form,
                  const void *in, void *packed);
