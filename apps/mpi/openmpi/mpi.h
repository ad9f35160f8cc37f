/* mpi.h - the binary interface of Open MPI 4: types, values and names of handles, as programs have
 * them that were compiled for libmpi.so.40.
 *
 * Values and sizes are those that such a library has (readelf -s); hnow's sources are compiled with
 * this header for it.  Programs are better compiled with the standard ABI's.
 */
#ifndef MPI_H_OPENMPI
#define MPI_H_OPENMPI

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef ptrdiff_t MPI_Aint;
typedef long long MPI_Offset;
typedef long long MPI_Count;
typedef int MPI_Fint;

typedef struct ompi_communicator_t *MPI_Comm;
typedef struct ompi_datatype_t *MPI_Datatype;
typedef struct ompi_errhandler_t *MPI_Errhandler;
typedef struct ompi_file_t *MPI_File;
typedef struct ompi_group_t *MPI_Group;
typedef struct ompi_info_t *MPI_Info;
typedef struct ompi_message_t *MPI_Message;
typedef struct ompi_op_t *MPI_Op;
typedef struct ompi_request_t *MPI_Request;
typedef struct hnow_session_t *MPI_Session; /* newer than that interface, as are ... */
typedef struct ompi_win_t *MPI_Win;

typedef struct ompi_status_public_t {
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
    int _cancelled;
    size_t _ucount;
} MPI_Status;
typedef MPI_Status MPI_F08_status;

/* The objects that MPI's own handles are addresses of: programs may have copies of them as large as
 * they are here (R_X86_64_COPY). */
#define MPI_PREDEFINED(Kind, name) ((MPI_##Kind)(void *)&name)
#define MPI_PREDEFINED_OBJECT(name, size)                                                          \
    extern struct name##_bytes {                                                                   \
        void *first;                                                                               \
        char rest[(size) - sizeof(void *)];                                                        \
    } name;
#define MPI_PREDEFINED_SYMBOL(Kind, name, size, fortran) MPI_PREDEFINED_OBJECT(name, size)
#include "mpi_predefined.h"
MPI_PREDEFINED_OBJECTS(MPI_PREDEFINED_SYMBOL)
#undef MPI_PREDEFINED_SYMBOL

/* ---- Versions ---- */

#define OPEN_MPI       1
#define MPI_VERSION    3
#define MPI_SUBVERSION 1

/* ---- Handles ---- */

#define MPI_SESSION_NULL     ((MPI_Session)0)
#define MPI_COMM_NULL        MPI_PREDEFINED(Comm, ompi_mpi_comm_null)
#define MPI_COMM_WORLD       MPI_PREDEFINED(Comm, ompi_mpi_comm_world)
#define MPI_COMM_SELF        MPI_PREDEFINED(Comm, ompi_mpi_comm_self)
#define MPI_GROUP_NULL       MPI_PREDEFINED(Group, ompi_mpi_group_null)
#define MPI_GROUP_EMPTY      MPI_PREDEFINED(Group, ompi_mpi_group_empty)
#define MPI_WIN_NULL         MPI_PREDEFINED(Win, ompi_mpi_win_null)
#define MPI_FILE_NULL        MPI_PREDEFINED(File, ompi_mpi_file_null)
#define MPI_MESSAGE_NULL     MPI_PREDEFINED(Message, ompi_message_null)
#define MPI_MESSAGE_NO_PROC  MPI_PREDEFINED(Message, ompi_message_no_proc)
#define MPI_INFO_NULL        MPI_PREDEFINED(Info, ompi_mpi_info_null)
#define MPI_INFO_ENV         MPI_PREDEFINED(Info, ompi_mpi_info_env)
#define MPI_ERRHANDLER_NULL  MPI_PREDEFINED(Errhandler, ompi_mpi_errhandler_null)
#define MPI_ERRORS_ARE_FATAL MPI_PREDEFINED(Errhandler, ompi_mpi_errors_are_fatal)
#define MPI_ERRORS_RETURN    MPI_PREDEFINED(Errhandler, ompi_mpi_errors_return)
#define MPI_REQUEST_NULL     MPI_PREDEFINED(Request, ompi_request_null)

/* ---- Datatypes ---- */

