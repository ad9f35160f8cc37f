/* script.c - see script.h.
 *
 * Lines are read as in CHARMM: '*' begins a title, '!' a comment, a '-' at the end continues the
 * line, @NAME is replaced by the value that SET assigned, ?ENER etc. by the last computed value;
 * words may be abbreviated to four letters.  Commands fill in the fields of the command line
 * (script_settings.c) or act (script_act.c, script_coor.c, script_select.c); names and jumps are in
 * script_flow.c.  So options and scripts use the same implementation.
 *
 * An unknown command or word ends the run: ignoring it would give another simulation than
 * requested.  Source: CHARMM's io.doc, miscom.doc, dynamc.doc, minimiz.doc.
 *
 * Files of commands are a stack of texts (struct script_level). A STREAM enters one, its end leaves
 * it. Everything else is in struct script, which script_run() makes and frees; commands return a
 * status and never end the process.
 */
#include "script.h"

#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "script_run.h"

/* For commands that change nothing in hmd, listed in the last row of the table. */
static int script_ignore(struct script *s)
{
    (void)s;
    return 0;
}

/* The loop ends after this command. */
static int script_stop(struct script *s)
{
    s->stop = 1;
    return 0;
}

/* With names replaced, and blanks between words reduced to one. All tasks parse the line, rank 0
 * prints it. */
static int script_echo(struct script *s)
{
    for (int k = 1; s->comm->rank == 0 && k < s->l.raw.n; k++)
        printf("%s%s", k > 1 ? " " : "", s->l.raw.at[k]);
    if (s->comm->rank == 0)
        printf("\n");
    return 0;
}

/* ---- files of commands ------------------------------------------------------------------ */

/* Continues with the commands of a text, whose ownership the script takes. The original text is
 * kept for GOTO; the copy is cut into lines. The caller has checked the depth. */
static int script_enter(struct script *s, const char *path, char *data, size_t length)
{
    struct script_level *v = &s->level[s->depth++];
    /* The rest of the calling file is in s->l.t until script_leave() restores it. */
    *v = (struct script_level){.data = data, .length = length, .after = s->l.t};
    v->work = mem_new(length + 1, 1);
    memcpy(v->work, data, length);
    text_open(&s->l.t, path, v->work, length);
    return 0;
}

/* Continues behind the STREAM command. Frees both texts. No word of a command may be used
 * afterwards. */
static void script_leave(struct script *s)
{
    struct script_level *v = &s->level[--s->depth];
    s->l.t = v->after;
    mem_free(v->data);
    mem_free(v->work);
}

/* STREAM is used for two kinds of files, which only their text distinguishes.  Returns 1 for a
 * stream of topology and parameters: it has a line "READ RTF|PARA ..." without a file, followed by
 * the section. A line MASS also shows that it is a file of parameters. */
static int script_has_sections(const char *path, const char *data, size_t length)
{
    /* A copy, since reading cuts the text into lines. */
    char *copy = mem_new(length + 1, 1), line[SCRIPT_LINE];
    struct text t;
    struct words w;
    int first, found = 0, got = 1;
    memcpy(copy, data, length);
    text_open(&t, path, copy, length);
    /* Ends at the first line that decides, so a file of commands is read to its end. */
    while (!found && (got = text_command(&t, line, sizeof line, &first)) > 0) {
        text_upper(line);
        /* With a file, it is a command of an input. */
        int named = strstr(line, "NAME") || strstr(line, "UNIT");
        words_split(&w, line);
        found = w.n > 1 && text_key(w.at[0], "READ", 4) && !named &&
                (text_key(w.at[1], "RTF", 3) || text_key(w.at[1], "PARAMETER", 4));
        found |= w.n > 0 && text_key(w.at[0], "MASS", 4);
    }
    mem_free(copy);
    return found;
}

/* Assigns the words from `from` on to IN1, IN2 and so on.  Returns 0 if there is no room. CHARMM's
 * STREAM passes its words in this way. */
static int script_arguments(struct script *s, int from)
{
    char name[SCRIPT_NAME];
    int room = 1;
    for (int k = from; room && k < s->l.raw.n; k++) {
        snprintf(name, sizeof name, "IN%d", k - from + 1);
        room = script_line_set(&s->l, name, s->l.raw.at[k]);
    }
    return room;
}

/* Topology and parameters are read when needed, with the current names. The names are copied,
 * because SET may change them later. */
static void script_add_stream(struct script *s, const char *path)
{
    /* The block belongs to the script, as its files may be read again at any later command. */
    struct script_set *names = script_own(s, mem_new((size_t)s->l.sets, sizeof *names));
    memcpy(names, s->l.set, (size_t)s->l.sets * sizeof *names);
    s->o.files.names_of[s->o.files.npar] = names;
    s->o.files.names_n[s->o.files.npar] = s->l.sets;
    s->o.files.par[s->o.files.npar++] = path;
}

/* A file of commands is executed at once; one of parameters only replaces a place in the list of
 * files. STREAM file [arguments], or STREAM UNIT n [arguments]. */
