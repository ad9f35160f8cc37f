/* operator.c - the operators that the program has made: a table with a lock, because hn_op is a
 * number that every room and every thread may carry round. */
#include "wire/fold.h"

#include "runtime/internal.h"

#include <pthread.h>

enum { OPERATOR_FIRST = 256, OPERATORS_MOST = 256 };

static struct own_operator {
    hn_op_function *function; /* NULL: free */
    void *data;
    size_t width;
    bool commutes;
} table[OPERATORS_MOST];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* NULL: not a number of this table. */
static struct own_operator *entry_of(hn_op op)
{
    int i = (int)op - OPERATOR_FIRST;
    return i >= 0 && i < OPERATORS_MOST ? &table[i] : NULL;
}

int hn_op_new(hn_op_function *function, void *data, size_t width, int commutes, hn_op *op)
{
    int i = 0;
    if (!function || width == 0 || !op)
        return error_set(HN_EARG, "hn_op_new: no function, or operands of no width");
    pthread_mutex_lock(&lock);
    while (i < OPERATORS_MOST && table[i].function)
        i++;
    if (i < OPERATORS_MOST) {
        table[i] = (struct own_operator){function, data, width, commutes != 0};
        *op = (hn_op)(OPERATOR_FIRST + i);
    }
    pthread_mutex_unlock(&lock);
    if (i == OPERATORS_MOST)
        return error_set(HN_ENOMEM, "hn_op_new: %d operators are in use", (int)OPERATORS_MOST);
    return HN_OK;
}

int hn_op_free(hn_op op)
{
    struct own_operator *entry = entry_of(op);
    pthread_mutex_lock(&lock);
    bool known = entry && entry->function;
    if (known)
        *entry = (struct own_operator){0};
    pthread_mutex_unlock(&lock);
    return known ? HN_OK : error_set(HN_EARG, "hn_op_free: %d is no operator", (int)op);
}

bool operator_find(hn_op op, struct fold *fold)
{
    struct own_operator *entry = entry_of(op);
    pthread_mutex_lock(&lock);
    bool known = entry && entry->function;
    if (known) {
        fold->own = entry->function;
        fold->data = entry->data;
        fold->width = entry->width;
        fold->ordered = !entry->commutes;
    }
    pthread_mutex_unlock(&lock);
    return known;
}
