/* mpi_predefined.h - the data objects behind Open MPI's predefined handles: kind, name, size in
 * bytes, and the handle's number in Fortran (-1: none). Sizes were read from such a library
 * (readelf -s). A program that was linked without -fPIC has its own copies of these objects,
 * made by the dynamic linker with exactly these sizes. Fortran's numbers are those of Open MPI's
 * mpif.h. */
#ifndef MPI_PREDEFINED_H
#define MPI_PREDEFINED_H

/* clang-format off */
#define MPI_PREDEFINED_OBJECTS(X) \
    X(Comm, ompi_mpi_comm_world, 512, 0) \
    X(Comm, ompi_mpi_comm_self, 512, 1) \
    X(Comm, ompi_mpi_comm_null, 512, 2) \
    X(Group, ompi_mpi_group_empty, 256, 1) \
    X(Group, ompi_mpi_group_null, 256, 0) \
    X(Request, ompi_request_null, 256, 0) \
    X(Message, ompi_message_null, 256, 0) \
    X(Message, ompi_message_no_proc, 256, 1) \
    X(Op, ompi_mpi_op_null, 2048, 0) \
    X(Op, ompi_mpi_op_min, 2048, 2) \
    X(Op, ompi_mpi_op_max, 2048, 1) \
    X(Op, ompi_mpi_op_sum, 2048, 3) \
    X(Op, ompi_mpi_op_prod, 2048, 4) \
    X(Op, ompi_mpi_op_land, 2048, 5) \
    X(Op, ompi_mpi_op_band, 2048, 6) \
    X(Op, ompi_mpi_op_lor, 2048, 7) \
    X(Op, ompi_mpi_op_bor, 2048, 8) \
    X(Op, ompi_mpi_op_lxor, 2048, 9) \
    X(Op, ompi_mpi_op_bxor, 2048, 10) \
    X(Op, ompi_mpi_op_maxloc, 2048, 11) \
    X(Op, ompi_mpi_op_minloc, 2048, 12) \
    X(Op, ompi_mpi_op_replace, 2048, 13) \
    X(Op, ompi_mpi_op_no_op, 2048, 14) \
    X(Datatype, ompi_mpi_datatype_null, 512, 0) \
    X(Datatype, ompi_mpi_char, 512, 34) \
    X(Datatype, ompi_mpi_signed_char, 512, 36) \
    X(Datatype, ompi_mpi_unsigned_char, 512, 35) \
    X(Datatype, ompi_mpi_byte, 512, 1) \
    X(Datatype, ompi_mpi_short, 512, 37) \
    X(Datatype, ompi_mpi_unsigned_short, 512, 38) \
    X(Datatype, ompi_mpi_int, 512, 39) \
    X(Datatype, ompi_mpi_unsigned, 512, 40) \
    X(Datatype, ompi_mpi_long, 512, 41) \
    X(Datatype, ompi_mpi_unsigned_long, 512, 42) \
    X(Datatype, ompi_mpi_long_long_int, 512, 43) \
    X(Datatype, ompi_mpi_unsigned_long_long, 512, 44) \
    X(Datatype, ompi_mpi_float, 512, 45) \
    X(Datatype, ompi_mpi_double, 512, 46) \
    X(Datatype, ompi_mpi_long_double, 512, 47) \
    X(Datatype, ompi_mpi_wchar, 512, 33) \
    X(Datatype, ompi_mpi_packed, 512, 2) \
    X(Datatype, ompi_mpi_cxx_bool, 512, 54) \
    X(Datatype, ompi_mpi_cxx_cplex, 512, 55) \
    X(Datatype, ompi_mpi_cxx_dblcplex, 512, 56) \
    X(Datatype, ompi_mpi_cxx_ldblcplex, 512, 57) \
    X(Datatype, ompi_mpi_logical, 512, 6) \
    X(Datatype, ompi_mpi_character, 512, 5) \
    X(Datatype, ompi_mpi_integer, 512, 7) \
    X(Datatype, ompi_mpi_real, 512, 13) \
    X(Datatype, ompi_mpi_dblprec, 512, 17) \
    X(Datatype, ompi_mpi_cplex, 512, 18) \
    X(Datatype, ompi_mpi_dblcplex, 512, 22) \
    X(Datatype, ompi_mpi_ldblcplex, 512, -1) \
    X(Datatype, ompi_mpi_2int, 512, 52) \
    X(Datatype, ompi_mpi_2integer, 512, 25) \
    X(Datatype, ompi_mpi_2real, 512, 23) \
    X(Datatype, ompi_mpi_2dblprec, 512, 24) \
    X(Datatype, ompi_mpi_2cplex, 512, 26) \
    X(Datatype, ompi_mpi_2dblcplex, 512, 27) \
    X(Datatype, ompi_mpi_float_int, 512, 48) \
    X(Datatype, ompi_mpi_double_int, 512, 49) \
    X(Datatype, ompi_mpi_longdbl_int, 512, 50) \
    X(Datatype, ompi_mpi_short_int, 512, 53) \
    X(Datatype, ompi_mpi_long_int, 512, 51) \
    X(Datatype, ompi_mpi_logical1, 512, 29) \
    X(Datatype, ompi_mpi_logical2, 512, 30) \
    X(Datatype, ompi_mpi_logical4, 512, 31) \
    X(Datatype, ompi_mpi_logical8, 512, 32) \
    X(Datatype, ompi_mpi_integer1, 512, 8) \
    X(Datatype, ompi_mpi_integer2, 512, 9) \
    X(Datatype, ompi_mpi_integer4, 512, 10) \
    X(Datatype, ompi_mpi_integer8, 512, 11) \
    X(Datatype, ompi_mpi_integer16, 512, 12) \
    X(Datatype, ompi_mpi_real2, 512, 28) \
    X(Datatype, ompi_mpi_real4, 512, 14) \
    X(Datatype, ompi_mpi_real8, 512, 15) \
    X(Datatype, ompi_mpi_real16, 512, 16) \
    X(Datatype, ompi_mpi_complex8, 512, 19) \
    X(Datatype, ompi_mpi_complex16, 512, 20) \
    X(Datatype, ompi_mpi_complex32, 512, 21) \
    X(Datatype, ompi_mpi_int8_t, 512, 58) \
    X(Datatype, ompi_mpi_uint8_t, 512, 59) \
    X(Datatype, ompi_mpi_int16_t, 512, 60) \
    X(Datatype, ompi_mpi_uint16_t, 512, 61) \
    X(Datatype, ompi_mpi_int32_t, 512, 62) \
    X(Datatype, ompi_mpi_uint32_t, 512, 63) \
    X(Datatype, ompi_mpi_int64_t, 512, 64) \
    X(Datatype, ompi_mpi_uint64_t, 512, 65) \
    X(Datatype, ompi_mpi_aint, 512, 66) \
    X(Datatype, ompi_mpi_offset, 512, 67) \
    X(Datatype, ompi_mpi_count, 512, 72) \
    X(Datatype, ompi_mpi_c_bool, 512, 68) \
    X(Datatype, ompi_mpi_c_float_complex, 512, 69) \
    X(Datatype, ompi_mpi_c_double_complex, 512, 70) \
    X(Datatype, ompi_mpi_c_long_double_complex, 512, 71) \
    X(Errhandler, ompi_mpi_errhandler_null, 1024, 0) \
    X(Errhandler, ompi_mpi_errors_are_fatal, 1024, 1) \
    X(Errhandler, ompi_mpi_errors_return, 1024, 2) \
    X(Win, ompi_mpi_win_null, 512, 0) \
    X(File, ompi_mpi_file_null, 1536, 0) \
    X(Info, ompi_mpi_info_null, 256, 0) \
    X(Info, ompi_mpi_info_env, 256, 1) \
    X(Datatype, ompi_mpi_lb, 512, 4) \
    X(Datatype, ompi_mpi_ub, 512, 3) \
    X(Datatype, ompi_mpi_unavailable, 512, -1) \
    X(Errhandler, ompi_mpi_errors_throw_exceptions, 1024, -1) \
    X(Datatype, ompi_mpi_c_complex, 512, -1)
/* clang-format on */

#endif
