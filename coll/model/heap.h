/* heap.h - binary heaps: the first of many things that come and go.
 *
 *     HEAP(NAME, TYPE, CONTEXT, BEFORE)
 *
 * defines three functions on arrays of TYPE of which the first `count` items are a heap, that is:
 * none comes before the one above it, which is for item i item (i - 1) / 2. So item 0 comes first.
 *
 *     void NAME_add(CONTEXT context, TYPE *heap, size_t count, TYPE item)
 *         one more item; the array must have room for it;
 *     TYPE NAME_take(CONTEXT context, TYPE *heap, size_t count)
 *         returns item 0, and makes a heap of the count - 1 others;
 *     void NAME_sink(CONTEXT context, TYPE *heap, size_t count, size_t place, TYPE item)
 *         puts an item at a place, or below it. What is below it must be in order; and the item
 *         must not come before the one above. From the last places to the first, this makes a heap
 *         of any array.
 *
 * An item at place p that has come to be before the one above it, the rest being in order, is put
 * right by NAME_add(context, heap, p, item).  HEAP_PLACED(..., PLACED) is told where items are:
 * void PLACED(CONTEXT context, TYPE item, size_t place), whenever one is put somewhere.
 *
 * bool BEFORE(CONTEXT context, TYPE a, TYPE b) must be an order: where equal items shall come out
 * in a certain order, it has to say so. Each costs O(log count), inlined: no call to compare.
 */
#pragma once

#include <stddef.h>

#define HEAP_PLACED(NAME, TYPE, CONTEXT, BEFORE, PLACED)                                           \
    __attribute__((unused)) static inline void NAME##_add(CONTEXT context, TYPE *heap,             \
                                                          size_t count, TYPE item)                 \
    {                                                                                              \
        size_t at = count;                                                                         \
        for (; at > 0 && BEFORE(context, item, heap[(at - 1) / 2]); at = (at - 1) / 2) {           \
            heap[at] = heap[(at - 1) / 2];                                                         \
            PLACED(context, heap[at], at);                                                         \
        }                                                                                          \
        heap[at] = item;                                                                           \
        PLACED(context, item, at);                                                                 \
    }                                                                                              \
    __attribute__((unused)) static inline void NAME##_sink(CONTEXT context, TYPE *heap,            \
                                                           size_t count, size_t place, TYPE item)  \
    {                                                                                              \
        for (size_t child; (child = 2 * place + 1) < count; place = child) {                       \
            if (child + 1 < count && BEFORE(context, heap[child + 1], heap[child]))                \
                child++;                                                                           \
            if (!BEFORE(context, heap[child], item))                                               \
                break;                                                                             \
            heap[place] = heap[child];                                                             \
            PLACED(context, heap[place], place);                                                   \
        }                                                                                          \
        heap[place] = item;                                                                        \
        PLACED(context, item, place);                                                              \
    }                                                                                              \
    __attribute__((unused)) static inline TYPE NAME##_take(CONTEXT context, TYPE *heap,            \
                                                           size_t count)                           \
    {                                                                                              \
        TYPE first = heap[0];                                                                      \
        NAME##_sink(context, heap, count - 1, 0, heap[count - 1]);                                 \
        return first;                                                                              \
    }                                                                                              \
    _Static_assert(sizeof(TYPE) > 0, "HEAP() ends with a semicolon")

#define HEAP_NOWHERE(context, item, place) ((void)0)
#define HEAP(NAME, TYPE, CONTEXT, BEFORE)  HEAP_PLACED(NAME, TYPE, CONTEXT, BEFORE, HEAP_NOWHERE)
