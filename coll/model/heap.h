/* heap.h - binary heaps, as macros that define typed functions.
 *
 *     HEAP(NAME, TYPE, CONTEXT, BEFORE)
 *
 * defines three functions on arrays of TYPE whose first `count` items form a heap: no item comes
 * before its parent, which is item (i - 1) / 2 for item i. So item 0 comes first.
 *
 *     void NAME_add(CONTEXT context, TYPE *heap, size_t count, TYPE item)
 *         adds an item; the array must have room for it;
 *     TYPE NAME_take(CONTEXT context, TYPE *heap, size_t count)
 *         removes and returns item 0;
 *     void NAME_sink(CONTEXT context, TYPE *heap, size_t count, size_t place, TYPE item)
 *         puts an item at `place` or below. The items below must form heaps, and the item must not
 *         come before its parent. Called from the last place to the first, it makes a heap of any
 *         array.
 *
 * If the item at place p has moved forward, NAME_add(context, heap, p, item) restores the heap.
 * HEAP_PLACED(..., PLACED) calls void PLACED(CONTEXT context, TYPE item, size_t place) whenever it
 * stores an item somewhere.
 *
 * bool BEFORE(CONTEXT context, TYPE a, TYPE b) must be a strict order. If equal items must come out
 * in a defined order, BEFORE has to define it. All functions are inlined and cost O(log count).
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
