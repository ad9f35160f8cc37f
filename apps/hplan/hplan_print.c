/* hplan_print.c - hplan's output: a table, or JSON.
 *
 * The table is for people, with rounded times. JSON has every message of every plan, in
 * picoseconds' resolution as seconds; tests and pictures of documents are made from it. Neither
 * allocates memory.
 */
#include "hplan.h"

#include <inttypes.h>
#include <string.h>

/* Times are picoseconds; a double has 15 digits, so nothing visible is lost. */
static double seconds(hn_time time)
{
    return (double)time / 1e12;
}

/* Makespan over bound; 1 if both are 0, as in an operation of one rank. */
static double ratio(const struct outcome *outcome)
{
    return outcome->bound > 0 ? (double)outcome->timing.makespan / (double)outcome->bound : 1;
}

/* ---- table ------------------------------------------------------------------------------ */

/* "4 messages, 100 to 2000 bytes". One number if all are equally long. */
static void print_sizes(const struct request *req, FILE *file)
{
    int64_t least = req->messages[0].bytes, most = least;
    for (int k = 1; k < req->message_count; k++) {
        int64_t bytes = req->messages[k].bytes;
        least = bytes < least ? bytes : least;
        most = bytes > most ? bytes : most;
    }
    fprintf(file, ", %d message%s, ", req->message_count, req->message_count == 1 ? "" : "s");
    if (least < most)
        fprintf(file, "%" PRId64 " to ", least);
    fprintf(file, "%" PRId64 " bytes", most);
}

/* The root only of operations that have one; a multiple multicast has a root for each message. */
static void print_head(const struct answer *answer, FILE *file)
{
    const struct request *req = &answer->task->req;
    fprintf(file, "%s, %d hosts", answer->task->op, req->ranks);
    if (operation_rooted(req->op))
        fprintf(file, ", root %s", answer->task->names[req->root]);
    if (req->messages)
        print_sizes(req, file);
    else
        fprintf(file, ", %" PRId64 " bytes", req->bytes);
    fprintf(file, ", model %s\n\n", answer->model);
}

/* In the order of the outcomes: ascending makespan. */
void print_answer(const struct answer *answer, FILE *file)
{
    print_head(answer, file);
    fprintf(file, "%-22s %14s %15s %7s %9s %9s %14s\n", "plan", "makespan (s)", "lower bound (s)",
            "ratio", "messages", "segments", "planning time");
    for (int i = 0; i < answer->count; i++) {
        const struct outcome *o = &answer->outcomes[i];
        char text[CHOICE_TEXT_ROOM];
        fprintf(file, "%-22s %14.9f %15.9f %7.3f %9d %9d %11.3f ms\n",
                choice_text(&o->choice, text, sizeof text), seconds(o->timing.makespan),
                seconds(o->bound), ratio(o), plan_message_count(o->plan), plan_segments(o->plan),
                o->planning_time * 1e3);
    }
}

/* The sources are the papers, one line each; a second line has the operations. A planner of
 * broadcasts also serves a multicast, which is a broadcast among fewer ranks. */
void print_planners(FILE *file)
{
    int width = 0;
    for (int i = 0; i < planner_count; i++)
        width = (int)strlen(planners[i].name) > width ? (int)strlen(planners[i].name) : width;
    for (int i = 0; i < planner_count; i++) {
        fprintf(file, "%-*s  %s\n%-*s ", width, planners[i].name, planners[i].source, width, "");
        for (int op = 0; op < OP_COUNT; op++)
            if (planners[i].operations & OP_BIT(op))
                fprintf(file, " %s%s", operation_name((enum operation)op),
                        op == OP_BCAST ? " multicast" : "");
        fputc('\n', file);
    }
}

/* ---- JSON ------------------------------------------------------------------------------- */

/* Prints one message: its step of sending, and the times of both ends.  `match` is the index of the
 * step that receives it. */
static void put_step(const struct answer *answer, const struct outcome *o, int rank, int32_t at,
                     FILE *file)
{
    const struct plan_step *step = &o->plan->steps[at];
    const int32_t *blocks = &o->plan->lists[step->list];
    /* match is the receiving step, whose span has the time of the arrival. */
    struct span send = o->timing.spans[at], recv = o->timing.spans[step->match];
    fputs("{\"from\":", file);
    /* Names are escaped as JSON strings. */
    json_text(file, answer->task->names[rank]);
    fputs(",\"to\":", file);
    json_text(file, answer->task->names[step->peer]);
    /* "block" is the first of "blocks", which most messages have only one of. A message without
     * data has none. */
    fprintf(file, ",\"block\":%d,\"blocks\":[", step->count ? blocks[0] : 0);
    for (int i = 0; i < step->count; i++)
        fprintf(file, "%s%d", i ? "," : "", blocks[i]);
    fputs("],", file);
    /* A message of a plan belongs to exactly one multicast. */
    if (answer->task->req.messages)
        fprintf(file, "\"message\":%d,", o->plan->blocks[blocks[0]].part);
    fprintf(file,
            "\"bytes\":%" PRId64 ",%s\"combine\":%s,\"start\":%.12f,\"sent\":%.12f,"
            "\"arrived\":%.12f,\"received\":%.12f}",
            /* joined: the message is sent together with the one before it (plan.h). */
            plan_step_bytes(o->plan, step), step->joined ? "\"joined\":true," : "",
            o->plan->steps[step->match].kind == PLAN_RECV ? "false" : "true", seconds(send.begin),
            seconds(send.end), seconds(recv.arrived), seconds(recv.end));
}

