/* job_kept.c - questions of tasks that are answered later, when another event has happened; see
 * job_service.h. */
#include "hrun/services/job_groups.h"
#include "hrun/services/job_service.h"
#include "hrun/tasks/job_task.h"

#include <stdlib.h>
#include <string.h>

struct job_kept {
    struct list_node node;
    uint32_t asker; /* tid */
    enum control_kind kind;
    size_t length;
    uint8_t question[];
};

bool job_keep_question(struct list_node *list, const struct job_task *asker, enum control_kind kind,
                       const struct unpack *question)
{
    size_t length = question->length - question->at;
    struct job_kept *kept = malloc(sizeof *kept + length);
    if (!kept)
        return false;
    *kept = (struct job_kept){.asker = asker->tid, .kind = kind, .length = length};
    memcpy(kept->question, question->data + question->at, length);
    list_append(list, &kept->node);
    return true;
}

void job_ask_again(struct job *job, struct list_node *list)
{
    struct job_kept *kept = list_entry(list->next, struct job_kept, node);
    struct job_task *asker = job_any_task(job, kept->asker);
    struct unpack question = unpack_from(kept->question, kept->length);
    list_remove(&kept->node);
    if (job_takes_part(asker))
        job->kept.answer(asker, kept->kind, &question);
    free(kept);
}

void job_forget_questions(struct list_node *list)
{
    list_for_each_safe (node, list)
        free(list_entry(node, struct job_kept, node));
}
