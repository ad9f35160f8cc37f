/* test_nulls.c - pointers that are never meaningful as NULL: every public function that has such an
 * argument says HN_EARG and which it is, instead of ending the program. */
#include "hnow.h"
#include "hnow_coll.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* What a call says, and that the words are its own. */
#define REFUSED(call)                                                                              \
    do {                                                                                           \
        hn_group_tid(NULL, 1234); /* another text */                                               \
        int said = (int)(call);                                                                    \
        cr_expect(said == HN_EARG && !strstr(hn_error_text(), "1234"), "%s: %d, %s", #call, said,  \
                  hn_error_text());                                                                \
    } while (0)

static int n;
static size_t size;

Test(nulls, tasks_hosts_and_names)
{
    hn_tid *tids;
    hn_task_info *tasks;
    hn_host_info *hosts;
    hn_name_info *names;
    const char *text;
    hn_tid self;
    hn_group *group;
    const char *none[] = {NULL};
    cr_assert_eq(hn_enrol(), HN_OK);
    self = hn_mytid();
    REFUSED(hn_spawn(NULL, NULL, 1, NULL, NULL));
    REFUSED(hn_tasks(NULL, &n));
    REFUSED(hn_tasks(&tasks, NULL));
    REFUSED(hn_task_status(self, NULL));
    REFUSED(hn_hosts(NULL, &n));
    REFUSED(hn_hosts(&hosts, NULL));
    REFUSED(hn_add_hosts(NULL, 1, NULL));
    REFUSED(hn_add_hosts(none, 1, NULL));
    REFUSED(hn_remove_hosts(NULL, 1, NULL));
    REFUSED(hn_remove_hosts(none, 1, NULL));
    REFUSED(hn_job_text(NULL, &text, &size));
    REFUSED(hn_job_text("hosts", NULL, &size));
    REFUSED(hn_job_text("hosts", &text, NULL));
    REFUSED(hn_context_new(NULL));
    REFUSED(hn_siblings(NULL));
    REFUSED(hn_notify(HN_TASK_EXIT, NULL, 1, 1));
    REFUSED(hn_catch_output(NULL, 1, 1));
    REFUSED(hn_name_put(NULL, 0, 0, NULL));
    REFUSED(hn_name_get(NULL, 0, 0, 0, NULL, NULL));
    REFUSED(hn_name_delete(NULL, 0));
    REFUSED(hn_name_list(NULL, &names, &n));
    REFUSED(hn_name_list("*", NULL, &n));
    REFUSED(hn_name_list("*", &names, NULL));
    REFUSED(hn_join(NULL));
    REFUSED(hn_leave(NULL));
    REFUSED(hn_joined_size(NULL));
    REFUSED(hn_joined_tid(NULL, 0));
    REFUSED(hn_joined_instance(NULL, self));
    REFUSED(hn_joined_members(NULL, &tids, &n));
    REFUSED(hn_joined_members("a", NULL, &n));
    REFUSED(hn_joined_members("a", &tids, NULL));
    REFUSED(hn_joined_multicast(NULL, 0, NULL, 0, HN_INT));
    REFUSED(hn_joined_multicast_buffer("a", 0, NULL));
    REFUSED(hn_joined_barrier(NULL, 1));
    REFUSED(hn_joined_freeze(NULL, 1, &group));
    REFUSED(hn_joined_freeze("a", 1, NULL));
    REFUSED(hn_joined_close(NULL, 1, &group));
    REFUSED(hn_joined_close("a", 1, NULL));
    cr_expect(hn_host_of(0) == NULL);
}

