/* fuzz_vector.c - any bytes as a problem instance: refused with a text that names the file, or
 * solved. */
#include "file_of.h"
#include "apps/hplan/vectors/vector.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    json_object *answer;
    const char *path = file_of(data, size);
    int error = vector_solve(path, &answer);
    demand(error ? !answer && strstr(hn_error_text(), path)
                 : json_object_to_json_string(answer) != NULL);
    json_object_put(answer);
    return 0;
}