#define MPI_DATATYPE_NULL           MPI_PREDEFINED(Datatype, ompi_mpi_datatype_null)
#define MPI_AINT                    MPI_PREDEFINED(Datatype, ompi_mpi_aint)
#define MPI_COUNT                   MPI_PREDEFINED(Datatype, ompi_mpi_count)
#define MPI_OFFSET                  MPI_PREDEFINED(Datatype, ompi_mpi_offset)
#define MPI_PACKED                  MPI_PREDEFINED(Datatype, ompi_mpi_packed)
#define MPI_SHORT                   MPI_PREDEFINED(Datatype, ompi_mpi_short)
#define MPI_INT                     MPI_PREDEFINED(Datatype, ompi_mpi_int)
#define MPI_LONG                    MPI_PREDEFINED(Datatype, ompi_mpi_long)
#define MPI_LONG_LONG               MPI_PREDEFINED(Datatype, ompi_mpi_long_long_int)
#define MPI_LONG_LONG_INT           MPI_PREDEFINED(Datatype, ompi_mpi_long_long_int)
#define MPI_UNSIGNED_SHORT          MPI_PREDEFINED(Datatype, ompi_mpi_unsigned_short)
#define MPI_UNSIGNED                MPI_PREDEFINED(Datatype, ompi_mpi_unsigned)
#define MPI_UNSIGNED_LONG           MPI_PREDEFINED(Datatype, ompi_mpi_unsigned_long)
#define MPI_UNSIGNED_LONG_LONG      MPI_PREDEFINED(Datatype, ompi_mpi_unsigned_long_long)
#define MPI_FLOAT                   MPI_PREDEFINED(Datatype, ompi_mpi_float)
#define MPI_C_FLOAT_COMPLEX         MPI_PREDEFINED(Datatype, ompi_mpi_c_float_complex)
#define MPI_C_COMPLEX               MPI_PREDEFINED(Datatype, ompi_mpi_c_float_complex)
#define MPI_CXX_FLOAT_COMPLEX       MPI_PREDEFINED(Datatype, ompi_mpi_cxx_cplex)
#define MPI_DOUBLE                  MPI_PREDEFINED(Datatype, ompi_mpi_double)
#define MPI_C_DOUBLE_COMPLEX        MPI_PREDEFINED(Datatype, ompi_mpi_c_double_complex)
#define MPI_CXX_DOUBLE_COMPLEX      MPI_PREDEFINED(Datatype, ompi_mpi_cxx_dblcplex)
#define MPI_LOGICAL                 MPI_PREDEFINED(Datatype, ompi_mpi_logical)
#define MPI_INTEGER                 MPI_PREDEFINED(Datatype, ompi_mpi_integer)
#define MPI_REAL                    MPI_PREDEFINED(Datatype, ompi_mpi_real)
#define MPI_COMPLEX                 MPI_PREDEFINED(Datatype, ompi_mpi_cplex)
#define MPI_DOUBLE_PRECISION        MPI_PREDEFINED(Datatype, ompi_mpi_dblprec)
#define MPI_DOUBLE_COMPLEX          MPI_PREDEFINED(Datatype, ompi_mpi_dblcplex)
#define MPI_CHARACTER               MPI_PREDEFINED(Datatype, ompi_mpi_character)
#define MPI_LONG_DOUBLE             MPI_PREDEFINED(Datatype, ompi_mpi_long_double)
#define MPI_C_LONG_DOUBLE_COMPLEX   MPI_PREDEFINED(Datatype, ompi_mpi_c_long_double_complex)
#define MPI_CXX_LONG_DOUBLE_COMPLEX MPI_PREDEFINED(Datatype, ompi_mpi_cxx_ldblcplex)
#define MPI_FLOAT_INT               MPI_PREDEFINED(Datatype, ompi_mpi_float_int)
#define MPI_DOUBLE_INT              MPI_PREDEFINED(Datatype, ompi_mpi_double_int)
#define MPI_LONG_INT                MPI_PREDEFINED(Datatype, ompi_mpi_long_int)
#define MPI_2INT                    MPI_PREDEFINED(Datatype, ompi_mpi_2int)
#define MPI_SHORT_INT               MPI_PREDEFINED(Datatype, ompi_mpi_short_int)
#define MPI_LONG_DOUBLE_INT         MPI_PREDEFINED(Datatype, ompi_mpi_longdbl_int)
#define MPI_2REAL                   MPI_PREDEFINED(Datatype, ompi_mpi_2real)
#define MPI_2DOUBLE_PRECISION       MPI_PREDEFINED(Datatype, ompi_mpi_2dblprec)
#define MPI_2INTEGER                MPI_PREDEFINED(Datatype, ompi_mpi_2integer)
#define MPI_C_BOOL                  MPI_PREDEFINED(Datatype, ompi_mpi_c_bool)
#define MPI_CXX_BOOL                MPI_PREDEFINED(Datatype, ompi_mpi_cxx_bool)
#define MPI_WCHAR                   MPI_PREDEFINED(Datatype, ompi_mpi_wchar)
#define MPI_INT8_T                  MPI_PREDEFINED(Datatype, ompi_mpi_int8_t)
#define MPI_UINT8_T                 MPI_PREDEFINED(Datatype, ompi_mpi_uint8_t)
#define MPI_CHAR                    MPI_PREDEFINED(Datatype, ompi_mpi_char)
#define MPI_SIGNED_CHAR             MPI_PREDEFINED(Datatype, ompi_mpi_signed_char)
#define MPI_UNSIGNED_CHAR           MPI_PREDEFINED(Datatype, ompi_mpi_unsigned_char)
#define MPI_BYTE                    MPI_PREDEFINED(Datatype, ompi_mpi_byte)
#define MPI_INT16_T                 MPI_PREDEFINED(Datatype, ompi_mpi_int16_t)
#define MPI_UINT16_T                MPI_PREDEFINED(Datatype, ompi_mpi_uint16_t)
#define MPI_INT32_T                 MPI_PREDEFINED(Datatype, ompi_mpi_int32_t)
#define MPI_UINT32_T                MPI_PREDEFINED(Datatype, ompi_mpi_uint32_t)
#define MPI_INT64_T                 MPI_PREDEFINED(Datatype, ompi_mpi_int64_t)
#define MPI_UINT64_T                MPI_PREDEFINED(Datatype, ompi_mpi_uint64_t)
#define MPI_LOGICAL1                MPI_PREDEFINED(Datatype, ompi_mpi_logical1)
#define MPI_INTEGER1                MPI_PREDEFINED(Datatype, ompi_mpi_integer1)
#define MPI_LOGICAL2                MPI_PREDEFINED(Datatype, ompi_mpi_logical2)
#define MPI_INTEGER2                MPI_PREDEFINED(Datatype, ompi_mpi_integer2)
#define MPI_LOGICAL4                MPI_PREDEFINED(Datatype, ompi_mpi_logical4)
#define MPI_INTEGER4                MPI_PREDEFINED(Datatype, ompi_mpi_integer4)
#define MPI_REAL4                   MPI_PREDEFINED(Datatype, ompi_mpi_real4)
#define MPI_LOGICAL8                MPI_PREDEFINED(Datatype, ompi_mpi_logical8)
#define MPI_INTEGER8                MPI_PREDEFINED(Datatype, ompi_mpi_integer8)
#define MPI_REAL8                   MPI_PREDEFINED(Datatype, ompi_mpi_real8)
#define MPI_COMPLEX8                MPI_PREDEFINED(Datatype, ompi_mpi_complex8)
#define MPI_INTEGER16               MPI_PREDEFINED(Datatype, ompi_mpi_integer16)
#define MPI_REAL16                  MPI_PREDEFINED(Datatype, ompi_mpi_real16)
#define MPI_COMPLEX16               MPI_PREDEFINED(Datatype, ompi_mpi_complex16)
#define MPI_COMPLEX32               MPI_PREDEFINED(Datatype, ompi_mpi_complex32)