Test(nulls, messages_and_groups)
{
    hn_request *request;
    hn_buffer *buffer = hn_buffer_new();
    hn_group *group;
    hn_type type;
    size_t count;
    char text[8];
    const hn_group *world;
    hn_tid self;
    cr_assert_eq(hn_enrol(), HN_OK);
    world = hn_world();
    self = hn_mytid();
    REFUSED(hn_send(self, 1, NULL, 1, HN_INT));
    REFUSED(hn_recv(self, 1, NULL, 1, HN_INT, NULL));
    REFUSED(hn_recv_timeout(self, 1, NULL, 1, HN_INT, 0, NULL));
    REFUSED(hn_multicast(NULL, 1, 1, &n, 1, HN_INT));
    REFUSED(hn_isend(self, 1, &n, 1, HN_INT, NULL));
    REFUSED(hn_isend(self, 1, NULL, 1, HN_INT, &request));
    REFUSED(hn_irecv(self, 1, &n, 1, HN_INT, NULL));
    REFUSED(hn_wait(NULL, NULL));
    REFUSED(hn_test(NULL, NULL));
    REFUSED(hn_cancel(NULL));
    REFUSED(hn_pack(NULL, &n, 1, HN_INT, 1));
    REFUSED(hn_pack(buffer, NULL, 1, HN_INT, 1));
    REFUSED(hn_pack_string(NULL, "a"));
    REFUSED(hn_pack_string(buffer, NULL));
    REFUSED(hn_pack_buffer(buffer, NULL));
    REFUSED(hn_pack_buffer(NULL, buffer));
    cr_assert_eq(hn_pack_string(buffer, "a"), HN_OK);
    REFUSED(hn_unpack(NULL, &n, 1, HN_INT, 1));
    REFUSED(hn_unpack(buffer, NULL, 1, HN_BYTE, 1));
    REFUSED(hn_unpack_string(NULL, text, sizeof text));
    REFUSED(hn_unpack_string(buffer, NULL, 8));
    REFUSED(hn_buffer_next(NULL, &type, &count));
    REFUSED(hn_buffer_next(buffer, NULL, &count));
    REFUSED(hn_buffer_next(buffer, &type, NULL));
    REFUSED(hn_unpack_buffer(NULL, buffer));
    REFUSED(hn_unpack_buffer(buffer, NULL));
    REFUSED(hn_send_buffer(self, 1, NULL));
    REFUSED(hn_multicast_buffer(&self, 1, 1, NULL));
    REFUSED(hn_multicast_buffer(NULL, 1, 1, buffer));
    REFUSED(hn_recv_buffer(self, 1, 0, NULL, NULL));
    hn_buffer_clear(NULL);
    hn_buffer_rewind(NULL);
    hn_buffer_free(NULL);
    cr_expect(hn_buffer_bytes(NULL) == 0);
    cr_expect(hn_buffer_data_bytes(NULL) == 0);
    REFUSED(hn_handler_add(HN_ANY, 1, NULL, NULL));
    REFUSED(hn_group_size(NULL));
    REFUSED(hn_group_rank(NULL, self));
    cr_expect(hn_group_tid(NULL, 0) == HN_EARG);
    cr_expect(hn_group_context(NULL) == 0);
    REFUSED(hn_group_from_tids(NULL, 1, &group));
    REFUSED(hn_group_from_tids(&self, 1, NULL));
    REFUSED(hn_group_from_ranks(NULL, &n, 1, &group));
    REFUSED(hn_group_from_ranks(world, NULL, 1, &group));
    REFUSED(hn_group_from_ranks(world, &n, 1, NULL));
    REFUSED(hn_group_new(NULL, 1, 0x40000000, &group));
    REFUSED(hn_group_new(&self, 1, 0x40000000, NULL));
    REFUSED(hn_group_dead(NULL));
    REFUSED(hn_group_shrink(NULL, &group));
    REFUSED(hn_group_shrink(world, NULL));
    REFUSED(hn_group_keep(NULL, &n, &n, free));
    REFUSED(hn_group_keep(world, &n, &n, NULL));
    cr_expect(hn_group_kept(NULL, &n) == NULL);
    hn_group_free(NULL);
    hn_buffer_free(buffer);
}

static void add(const void *left, const void *right, void *result, size_t count, hn_type type,
                void *data)
{
    (void)left, (void)right, (void)result, (void)count, (void)type, (void)data;
}

/* Code and words are those of the first failure. */
Test(nulls, the_first_failure_of_a_multicast)
{
    hn_tid to[3];
    char words[100];
    cr_assert_eq(hn_enrol(), HN_OK);
    to[0] = hn_mytid();
    to[1] = hn_mytid() + 1;
    to[2] = -7;
    int first = hn_send(to[1], 1, &n, 1, HN_INT);
    snprintf(words, sizeof words, "%s", hn_error_text());
    cr_assert(first == HN_ENOTASK && hn_send(to[2], 1, &n, 1, HN_INT) == HN_EARG);
    cr_expect(hn_multicast(to, 3, 1, &n, 1, HN_INT) == first && strcmp(hn_error_text(), words) == 0,
              "%s", hn_error_text());
    cr_expect(hn_recv(to[0], 1, &n, 1, HN_INT, NULL) == HN_OK);
}

