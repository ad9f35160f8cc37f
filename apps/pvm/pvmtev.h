/* pvmtev.h - PVM 3's trace masks on hnow: stored and inherited, but without effect, since hrun
 * -trace records all calls.  Event kinds are not defined here. */
#ifndef PVMTEV_H
#define PVMTEV_H

#include "pvm3.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A text with four kinds of events in each character; '@' means that all four are clear. */
#define TEV_MASK_LENGTH 36
typedef char Pvmtmask[TEV_MASK_LENGTH];

/* A kind is a number from 0 on: four of them for each character. */
#define TEV_MASK_SET(mask, kind)   ((mask)[(kind) / 4] |= (char)(1 << ((kind) % 4)))
#define TEV_MASK_UNSET(mask, kind) ((mask)[(kind) / 4] &= (char)~(1 << ((kind) % 4)))
#define TEV_MASK_CHECK(mask, kind) ((mask)[(kind) / 4] & (1 << ((kind) % 4)))
/* The last character ends the text. */
#define TEV_MASK_INIT(mask)                                                                        \
    do {                                                                                           \
        int i_ = 0;                                                                                \
        while (i_ < TEV_MASK_LENGTH - 1)                                                           \
            (mask)[i_++] = '@';                                                                    \
        (mask)[i_] = 0;                                                                            \
    } while (0)

/* who: PvmTaskSelf, or PvmTaskChild for tasks spawned later.  PvmBadParam: another who, or no
 * mask. */
HNOW_PVM_API int pvm_gettmask(int who, Pvmtmask mask);
HNOW_PVM_API int pvm_settmask(int who, Pvmtmask mask);

#ifdef __cplusplus
}
#endif
#endif
