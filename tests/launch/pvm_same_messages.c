/* pvm_same_messages.c - packing, messages, mailboxes, and what arguments name. */
#include "pvm_same.h"

void turn(int tag)
{
    SHOW(pvm_send(me, tag));
    SHOW(pvm_recv(-1, tag) > 0);
}

void unpacking(void)
{
    int x[4] = {1, 2, 3, 4}, length, tag, from;
    double d = 1.5, two[2];
    char text[100] = "";

    SHOW(pvm_initsend(PvmDataDefault) > 0);
    SHOW(pvm_pkint(x, 2, 1));
    turn(TAG);
    SHOW(pvm_upkint(x, 1, 1));
    SHOW(pvm_upkint(x, 2, 1)); /* more than there is */
    SHOW(pvm_upkint(x, 1, 1)); /* then nothing is there any more */
    SHOW(pvm_upkstr(text));
    SHOW(pvm_initsend(PvmDataRaw) > 0);
    SHOW(pvm_pkbyte(text, 18, 1));
    turn(TAG);
    SHOW(pvm_upkdouble(two, 2, 1));
    SHOW(pvm_upkdouble(&d, 1, 1)); /* 2 bytes are left, too few */
    SHOW(pvm_upkbyte(text, 2, 1)); /* then none */
    d = 1.5;
    SHOW(pvm_initsend(PvmDataRaw) > 0);
    SHOW(pvm_pkstr((char *)"seven"));
    SHOW(pvm_pkdouble(&d, 1, 1));
    SHOW(pvm_pkint(x, 4, 3) == PvmOk);
    turn(TAG);
    SHOW(pvm_bufinfo(pvm_getrbuf(), &length, &tag, &from));
    SHOW(tag == TAG && from == me);
    SHOW(pvm_upkstr(text) == PvmOk && strcmp(text, "seven") == 0);
    SHOW(pvm_upkdouble(&d, 1, 1) == PvmOk && d == 1.5);
    SHOW(pvm_upkint(x, -1, 1));
    SHOW(pvm_upkbyte(NULL, 0, 1));
}

/* Texts are their length and their bytes; other encodings than the raw one fill up to 4 bytes. */
void texts(void)
{
    int length, bytes;
    char text[100] = "";

    SHOW(pvm_initsend(PvmDataRaw) > 0);
    SHOW(pvm_pkstr((char *)"seven"));
    length = 3;
    SHOW(pvm_pkint(&length, 1, 1));
    SHOW(pvm_pkbyte((char *)"ab", 3, 1));
    SHOW(pvm_bufinfo(pvm_getsbuf(), &bytes, NULL, NULL));
    SHOW(bytes);
    turn(TAG);
    SHOW(pvm_upkint(&length, 1, 1));
    SHOW(length);
    SHOW(pvm_upkbyte(text, length, 1));
    SHOW(strcmp(text, "seven"));
    SHOW(pvm_upkstr(text));
    SHOW(strcmp(text, "ab"));
}

void without_a_buffer(void)
{
    int x = 1;
    double d;

    SHOW(pvm_freebuf(pvm_setsbuf(0)));
    SHOW(pvm_freebuf(pvm_setrbuf(0)));
    SHOW(pvm_pkint(&x, -1, 1));
    SHOW(pvm_pkint(&x, 1, 1));
    SHOW(pvm_mcast(&x, -1, TAG));
    SHOW(pvm_send(-1, TAG));
    SHOW(pvm_upkdouble(&d, -1, 1));
    SHOW(pvm_upkdouble(&d, 1, 1));
    SHOW(pvm_psend(me, TAG, "text", 5, PVM_STR));
    SHOW(pvm_precv(me, TAG, &x, 5, PVM_STR, NULL, NULL, NULL));
    SHOW(pvm_psend(-1, TAG, "text", 5, PVM_STR));
    SHOW(pvm_psend(me, TAG, &x, 1, 99));
}