Test(nulls, operations)
{
    int in[2] = {0}, out[2];
    size_t counts[1] = {1}, places[1] = {0};
    hn_type types[1] = {HN_INT};
    hn_request *request;
    hn_op op;
    hn_group *group;
    const hn_group *world;
    cr_assert_eq(hn_enrol(), HN_OK);
    world = hn_world();
    REFUSED(hn_op_new(NULL, NULL, 1, 1, &op));
    REFUSED(hn_op_new(add, NULL, 1, 1, NULL));
    REFUSED(hn_group_split(NULL, 0, 0, &group));
    REFUSED(hn_group_split(world, 0, 0, NULL));
    REFUSED(hn_barrier(NULL));
    REFUSED(hn_ibarrier(NULL, &request));
    REFUSED(hn_ibarrier(world, NULL));
    REFUSED(hn_barrier_init(world, NULL));
    REFUSED(hn_bcast(NULL, 1, HN_INT, 0, world));
    cr_expect(strstr(hn_error_text(), "no buffer to send from"));
    REFUSED(hn_ibcast(NULL, 1, HN_INT, 0, world, &request));
    REFUSED(hn_iallreduce(in, NULL, 1, HN_INT, HN_SUM, world, &request));
    REFUSED(hn_gather_init(NULL, 1, out, HN_INT, 0, world, &request));
    REFUSED(hn_igatherv(in, 1, out, NULL, places, HN_INT, 0, world, &request));
    REFUSED(hn_bcast_to(in, 1, HN_INT, 0, NULL, 1, world));
    REFUSED(hn_ibcast_to(in, 1, HN_INT, 0, NULL, 0, world, NULL));
    REFUSED(hn_bcast_to_init(in, 1, HN_INT, 0, NULL, 0, world, NULL));
    REFUSED(hn_scatter(NULL, 1, out, HN_INT, 0, world));
    REFUSED(hn_scatterv(in, NULL, places, out, 1, HN_INT, 0, world));
    REFUSED(hn_scatterv(in, counts, NULL, out, 1, HN_INT, 0, world));
    REFUSED(hn_iscatterv(in, counts, places, out, 1, HN_INT, 0, world, NULL));
    REFUSED(hn_gather(in, 1, NULL, HN_INT, 0, world));
    REFUSED(hn_gatherv(in, 1, out, NULL, places, HN_INT, 0, world));
    REFUSED(hn_gatherv_init(in, 1, out, counts, places, HN_INT, 0, world, NULL));
    REFUSED(hn_allgather(in, 1, NULL, HN_INT, world));
    REFUSED(hn_allgatherv(in, out, NULL, places, HN_INT, world));
    REFUSED(hn_allgatherv(in, out, counts, NULL, HN_INT, world));
    REFUSED(hn_alltoall(NULL, 1, out, HN_INT, world));
    REFUSED(hn_alltoallv(in, NULL, places, out, counts, places, HN_INT, world));
    REFUSED(hn_alltoallv(in, counts, places, out, counts, NULL, HN_INT, world));
    REFUSED(hn_ialltoallv(in, counts, places, out, counts, places, HN_INT, world, NULL));
    REFUSED(hn_reduce(in, NULL, 1, HN_INT, HN_SUM, 0, world));
    REFUSED(hn_allreduce(NULL, out, 1, HN_INT, HN_SUM, world));
    REFUSED(hn_reduce_scatter(in, out, NULL, HN_INT, HN_SUM, world));
    REFUSED(hn_reduce_scatter_block(in, NULL, 1, HN_INT, HN_SUM, world));
    REFUSED(hn_scan(in, NULL, 1, HN_INT, HN_SUM, world));
    REFUSED(hn_alltoallw(NULL, counts, places, types, out, counts, places, types, world));
    REFUSED(hn_alltoallw(in, NULL, places, types, out, counts, places, types, world));
    REFUSED(hn_alltoallw(in, counts, NULL, types, out, counts, places, types, world));
    REFUSED(hn_alltoallw(in, counts, places, NULL, out, counts, places, types, world));
    REFUSED(hn_alltoallw(in, counts, places, types, out, NULL, places, types, world));
    REFUSED(hn_alltoallw(in, counts, places, types, out, counts, places, types, NULL));
    REFUSED(hn_ialltoallw(in, counts, places, types, out, counts, places, types, world, NULL));
    REFUSED(hn_alltoallw_init(in, counts, places, types, out, counts, places, types, world, NULL));
    REFUSED(hn_start(NULL));
    REFUSED(hn_request_free(NULL));
    REFUSED(hn_set_plan(NULL, NULL));
    REFUSED(hn_plan_followed(world, NULL, 1));
    REFUSED(hn_coll_adapt(NULL, 1));
    REFUSED(hn_coll_compress(NULL, 1));
    REFUSED(hn_forecast_plan(world, "bcast", 1, HN_INT, 0, NULL, NULL));
    REFUSED(hn_forecast_plan(world, NULL, 1, HN_INT, 0, NULL, &(hn_forecast){0}));
    REFUSED(hn_forecast_plan(NULL, "bcast", 1, HN_INT, 0, NULL, &(hn_forecast){0}));
    cr_expect(hn_plan_name_length(NULL) == 0);
}

