/* mandelbrot.c - a master distributes rows of a picture to workers; faster ones get more rows.
 *
 *     hrun -np 4 mandelbrot > m.pgm
 *
 * As in PVM's classic examples, a worker asks for work by sending a result.  So machines of any
 * speed are busy until the last row.  Task 0 is the master.
 *
 * The number of messages is twice the number of rows. A worker waits for the master between two
 * rows, so rows must take longer than a round trip.
 */
#include <hnow.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG_ROW = 1, TAG_DONE, END = -1 };
enum { WIDTH = 600, HEIGHT = 400, DEPTH = 2000 }; /* pixels; maximum iterations of a pixel */

struct done { /* a row of the picture; END: no result yet */
    int32_t row;
    int32_t pixels[WIDTH];
};

static void check(int error, const char *what)
{
    if (error != HN_OK) {
        fprintf(stderr, "mandelbrot: %s: %s\n", what, hn_error_text());
        exit(1);
    }
}

static int shade(double x, double y) /* the faster a point diverges, the darker */
{
    double a = 0, b = 0;
    int n = 0;
    for (; n < DEPTH && a * a + b * b < 4; n++) {
        double next = a * a - b * b + x;
        b = 2 * a * b + y;
        a = next;
    }
    return n == DEPTH ? 0 : n > 31 ? 255 : 8 * n;
}

/* A worker: sends the last result, then receives the next row to compute, until END. */
static void work(hn_tid master)
{
    struct done done = {.row = END};
    do {
        /* The first message has no result: it only asks for work. */
        check(hn_send(master, TAG_DONE, &done, 1 + WIDTH, HN_INT32), "hn_send");
        check(hn_recv(master, TAG_ROW, &done.row, 1, HN_INT32, NULL), "hn_recv");
        for (int i = 0; done.row != END && i < WIDTH; i++)
            done.pixels[i] = shade(-2 + 3.0 * i / WIDTH, -1 + 2.0 * done.row / HEIGHT);
    } while (done.row != END);
}

/* The master: answers each result with the next row, or END. */
static void distribute(int workers)
{
    static unsigned char picture[HEIGHT][WIDTH];
    int32_t next = 0, end = END;
    /* Workers that have got END do not ask again. */
    while (workers > 0) {
        struct done done;
        hn_info info;
        /* From whichever worker is ready first. */
        check(hn_recv(HN_ANY, TAG_DONE, &done, 1 + WIDTH, HN_INT32, &info), "hn_recv");
        for (int i = 0; done.row != END && i < WIDTH; i++)
            picture[done.row][i] = (unsigned char)done.pixels[i];
        int32_t *row = next < HEIGHT ? &next : &end;
        check(hn_send(info.from, TAG_ROW, row, 1, HN_INT32), "hn_send");
        if (next++ >= HEIGHT)
            workers--;
    }
    printf("P5 %d %d 255\n", WIDTH, HEIGHT);
    fwrite(picture, WIDTH, HEIGHT, stdout);
}

int main(void)
{
    check(hn_enrol(), "hn_enrol");
    if (hn_size() < 2)
        return fprintf(stderr, "mandelbrot: takes a worker, too: hrun -np 2 mandelbrot\n"), 2;
    if (hn_rank() == 0)
        distribute(hn_size() - 1);
    else
        work(hn_group_tid(hn_world(), 0));
    check(hn_exit(), "hn_exit");
    return 0;
}