void mailboxes(void)
{
    int buffer = pvm_initsend(PvmDataDefault), x = 1, n;
    char name[] = "box", none[] = "no-box";
    struct pvmmboxinfo *list;

    SHOW(pvm_pkint(&x, 1, 1));
    SHOW(pvm_putinfo(name, buffer, PvmMboxMultiInstance));
    SHOW(pvm_putinfo(name, buffer, PvmMboxMultiInstance));
    SHOW(pvm_putinfo(name, buffer, PvmMboxMultiInstance | PvmMboxDirectIndex(7)));
    SHOW(pvm_putinfo(name, buffer, PvmMboxMultiInstance | PvmMboxDirectIndex(7)));
    SHOW(pvm_recvinfo(name, 8, PvmMboxDefault) > 0);
    SHOW(pvm_recvinfo((char *)"", 0, PvmMboxDefault));
    SHOW(pvm_lookup((char *)"", 0, &x));
    SHOW(pvm_recvinfo(none, 0, PvmMboxDefault));
    SHOW(pvm_recvinfo(name, 1, PvmMboxDefault) > 0);
    SHOW(pvm_recvinfo(name, 2, PvmMboxDefault));
    SHOW(pvm_delinfo(none, 0, 0));
    SHOW(pvm_delinfo(name, 0, 0));
    SHOW(pvm_delinfo(name, 0, 0));
    SHOW(pvm_putinfo(none, buffer, PvmMboxPersistent | PvmMboxDirectIndex(5)));
    SHOW(pvm_getmboxinfo(none, &n, &list));
    SHOW(list[0].mi_flags[0]);
    SHOW(pvm_delinfo(none, 5, 0));
    SHOW(pvm_insert(none, 3, 7));
    SHOW(pvm_insert(none, 3, 7));
    SHOW(pvm_lookup(none, 3, &x));
    SHOW(x);
    SHOW(pvm_delete(none, 3));
    SHOW(pvm_lookup(none, 3, &x));
}

/* Tids that never were, and other arguments that name nothing. */
void names_of_nothing(void)
{
    static const int hosts[] = {-1, 0, 5, 0x01fc0000, 0x7fffffff};
    int never = me + 1000, list[2] = {never, never + 1}, x = 1, tag = 70,
        daemon = pvm_tidtohost(me);
    struct timeval soon = {0, 1000};
    char nothing[] = "", *argv[] = {(char *)"child", NULL};

    SHOW(pvm_initsend(PvmDataDefault) > 0);
    SHOW(pvm_send(never, TAG));
    SHOW(pvm_send(0x7fffffff, TAG));
    SHOW(pvm_mcast(list, 2, TAG));
    SHOW(pvm_mcast(&daemon, 1, TAG));
    SHOW(pvm_psend(never, TAG, &x, 1, PVM_INT));
    SHOW(pvm_psend(daemon, TAG, &x, 1, PVM_INT));
    SHOW(pvm_kill(never));
    SHOW(pvm_kill(0x7fffffff));
    SHOW(pvm_sendsig(never, 0));
    SHOW(pvm_sendsig(me, 1000));
    SHOW(pvm_nrecv(never, TAG));
    SHOW(pvm_nrecv(0, TAG));
    SHOW(pvm_nrecv(-2, TAG));
    SHOW(pvm_nrecv(-1, -2));
    SHOW(pvm_trecv(never, TAG, &soon));
    SHOW(pvm_trecv(-2, TAG, &soon));
    SHOW(pvm_probe(-2, TAG));
    SHOW(pvm_probe(-1, -2));
    SHOW(pvm_tidtohost(0));
    SHOW(pvm_tidtohost(-1));
    SHOW(pvm_tidtohost(5));
    SHOW(pvm_tasks(-1, NULL, NULL));
    SHOW(pvm_tasks(0, NULL, NULL));
    SHOW(pvm_pstat(never));
    SHOW(pvm_pstat(0x7fffffff));
    SHOW(pvm_spawn(nothing, NULL, PvmTaskDefault, NULL, 2, list));
    SHOW(list[0]);
    SHOW(list[1]);
    SHOW(pvm_spawn(program, argv, PvmTaskHost, nothing, 1, list));
    SHOW(list[0]);
    SHOW(pvm_spawn(program, argv, PvmTaskHost, NULL, 1, list));
    SHOW(pvm_spawn(program, argv, PvmTaskArch, nothing, 1, list));
    SHOW(list[0]);
    SHOW(pvm_spawn(program, argv, PvmTaskHost | PvmHostCompl, nothing, 1, list));
    SHOW(pvm_kill(list[0]));
    SHOW(pvm_spawn(program, argv, PvmHostCompl, nothing, 1, list));
    SHOW(list[0]);
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts;
         i++, tag++) { /* at once, or a little later */
        int host = hosts[i];
        SHOW(pvm_notify(PvmHostDelete, tag, 1, &host));
        SHOW(pvm_recv(-1, tag) > 0);
    }
    SHOW(pvm_delinfo(nothing, 0, 0));
    SHOW(pvm_getmboxinfo(NULL, NULL, NULL));
    SHOW(pvm_export(nothing));
    SHOW(pvm_unexport(nothing));
}