/* ---- Operators ---- */

#define MPI_OP_NULL MPI_PREDEFINED(Op, ompi_mpi_op_null)
#define MPI_SUM     MPI_PREDEFINED(Op, ompi_mpi_op_sum)
#define MPI_MIN     MPI_PREDEFINED(Op, ompi_mpi_op_min)
#define MPI_MAX     MPI_PREDEFINED(Op, ompi_mpi_op_max)
#define MPI_PROD    MPI_PREDEFINED(Op, ompi_mpi_op_prod)
#define MPI_BAND    MPI_PREDEFINED(Op, ompi_mpi_op_band)
#define MPI_BOR     MPI_PREDEFINED(Op, ompi_mpi_op_bor)
#define MPI_BXOR    MPI_PREDEFINED(Op, ompi_mpi_op_bxor)
#define MPI_LAND    MPI_PREDEFINED(Op, ompi_mpi_op_land)
#define MPI_LOR     MPI_PREDEFINED(Op, ompi_mpi_op_lor)
#define MPI_LXOR    MPI_PREDEFINED(Op, ompi_mpi_op_lxor)
#define MPI_MINLOC  MPI_PREDEFINED(Op, ompi_mpi_op_minloc)
#define MPI_MAXLOC  MPI_PREDEFINED(Op, ompi_mpi_op_maxloc)
#define MPI_REPLACE MPI_PREDEFINED(Op, ompi_mpi_op_replace)
#define MPI_NO_OP   MPI_PREDEFINED(Op, ompi_mpi_op_no_op)

