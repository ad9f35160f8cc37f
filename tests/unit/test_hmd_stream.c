/* test_hmd_stream.c - streams of topology and parameters with conditions, as CHARMM36's for lipids
 * have them: what a block that holds says counts, what another one says does not. */
#include "hmd_texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "param_flow.h"

#define READ  "read para card flex append\n* title\n*\n"
#define WRONG READ "BONDS\nAA BB 1.0 9.0\nBB BB 1.0 9.0\nDIHEDRALS\nAA BB BB AA 9.0 5 0.0\nEND\n"

/* A stream in which %s stands for the sections that make the chain, END included. */
static char *stream_of(const char *form)
{
    const char *body = strstr(texts_prm, "BONDS");
    size_t room = strlen(form) + strlen(body) + 256;
    char *sections = malloc(room), *text = malloc(room + 256);
    snprintf(sections, room,
             "read rtf card append\n* title\n*\n36 1\nMASS -1 AA 12.011 C\nRESI SOD 1.00\n"
             "ATOM SOD NA 1.00\nEND\n" READ "%s",
             body);
    snprintf(text, room + 256, form, sections);
    free(sections);
    return text;
}

Test(hmd_stream, blocks_that_hold_count)
{
    static const char *const form[] = {
        "* the shape of CHARMM36's cholesterol\n*\nset chol_model 1\n"
        "IF chol_model EQ 1 THEN\n%sENDIF\nIF chol_model EQ 2 THEN\n" WRONG "ENDIF\nreturn\n",
        "set model = 2\nif @model .ne. 2 then\n" WRONG "else\n%sendif\n",
        "if @?chol eq 1 then\n" WRONG
        "endif\nif @?chol eq 0 set chol 3\nif chol eq 3 then\n%sendif\n",
        "calc n = 2 * 3\nif n gt 5 then\nif n lt 6 then\n" WRONG "else\n%sendif\nendif\n",
        "set a 1\nif a eq 0 then\nif a eq 0 then\n" WRONG "else\n" WRONG "endif\n" WRONG
        "else\n%sendif\n",
        "set kind charmm\nif @kind eq charmm then ! a word\n%sendif\nif kind eq drude then\n" WRONG
        "endif\n",
        "if ?NATC ge 0 then\n%sendif\n",
        "set x 1\nif x eq 1 if x ne 2 set y 7\nif y eq 7 then\n%sendif\n",
        "if 1 eq 2 then\ngenerate something that is no command here\nend\nendif\n%s",
        "if \"@NAT\" ne \"?NATC\" if @nat ne 0 set app append\n%s",
        "set z 1\nif z eq 1 then\n%sendif\nif z eq 1 then\nreturn\nendif\n" WRONG,
    };
    for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
        char *text = stream_of(form[i]), *dos = texts_with_newlines(text, "\r\n");
        texts_expect_same(&(struct fixture_texts){.psf = texts_psf, .par = text, .crd = texts_crd},
                          form[i]);
        texts_expect_same(&(struct fixture_texts){.psf = texts_psf, .top = dos, .crd = texts_crd},
                          form[i]);
        free(dos);
        free(text);
    }
}

/* The END of a section may be missing at the end of its block. */
Test(hmd_stream, sections_end_with_their_block)
{
    char *text = stream_of("set m 1\nif m eq 1 then\n%selse\n" WRONG "endif\n"
                           "if m eq 1 then\n" READ "BONDS\nAA BB 300.0 1.5\nendif\nset n 1\n");
    char *open = texts_edited(text, "\nEND\nelse", "\nelse");
    texts_expect_same(&(struct fixture_texts){.psf = texts_psf, .par = open, .crd = texts_crd},
                      "no END");
    free(open);
    free(text);
}

/* Names that an input had set before it came to the stream. */
Test(hmd_stream, names_of_the_input)
{
    static const char stream[] =
        "if chol_model eq 2 then\n" READ "BONDS\nAA BB 2.0 2.0\nEND\nelse\n" READ
        "BONDS\nAA BB 1.0 1.0\nEND\nendif\n";
    struct script_set names[1] = {{.name = "CHOL_MODEL"}};
    for (int model = 1; model <= 2; model++) {
        struct param p;
        struct err e = {0};
        struct text t;
        char copy[sizeof stream];
        memcpy(copy, stream, sizeof copy);
        snprintf(names[0].value, sizeof names[0].value, "%d", model);
        param_init(&p);
        p.names = names;
        p.nnames = 1;
        text_open(&t, "str", copy, strlen(copy));
        cr_assert_eq(param_read(&p, &t, 0, &e), 0, "%s", e.text);
        const struct param_term *b =
            param_bond(&p, param_type_of(&p, "AA"), param_type_of(&p, "BB"));
        cr_assert(b);
        cr_expect_eq(b->v[0], model);
        param_free(&p);
    }
}

Test(hmd_stream, what_cannot_be_decided_is_refused)
{
    static const struct {
        const char *form, *say;
    } table[] = {
        {"if chol_model eq 1 then\n%sendif\n", "par:1: if: expected a value or a name"},
        {"if @chol_model eq 1 then\n%sendif\n", "par:1: if: "},
        {"if @a foo 1 then\n%sendif\n", "par:1: if: "},
        {"if 1 foo 1 then\n%sendif\n", "par:1: if: "},
        {"set a 1\nif a eq 1 then\n%s", "par:2: if: there is no ENDIF"},
        {"set a 1\nif a eq 2 then\n%s", "par:2: if: there is no ENDIF"},
        {"if 1 eq 1 then\ngenerate x\nendif\n%s", "par:2: GENERATE: no command"},
        {"else\n%s", "par:1: ELSE: no command"},
        {"endif\n%s", "par:1: ENDIF: no command"},
        {"calc x = 1 /\n%s", "par:1: calc: expected a name and an expression"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char *text = stream_of(table[i].form);
        texts_expect_refused(
            &(struct fixture_texts){.psf = texts_psf, .par = text, .crd = texts_crd}, table[i].say,
            table[i].form);
        free(text);
    }
}