Test(nulls, topologies)
{
    int sizes[1] = {1}, coords[1], other;
    const int *from, *to;
    size_t counts[2] = {1, 1}, places[2] = {0, 4};
    hn_type types[2] = {HN_INT, HN_INT};
    int data[2] = {0};
    hn_request *request;
    hn_topology *ring;
    const hn_group *world;
    cr_assert_eq(hn_enrol(), HN_OK);
    world = hn_world();
    REFUSED(hn_topology_ring(NULL, &ring));
    REFUSED(hn_topology_ring(world, NULL));
    REFUSED(hn_topology_mesh(world, 1, NULL, NULL, &ring));
    REFUSED(hn_topology_mesh(world, 1, sizes, NULL, NULL));
    REFUSED(hn_topology_graph(NULL, NULL, NULL, 0, &ring));
    REFUSED(hn_topology_graph(world, NULL, NULL, 1, &ring));
    REFUSED(hn_topology_graph(world, NULL, NULL, 0, NULL));
    cr_assert_eq(hn_topology_ring(world, &ring), HN_OK);
    REFUSED(hn_topology_neighbours(NULL, &from, &n, &to, &n));
    REFUSED(hn_topology_neighbours(ring, NULL, &n, &to, &n));
    REFUSED(hn_topology_neighbours(ring, &from, NULL, &to, &n));
    REFUSED(hn_topology_neighbours(ring, &from, &n, NULL, &n));
    REFUSED(hn_topology_neighbours(ring, &from, &n, &to, NULL));
    REFUSED(hn_topology_coords(NULL, 0, coords));
    REFUSED(hn_topology_coords(ring, 0, NULL));
    REFUSED(hn_topology_shift(NULL, 0, 1, &other, &other));
    REFUSED(hn_topology_shift(ring, 0, 1, NULL, &other));
    REFUSED(hn_topology_shift(ring, 0, 1, &other, NULL));
    REFUSED(hn_mesh_sizes(1, 1, NULL));
    cr_expect(hn_topology_rank(NULL, coords) == HN_NOBODY);
    cr_expect(hn_topology_rank(ring, NULL) == HN_NOBODY);
    cr_expect(hn_topology_group(NULL) == NULL);
    REFUSED(hn_neighbour_allgather(data, 1, data, HN_INT, NULL));
    REFUSED(hn_neighbour_allgather(NULL, 1, data, HN_INT, ring));
    REFUSED(hn_ineighbour_allgather(data, 1, data, HN_INT, ring, NULL));
    REFUSED(hn_neighbour_allgather_init(data, 1, data, HN_INT, ring, NULL));
    REFUSED(hn_ineighbour_allgather(data, 1, data, HN_INT, NULL, &request));
    REFUSED(hn_neighbour_allgatherv(data, 1, data, NULL, places, HN_INT, ring));
    REFUSED(hn_neighbour_allgatherv(data, 1, data, counts, NULL, HN_INT, ring));
    REFUSED(hn_neighbour_alltoallv(data, NULL, places, data, counts, places, HN_INT, ring));
    REFUSED(hn_neighbour_alltoallv(data, counts, places, data, counts, NULL, HN_INT, ring));
    REFUSED(hn_neighbour_alltoallw(data, counts, places, NULL, data, counts, places, types, ring));
    REFUSED(hn_neighbour_alltoallw(data, counts, places, types, data, counts, NULL, types, ring));
    hn_topology_free(ring);
    hn_topology_free(NULL);
}

