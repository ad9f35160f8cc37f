/* job_deferred.c - questions of tasks that are answered later, when another event has happened; see
 * job_service.h. */
#include "hrun/services/job_groups.h"
#include "hrun/services/job_service.h"
#include "hrun/tasks/job_task.h"

#include <stdlib.h>
#include <string.h>

/* A copy of a question, as its frame is gone when it is processed again.  Freed then, or at the end
 * of the job. */
struct job_deferred {
    struct list_node node;
    uint32_t asker; /* tid */
    enum control_kind kind;
    size_t length;
    uint8_t question[];
};

/* The position of `question` must be at the question's number, since it is read again from
 * there. */
bool job_defer_question(struct list_node *list, const struct job_task *asker,
                        enum control_kind kind, const struct unpack *question)
{
    size_t length = question->length - question->at;
    struct job_deferred *deferred = malloc(sizeof *deferred + length);
    if (!deferred)
        return false;
    *deferred = (struct job_deferred){.asker = asker->tid, .kind = kind, .length = length};
    memcpy(deferred->question, question->data + question->at, length);
    list_append(list, &deferred->node);
    return true;
}

/* The first one of the list.  It is removed before it is processed, because it may be deferred
 * again. */
void job_ask_again(struct job *job, struct list_node *list)
{
    struct job_deferred *deferred = list_entry(list->next, struct job_deferred, node);
    struct job_task *asker = job_any_task(job, deferred->asker);
    struct unpack question = unpack_from(deferred->question, deferred->length);
    list_remove(&deferred->node);
    if (job_takes_part(asker))
        job->services.answer(asker, deferred->kind, &question);
    free(deferred);
}

void job_forget_questions(struct list_node *list)
{
    list_for_each_safe (node, list)
        free(list_entry(node, struct job_deferred, node));
}
