/* mpi_external.h - a machine-independent data format: big-endian, two's complement integers, IEEE
 * 754 reals.
 *
 * In external32, defined by the standard, a long has 4 bytes and a wide character 2.  In the format
 * between unlike machines (`wire`) they have 8 and 4, so that nothing is lost.
 *
 * A format is a function of the type alone, so its size can be computed before any data exists.
 * Bytes (MPI_BYTE, MPI_PACKED, MPI_CHAR) are copied unchanged in both forms.
 */
#pragma once

#include "datatype/mpi_type.h"

/* external32 of the standard; and the form of messages between different machines. */
enum external_form { EXTERNAL_32, EXTERNAL_WIRE };

/* Bytes of `elements` basic elements of a type in that format, in type map order. */
size_t external_size(const struct mpi_type *t, size_t elements, enum external_form form);
/* Converts from and to packed data in native format.  Returns false if a value does not fit. The
 * formats have no alignment: elements follow each other without padding. */
bool external_put(const struct mpi_type *t, size_t elements, enum external_form form,
                  const void *packed, void *out);
bool external_get(const struct mpi_type *t, size_t elements, enum external_form form,
                  const void *in, void *packed);