/* ---- Addresses ---- */

#define MPI_BOTTOM               ((void *)0)
#define MPI_IN_PLACE             ((void *)1)
#define MPI_ARGV_NULL            ((char **)0)
#define MPI_ARGVS_NULL           ((char ***)0)
#define MPI_ERRCODES_IGNORE      ((int *)0)
#define MPI_STATUS_IGNORE        ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE      ((MPI_Status *)0)
#define MPI_UNWEIGHTED           ((int *)2)
#define MPI_WEIGHTS_EMPTY        ((int *)3)
#define MPI_DISPLACEMENT_CURRENT ((MPI_Offset)-54278278)

/* ---- Error classes ---- */

#define MPI_SUCCESS                   0
#define MPI_ERR_BUFFER                1
#define MPI_ERR_COUNT                 2
#define MPI_ERR_TYPE                  3
#define MPI_ERR_TAG                   4
#define MPI_ERR_COMM                  5
#define MPI_ERR_RANK                  6
#define MPI_ERR_REQUEST               7
#define MPI_ERR_ROOT                  8
#define MPI_ERR_GROUP                 9
#define MPI_ERR_OP                    10
#define MPI_ERR_TOPOLOGY              11
#define MPI_ERR_DIMS                  12
#define MPI_ERR_ARG                   13
#define MPI_ERR_UNKNOWN               14
#define MPI_ERR_TRUNCATE              15
#define MPI_ERR_OTHER                 16
#define MPI_ERR_INTERN                17
#define MPI_ERR_PENDING               19
#define MPI_ERR_IN_STATUS             18
#define MPI_ERR_ACCESS                20
#define MPI_ERR_AMODE                 21
#define MPI_ERR_ASSERT                22
#define MPI_ERR_BAD_FILE              23
#define MPI_ERR_BASE                  24
#define MPI_ERR_CONVERSION            25
#define MPI_ERR_DISP                  26
#define MPI_ERR_DUP_DATAREP           27
#define MPI_ERR_FILE_EXISTS           28
#define MPI_ERR_FILE_IN_USE           29
#define MPI_ERR_FILE                  30
#define MPI_ERR_INFO_KEY              31
#define MPI_ERR_INFO_NOKEY            32
#define MPI_ERR_INFO_VALUE            33
#define MPI_ERR_INFO                  34
#define MPI_ERR_IO                    35
#define MPI_ERR_KEYVAL                36
#define MPI_ERR_LOCKTYPE              37
#define MPI_ERR_NAME                  38
#define MPI_ERR_NO_MEM                39
#define MPI_ERR_NOT_SAME              40
#define MPI_ERR_NO_SPACE              41
#define MPI_ERR_NO_SUCH_FILE          42
#define MPI_ERR_PORT                  43
#define MPI_ERR_QUOTA                 44
#define MPI_ERR_READ_ONLY             45
#define MPI_ERR_RMA_ATTACH            69
#define MPI_ERR_RMA_CONFLICT          46
#define MPI_ERR_RMA_RANGE             68
#define MPI_ERR_RMA_SHARED            71
#define MPI_ERR_RMA_SYNC              47
#define MPI_ERR_SERVICE               48
#define MPI_ERR_SIZE                  49
#define MPI_ERR_SPAWN                 50
#define MPI_ERR_UNSUPPORTED_DATAREP   51
#define MPI_ERR_UNSUPPORTED_OPERATION 52
#define MPI_ERR_WIN                   53
#define MPI_ERR_RMA_FLAVOR            70
#define MPIX_ERR_PROC_FAILED          75
#define MPIX_ERR_PROC_FAILED_PENDING  76
#define MPIX_ERR_REVOKED              77
#define MPI_ERR_LASTCODE              92
#define MPI_T_PVAR_ALL_HANDLES        ((MPI_T_pvar_handle)-1)
#define MPI_T_ERR_MEMORY              54
#define MPI_T_ERR_NOT_INITIALIZED     55
#define MPI_T_ERR_CANNOT_INIT         56
#define MPI_T_ERR_INVALID_INDEX       57
#define MPI_T_ERR_INVALID_ITEM        58
#define MPI_T_ERR_INVALID_HANDLE      59
#define MPI_T_ERR_OUT_OF_HANDLES      60
#define MPI_T_ERR_OUT_OF_SESSIONS     61
#define MPI_T_ERR_INVALID_SESSION     62
#define MPI_T_ERR_CVAR_SET_NOT_NOW    63
#define MPI_T_ERR_CVAR_SET_NEVER      64
#define MPI_T_ERR_PVAR_NO_STARTSTOP   65
#define MPI_T_ERR_PVAR_NO_WRITE       66
#define MPI_T_ERR_PVAR_NO_ATOMIC      67
#define MPI_T_ERR_INVALID             72
#define MPI_T_ERR_INVALID_NAME        73

