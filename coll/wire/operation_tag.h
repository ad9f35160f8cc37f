/* operation_tag.h - tags of the messages of operations: they identify the operation within its
 * group.
 *
 * Lasting (1 bit), kind (6), root and plan (7), number (17).  Lasting ones live long: how often
 * numbers have begun anew since is mixed with the root.
 *
 * Seven bits cannot distinguish all roots and plans.  Members that call alike do not depend on
 * them.  If some members do not, by mistake, their tags always differ where the plan's name is the
 * same and the roots are below 128.  Else they differ in about 127 of 128 operations.  Which ones
 * depends on the number, so a mistake that is repeated does not stay unnoticed.
 *
 * Numbers begin anew after 2^17 operations of a group.  A message can only be taken for one of the
 * operation with the same tag a round later if it is still there then.  Where an operation has
 * ended with an error, what comes for it afterwards would be: for a round it is dropped every
 * TAG_SWEEP operations.  Without an error nothing is, for what is from far ahead looks as from the
 * far past.  Besides, an operation that does not wait must end before 2^16 later ones of its group
 * have: then neither its receives nor its messages meet those of a round later.
 */
#pragma once

#include "wire/argument_error.h"
#include "wire/kind.h"

#include <stdbool.h>
#include <stdint.h>

/* Layout of a tag; see above. */
enum { TAG_NUMBER_BITS = 17, TAG_ROOT_BITS = 7, TAG_KIND_BITS = 6, TAG_PERSISTENT = 1 << 30 };
enum { TAG_NUMBERS = (1 << TAG_NUMBER_BITS) - 1 }; /* of a tag */
enum { TAG_SWEEP = 1 << (TAG_NUMBER_BITS - 2) };   /* four times a round */

/* The tag of a call with this number, as long as its plan is not known. */
int operation_tag_make(const struct called *called, unsigned number);
/* The tag of the same operation, when its plan is known; hash: of the plan's name. */
int operation_tag_with_plan(int tag, uint32_t hash, unsigned number);

/* The full number with the lower bits of the tag that is nearest to `last`, before or after it. */
unsigned operation_tag_nearest(int tag, unsigned last);
/* Whether two tags are of different calls. Until the plan is known, the bits of root and plan may
 * differ. */
bool operation_tag_differs(int tag, int other, bool planned);

/* The lower bits of the operation's number. */
static inline unsigned operation_tag_number(int tag)
{
    return (unsigned)tag & TAG_NUMBERS;
}

static inline bool operation_tag_is_persistent(int tag)
{
    return tag & TAG_PERSISTENT;
}

static inline enum kind operation_tag_kind(int tag)
{
    return (enum kind)(tag >> (TAG_NUMBER_BITS + TAG_ROOT_BITS) & ((1 << TAG_KIND_BITS) - 1));
}