Test(nulls, networks)
{
    const int hosts[1] = {0};
    const char *const names[1] = {"h1"};
    hn_pair_cost cost = {0};
    hn_net *net = hn_net_new(2), *other;
    hn_directory *directory = NULL;
    hn_way_info way;
    hn_tid tid;
    cr_assert_eq(hn_enrol(), HN_OK);
    tid = hn_mytid();
    REFUSED(hn_net_host_index(net, NULL));
    REFUSED(hn_net_subnet_index(net, NULL));
    REFUSED(hn_net_set_host(NULL, 0, &(hn_host_cost){0}));
    REFUSED(hn_net_set_host(net, 0, NULL));
    REFUSED(hn_net_set_pair(NULL, 0, 1, cost));
    REFUSED(hn_net_add_subnet(NULL, "a", HN_MEDIUM_SWITCH, hosts, 1));
    REFUSED(hn_net_add_subnet(net, NULL, HN_MEDIUM_SWITCH, hosts, 1));
    REFUSED(hn_net_add_subnet(net, "a", HN_MEDIUM_SWITCH, NULL, 1));
    REFUSED(hn_net_set_medium(NULL, 0, HN_MEDIUM_SWITCH));
    REFUSED(hn_net_set_site(NULL, 0, "a"));
    REFUSED(hn_net_set_site(net, 0, NULL));
    REFUSED(hn_net_set_subnet_cost(NULL, 0, cost));
    REFUSED(hn_net_set_wire(NULL, 0, 1, 1));
    REFUSED(hn_net_set_link(NULL, 0, 1, cost, 1));
    REFUSED(hn_net_set_site_link(NULL, "a", "b", cost, 1));
    REFUSED(hn_net_set_site_link(net, NULL, "b", cost, 1));
    REFUSED(hn_net_set_site_link(net, "a", NULL, cost, 1));
    REFUSED(hn_net_add_machine(NULL, "a", (hn_machine_cost){0}, hosts, 1));
    REFUSED(hn_net_add_machine(net, NULL, (hn_machine_cost){0}, hosts, 1));
    REFUSED(hn_net_add_machine(net, "a", (hn_machine_cost){0}, NULL, 1));
    REFUSED(hn_net_set_uplink(NULL, 0, cost));
    REFUSED(hn_net_set_site_uplink(NULL, "a", cost));
    REFUSED(hn_net_set_site_uplink(net, NULL, cost));
    REFUSED(hn_net_add_line(NULL, "a", names, 1, names, 1, 1));
    REFUSED(hn_net_add_line(net, NULL, names, 1, names, 1, 1));
    REFUSED(hn_net_add_line(net, "a", NULL, 1, names, 1, 1));
    REFUSED(hn_net_add_line(net, "a", names, 1, NULL, 1, 1));
    REFUSED(hn_net_read(NULL, &other));
    REFUSED(hn_net_read("/dev/null", NULL));
    REFUSED(hn_net_parse(NULL, "a", 1, &other));
    REFUSED(hn_net_parse("a", NULL, 1, &other));
    REFUSED(hn_net_parse("a", "a", 1, NULL));
    REFUSED(hn_net_write(NULL, "/dev/null"));
    REFUSED(hn_net_write(net, NULL));
    REFUSED(hn_directory_open(NULL));
    cr_expect(hn_directory_net(NULL) == NULL);
    REFUSED(hn_directory_ask(NULL, tid, tid, &way));
    REFUSED(hn_directory_refresh(NULL, tid + 1));
    REFUSED(hn_directory_drifted(NULL, 2, NULL, 0));
    cr_assert_eq(hn_directory_open(&directory), HN_OK);
    REFUSED(hn_directory_ask(directory, tid, tid, NULL));
    REFUSED(hn_directory_drifted(directory, 2, NULL, 1));
    REFUSED(hn_clock_compare(tid + 1, NULL));
    hn_directory_free(directory);
    hn_directory_free(NULL);
    hn_net_free(net);
    hn_net_free(NULL);
}