/* ---- Sizes ---- */

#define MPI_MAX_DATAREP_STRING         128
#define MPI_MAX_ERROR_STRING           256
#define MPI_MAX_INFO_KEY               36
#define MPI_MAX_INFO_VAL               256
#define MPI_MAX_LIBRARY_VERSION_STRING 256
#define MPI_MAX_OBJECT_NAME            64
#define MPI_MAX_PORT_NAME              1024
#define MPI_MAX_PROCESSOR_NAME         256
#define MPI_MAX_STRINGTAG_LEN          1024 /* ... its constants */
#define MPI_BSEND_OVERHEAD             128

/* ---- Datatype constructors ---- */

#define MPI_ORDER_C                 0
#define MPI_ORDER_FORTRAN           1
#define MPI_DISTRIBUTE_NONE         2
#define MPI_DISTRIBUTE_BLOCK        0
#define MPI_DISTRIBUTE_CYCLIC       1
#define MPI_DISTRIBUTE_DFLT_DARG    (-1)
#define MPI_COMBINER_NAMED          0
#define MPI_COMBINER_DUP            1
#define MPI_COMBINER_CONTIGUOUS     2
#define MPI_COMBINER_VECTOR         3
#define MPI_COMBINER_HVECTOR        5
#define MPI_COMBINER_INDEXED        6
#define MPI_COMBINER_HINDEXED       8
#define MPI_COMBINER_INDEXED_BLOCK  9
#define MPI_COMBINER_HINDEXED_BLOCK 18
#define MPI_COMBINER_STRUCT         11
#define MPI_COMBINER_SUBARRAY       12
#define MPI_COMBINER_DARRAY         13
#define MPI_COMBINER_F90_REAL       14
#define MPI_COMBINER_F90_COMPLEX    15
#define MPI_COMBINER_F90_INTEGER    16
#define MPI_COMBINER_RESIZED        17
#define MPI_TYPECLASS_INTEGER       1
#define MPI_TYPECLASS_REAL          2
#define MPI_TYPECLASS_COMPLEX       3
#define MPI_DIST_GRAPH              3

/* ---- Functions of attributes and data representations ---- */

#define MPI_NULL_COPY_FN        OMPI_C_MPI_NULL_COPY_FN
#define MPI_DUP_FN              OMPI_C_MPI_DUP_FN
#define MPI_NULL_DELETE_FN      OMPI_C_MPI_NULL_DELETE_FN
#define MPI_COMM_NULL_COPY_FN   OMPI_C_MPI_COMM_NULL_COPY_FN
#define MPI_COMM_DUP_FN         OMPI_C_MPI_COMM_DUP_FN
#define MPI_COMM_NULL_DELETE_FN OMPI_C_MPI_COMM_NULL_DELETE_FN
#define MPI_TYPE_NULL_COPY_FN   OMPI_C_MPI_TYPE_NULL_COPY_FN
#define MPI_TYPE_DUP_FN         OMPI_C_MPI_TYPE_DUP_FN
#define MPI_TYPE_NULL_DELETE_FN OMPI_C_MPI_TYPE_NULL_DELETE_FN
#define MPI_WIN_NULL_COPY_FN    OMPI_C_MPI_WIN_NULL_COPY_FN
#define MPI_WIN_DUP_FN          OMPI_C_MPI_WIN_DUP_FN
#define MPI_WIN_NULL_DELETE_FN  OMPI_C_MPI_WIN_NULL_DELETE_FN
#define MPI_CONVERSION_FN_NULL  ((MPI_Datarep_conversion_function *)0x0)