static int script_stream(struct script *s)
{
    char *data;
    size_t length;
    s->at = 1;
    int unit = s->l.raw.n > 2 && script_is(s, 1, "UNIT");
    const char *path = s->l.raw.n > 1 && !unit ? script_name(s, 1) : NULL;
    if (unit && script_file(s, 1, &path))
        return ERR_INPUT;
    s->at = 0;
    if (!path)
        return script_bad(s, "expected a file: of commands, or of RTF and parameter sections");
    if (!script_arguments(s, 2 + unit))
        return script_bad(s, "too many names are set, or an argument is too long");
    int status = script_blame(s, comm_file(s->comm, path, &data, &length, s->e));
    /* The text decides, not the name. script_enter() takes the text over. */
    if (!status && !script_has_sections(path, data, length)) {
        if (s->depth < SCRIPT_DEPTH)
            return script_enter(s, path, data, length);
        status = script_bad(s, "streams are nested too deeply");
    } else if (!status) {
        s->changed = 1;
        if (s->o.files.npar == COMMAND_FILES)
            status = script_bad(s, "too many files");
        else
            script_add_stream(s, path);
    }
    mem_free(data);
    return status;
}

/* ---- all commands --------------------------------------------------------------------------- */

/* As the end of the file. script_go() then leaves this file as usual. */
static int script_return(struct script *s)
{
    s->l.t.pos = s->l.t.end;
    return 0;
}

/* The first row that matches counts. Commands without effect are in the last row: what they set
 * does not exist here, or does not affect results. Names are compared by four letters, so an
 * earlier row hides a later one that begins alike. */
static const struct script_command script_commands[] = {
    {"READ", script_read},
    {"STREAM", script_stream},
    {"OPEN", script_open},
    {"CRYSTAL", script_crystal},
    {"NBONDS UPDATE", script_nbonds},
    {"SHAKE", script_shake},
    {"SKIPE", script_skipe},
    {"ENERGY GETE", script_energy},
    {"MINIMIZE", script_minimise},
    {"DYNAMICS", script_dynamics},
    {"WRITE", script_write},
    {"COORDINATES", script_coor},
    {"DEFINE", script_define},
    {"DELETE", script_delete},
    {"CONSTRAINTS", script_constraints},
    {"SCALAR", script_scalar},
    {"SET", script_set_name},
    {"CALCULATE", script_calc},
    {"INCREMENT DECREMENT MULTIPLY DIVIDE", script_step_name},
    {"IF", script_if},
    {"ELSE", script_else},
    {"GOTO", script_goto},
    {"ECHO", script_echo},
    {"RETURN", script_return},
    {"STOP END", script_stop},
    {"FORMAT", script_format},
    {"TRIM", script_trim},
    {"GET", script_get},
    {"CLOSE IMAGE ENDIF LABEL TITLE BOMLEV BOMBLEV PRNLEV WRNLEV FASTER IOFORMAT LOWER UPPER "
     "REWIND INQUIRE NOMISC TIMER PRINT DIMENSION LOOKUP RANDOM DOMDEC LONG SHORT DATE NOBOMB SHOW "
     "PREF REWTRUE REWFALSE",
     script_ignore},
};

/* Executes the commands of all files, the innermost first. The end of the outermost file ends the
 * loop, too. */
static int script_go(struct script *s)
{
    int status = 0;
    while (!status && !s->stop && s->depth) {
        /* 0 with a status is an error in the line itself. */
        if (script_line_next(&s->l, s->e, &status))
            status = script_obey(s);
        else if (!status)
            script_leave(s);
    }
    return status;
}

/* Sets the names given on the command line. "NAME=VALUE" or "NAME:VALUE". Names are in upper case,
 * as in the words of commands. */
static int script_names(struct script *s)
{
    char name[SCRIPT_NAME];
    for (int k = 0; k < s->o.names; k++) {
        const char *word = s->o.name[k];
        size_t n = strcspn(word, "=:");
        snprintf(name, sizeof name, "%.*s", (int)n, word);
        text_upper(name);
        if (n >= sizeof name || !script_line_set(&s->l, name, word + n + 1))
            return err_set(s->e, ERR_INPUT,
                           "%s: expected a name of at most %d letters and a value of at most %d",
                           word, SCRIPT_NAME - 1, SCRIPT_VALUE - 1);
    }
    return 0;
}

int script_run(const struct command *o, struct comm *comm, struct err *e)
{
    struct script *s = mem_new(1, sizeof *s);
    char *data = NULL;
    size_t length;
    /* The options of the command line are where the script's settings start. */
    s->o = *o;
    s->e = e;
    s->comm = s->session.comm = comm;
    s->changed = 1;
    /* All digits, until FORMAT. */
    s->l.digits = -1;
    s->l.ask = script_known_ask;
    s->l.who = s;
    s->command = script_commands;
    s->commands = sizeof script_commands / sizeof *script_commands;
    script_known_constants(s);
    int status = script_names(s);
    /* From here on a message begins with the script's name and line. */
    if (!status)
        status = comm_file(comm, o->input, &data, &length, e);
    if (!status)
        status = script_enter(s, o->input, data, length);
    else
        mem_free(data);
    if (!status)
        status = script_go(s);
    /* After an error or STOP several files may be open. */
    while (s->depth)
        script_leave(s);
    /* Everything is freed in any case, so that a leak checker finds real leaks only. */
    session_free(&s->session);
    for (size_t i = 0; i < s->nkept; i++)
        mem_free(s->kept[i]);
    mem_free(s->kept);
    script_atoms_free(s);
    mem_free(s->gone);
    mem_free(s->compare.x);
    mem_free(s->compare.w);
    mem_free(s);
    return status;
}