/* Prints one plan with all its messages, by sender and in the order of its steps. */
static void put_outcome(const struct answer *answer, const struct outcome *o, FILE *file)
{
    char text[CHOICE_TEXT_ROOM];
    const char *separator = "";
    fputs("{\"plan\":", file);
    json_text(file, choice_text(&o->choice, text, sizeof text));
    fprintf(file,
            ",\"makespan\":%.12f,\"lower_bound\":%.12f,\"ratio\":%.6f,\"planning_time\":%.9f,"
            "\"messages\":%d,\"segments\":%d,\"steps\":[",
            seconds(o->timing.makespan), seconds(o->bound), ratio(o), o->planning_time,
            plan_message_count(o->plan), plan_segments(o->plan));
    /* The steps of a rank are executed in this order. Messages of different ranks are not sorted by
     * time. */
    for (int rank = 0; rank < o->plan->ranks; rank++)
        for (int32_t i = o->plan->first[rank]; i < o->plan->first[rank + 1]; i++)
            if (o->plan->steps[i].kind == PLAN_SEND) {
                fprintf(file, "%s\n    ", separator);
                put_step(answer, o, rank, i, file);
                separator = ",";
            }
    fputs("]}", file);
}

/* Prints the names of a set of ranks as a list.  NULL: all but the root. */
static void put_names(const struct task *task, const bool *chosen, FILE *file)
{
    const char *separator = "";
    fputs("\"to\":[", file);
    for (int rank = 0; rank < task->req.ranks; rank++) {
        if (chosen ? !chosen[rank] : rank == task->req.root)
            continue;
        fputs(separator, file);
        json_text(file, task->names[rank]);
        separator = ",";
    }
    fputs("],", file);
}

/* Prints the messages of a multiple multicast. */
static void put_messages(const struct task *task, FILE *file)
{
    fputs("\"messages\":[", file);
    for (int k = 0; k < task->req.message_count; k++) {
        const struct multicast_message *m = &task->req.messages[k];
        /* The source is not in its own list of destinations. */
        fprintf(file, "%s\n    {\"source\":", k ? "," : "");
        json_text(file, task->names[m->source]);
        fputc(',', file);
        put_names(task, m->wants, file);
        fprintf(file, "\"bytes\":%" PRId64 "}", m->bytes);
    }
    fputs("],", file);
}

/* The keys are the same for each operation, apart from "messages" in place of "root" and "bytes".
 */
void print_answer_json(const struct answer *answer, FILE *file)
{
    const struct task *task = answer->task;
    fprintf(file, "{\"op\":\"%s\",", task->op);
    if (task->req.messages) {
        put_messages(task, file);
    } else {
        fputs("\"root\":", file);
        json_text(file, task->names[task->req.root]);
        fprintf(file, ",\"bytes\":%" PRId64 ",", task->req.bytes);
    }
    /* Only a multicast has fewer ranks than the network has hosts; its destinations are listed. */
    if (task->req.ranks < hn_net_size(task->net))
        put_names(task, NULL, file);
    fprintf(file, "\"model\":\"%s\",\"plans\":[\n  ", answer->model);
    for (int i = 0; i < answer->count; i++) {
        fputs(i ? ",\n  " : "", file);
        put_outcome(answer, &answer->outcomes[i], file);
    }
    fputs("]}\n", file);
}

/* Names and operations are identifiers, which need no escapes; sources are free text. */
void print_planners_json(FILE *file)
{
    fputs("[", file);
    for (int i = 0; i < planner_count; i++) {
        const char *separator = "";
        fprintf(file, "%s\n  {\"plan\":\"%s\",\"ops\":[", i ? "," : "", planners[i].name);
        for (int op = 0; op < OP_COUNT; op++)
            if (planners[i].operations & OP_BIT(op)) {
                fprintf(file, "%s\"%s\"%s", separator, operation_name((enum operation)op),
                        op == OP_BCAST ? ",\"multicast\"" : "");
                separator = ",";
            }
        fputs("],\"source\":", file);
        json_text(file, planners[i].source);
        fputs("}", file);
    }
    fputs("]\n", file);
}