/* ---- One-sided communication and files ---- */

#define MPI_MODE_APPEND          128
#define MPI_MODE_CREATE          1
#define MPI_MODE_DELETE_ON_CLOSE 16
#define MPI_MODE_EXCL            64
#define MPI_MODE_RDONLY          2
#define MPI_MODE_RDWR            8
#define MPI_MODE_SEQUENTIAL      256
#define MPI_MODE_UNIQUE_OPEN     32
#define MPI_MODE_WRONLY          4
#define MPI_MODE_NOCHECK         1
#define MPI_MODE_NOPRECEDE       2
#define MPI_MODE_NOPUT           4
#define MPI_MODE_NOSTORE         8
#define MPI_MODE_NOSUCCEED       16
#define MPI_LOCK_EXCLUSIVE       1
#define MPI_LOCK_SHARED          2
#define MPI_WIN_FLAVOR_CREATE    1
#define MPI_WIN_FLAVOR_ALLOCATE  2
#define MPI_WIN_FLAVOR_DYNAMIC   3
#define MPI_WIN_FLAVOR_SHARED    4
#define MPI_WIN_UNIFIED          0
#define MPI_WIN_SEPARATE         1
#define MPI_SEEK_CUR             602
#define MPI_SEEK_END             604
#define MPI_SEEK_SET             600
#define MPI_WIN_BASE             7
#define MPI_WIN_DISP_UNIT        9
#define MPI_WIN_SIZE             8
#define MPI_WIN_CREATE_FLAVOR    10
#define MPI_WIN_MODEL            11

/* ---- Other constants ---- */

#define MPI_F_STATUS_SIZE     6
#define MPI_F_SOURCE          0
#define MPI_F_TAG             1
#define MPI_F_ERROR           2
#define MPI_ANY_SOURCE        (-1)
#define MPI_ANY_TAG           (-1)
#define MPI_PROC_NULL         (-2)
#define MPI_ROOT              (-4)
#define MPI_UNDEFINED         (-32766)
#define MPI_THREAD_SINGLE     0
#define MPI_THREAD_FUNNELED   1
#define MPI_THREAD_SERIALIZED 2
#define MPI_THREAD_MULTIPLE   3
#define MPI_IDENT             0
#define MPI_CONGRUENT         1
#define MPI_SIMILAR           2
#define MPI_UNEQUAL           3
#define MPI_CART              1
#define MPI_GRAPH             2
#define MPI_COMM_TYPE_SHARED  0
/* Not in Open MPI 4, which ends with 11. */
#define MPI_COMM_TYPE_HW_UNGUIDED     12
#define MPI_COMM_TYPE_HW_GUIDED       13
#define MPI_COMM_TYPE_RESOURCE_GUIDED 14
#define MPI_KEYVAL_INVALID            (-1)
#define MPI_TAG_UB                    0
#define MPI_IO                        2
#define MPI_HOST                      1
#define MPI_WTIME_IS_GLOBAL           3
#define MPI_APPNUM                    4
#define MPI_LASTUSEDCODE              5
#define MPI_UNIVERSE_SIZE             6

#include "mpi_functions.h"

/* Functions of attributes that do nothing, or copy. */
extern MPI_Comm_copy_attr_function OMPI_C_MPI_COMM_DUP_FN;
extern MPI_Comm_copy_attr_function OMPI_C_MPI_COMM_NULL_COPY_FN;
extern MPI_Comm_delete_attr_function OMPI_C_MPI_COMM_NULL_DELETE_FN;
extern MPI_Copy_function OMPI_C_MPI_DUP_FN;
extern MPI_Copy_function OMPI_C_MPI_NULL_COPY_FN;
extern MPI_Delete_function OMPI_C_MPI_NULL_DELETE_FN;
extern MPI_Type_copy_attr_function OMPI_C_MPI_TYPE_DUP_FN;
extern MPI_Type_copy_attr_function OMPI_C_MPI_TYPE_NULL_COPY_FN;
extern MPI_Type_delete_attr_function OMPI_C_MPI_TYPE_NULL_DELETE_FN;
extern MPI_Win_copy_attr_function OMPI_C_MPI_WIN_DUP_FN;
extern MPI_Win_copy_attr_function OMPI_C_MPI_WIN_NULL_COPY_FN;
extern MPI_Win_delete_attr_function OMPI_C_MPI_WIN_NULL_DELETE_FN;

#ifdef __cplusplus
}
#endif
#endif
