/* mpi.h - the binary interface of MPICH 4.0 and of the MPICH ABI compatibility initiative: types,
 * values and names of handles, as programs have them that were compiled for libmpich.so.12 or
 * libmpi.so.12.
 *
 * Values are those that such programs contain; hnow's sources are compiled with this header for
 * them. Programs are better compiled with the standard ABI's.
 */
#ifndef MPI_H_MPICH
#define MPI_H_MPICH

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef intptr_t MPI_Aint;
typedef long long MPI_Offset;
typedef long long MPI_Count;
typedef int MPI_Fint;

typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef int MPI_Errhandler;
typedef struct ADIOI_FileD *MPI_File; /* the only handle that is an address */
typedef int MPI_Group;
typedef int MPI_Info;
typedef int MPI_Message;
typedef int MPI_Op;
typedef int MPI_Request;
typedef int MPI_Session;
typedef int MPI_Win;

typedef struct {
    int count_lo;
    int count_hi_and_cancelled;
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
} MPI_Status;
typedef MPI_Status MPI_F08_status;

/* ---- Versions ---- */

#define MPI_VERSION    4
#define MPI_SUBVERSION 0

/* ---- Handles ---- */

#define MPI_SESSION_NULL             ((MPI_Session)0x38000000)
#define MPI_COMM_NULL                ((MPI_Comm)0x04000000)
#define MPI_COMM_WORLD               ((MPI_Comm)0x44000000)
#define MPI_COMM_SELF                ((MPI_Comm)0x44000001)
#define MPI_GROUP_NULL               ((MPI_Group)0x08000000)
#define MPI_GROUP_EMPTY              ((MPI_Group)0x48000000)
#define MPI_WIN_NULL                 ((MPI_Win)0x20000000)
#define MPI_FILE_NULL                ((MPI_File)0)
#define MPI_MESSAGE_NULL             ((MPI_Message)0x2c000000)
#define MPI_MESSAGE_NO_PROC          ((MPI_Message)0x6c000000)
#define MPI_INFO_NULL                ((MPI_Info)0x1c000000)
#define MPI_INFO_ENV                 ((MPI_Info)0x5c000001)
#define MPI_ERRHANDLER_NULL          ((MPI_Errhandler)0x14000000)
#define MPI_ERRORS_ARE_FATAL         ((MPI_Errhandler)0x54000000)
#define MPI_ERRORS_ABORT             ((MPI_Errhandler)0x54000003)
#define MPI_ERRORS_RETURN            ((MPI_Errhandler)0x54000001)
#define MPIR_ERRORS_THROW_EXCEPTIONS ((MPI_Errhandler)0x54000002)
#define MPI_REQUEST_NULL             ((MPI_Request)0x2c000000)

/* ---- Datatypes ---- */

#define MPI_DATATYPE_NULL           ((MPI_Datatype)0x0c000000)
#define MPI_AINT                    ((MPI_Datatype)0x4c000843)
#define MPI_COUNT                   ((MPI_Datatype)0x4c000845)
#define MPI_OFFSET                  ((MPI_Datatype)0x4c000844)
#define MPI_PACKED                  ((MPI_Datatype)0x4c00010f)
#define MPI_SHORT                   ((MPI_Datatype)0x4c000203)
#define MPI_INT                     ((MPI_Datatype)0x4c000405)
#define MPI_LONG                    ((MPI_Datatype)0x4c000807)
#define MPI_LONG_LONG               ((MPI_Datatype)0x4c000809)
#define MPI_LONG_LONG_INT           ((MPI_Datatype)0x4c000809)
#define MPI_UNSIGNED_SHORT          ((MPI_Datatype)0x4c000204)
#define MPI_UNSIGNED                ((MPI_Datatype)0x4c000406)
#define MPI_UNSIGNED_LONG           ((MPI_Datatype)0x4c000808)
#define MPI_UNSIGNED_LONG_LONG      ((MPI_Datatype)0x4c000819)
#define MPI_FLOAT                   ((MPI_Datatype)0x4c00040a)
#define MPI_C_FLOAT_COMPLEX         ((MPI_Datatype)0x4c000840)
#define MPI_C_COMPLEX               MPI_C_FLOAT_COMPLEX
#define MPI_CXX_FLOAT_COMPLEX       ((MPI_Datatype)0x4c000834)
#define MPI_DOUBLE                  ((MPI_Datatype)0x4c00080b)
#define MPI_C_DOUBLE_COMPLEX        ((MPI_Datatype)0x4c001041)
#define MPI_CXX_DOUBLE_COMPLEX      ((MPI_Datatype)0x4c001035)
#define MPI_LOGICAL                 ((MPI_Datatype)0x4c00041d)
#define MPI_INTEGER                 ((MPI_Datatype)0x4c00041b)
#define MPI_REAL                    ((MPI_Datatype)0x4c00041c)
#define MPI_COMPLEX                 ((MPI_Datatype)0x4c00081e)
#define MPI_DOUBLE_PRECISION        ((MPI_Datatype)0x4c00081f)
#define MPI_DOUBLE_COMPLEX          ((MPI_Datatype)0x4c001022)
#define MPI_CHARACTER               ((MPI_Datatype)0x4c00011a)
#define MPI_LONG_DOUBLE             ((MPI_Datatype)0x4c00100c)
#define MPI_C_LONG_DOUBLE_COMPLEX   ((MPI_Datatype)0x4c002042)
#define MPI_CXX_LONG_DOUBLE_COMPLEX ((MPI_Datatype)0x4c002036)
#define MPI_FLOAT_INT               ((MPI_Datatype)0x8c000000)
#define MPI_DOUBLE_INT              ((MPI_Datatype)0x8c000001)
#define MPI_LONG_INT                ((MPI_Datatype)0x8c000002)
#define MPI_2INT                    ((MPI_Datatype)0x4c000816)
#define MPI_SHORT_INT               ((MPI_Datatype)0x8c000003)
#define MPI_LONG_DOUBLE_INT         ((MPI_Datatype)0x8c000004)
#define MPI_2REAL                   ((MPI_Datatype)0x4c000821)
#define MPI_2DOUBLE_PRECISION       ((MPI_Datatype)0x4c001023)
#define MPI_2INTEGER                ((MPI_Datatype)0x4c000820)
#define MPI_C_BOOL                  ((MPI_Datatype)0x4c00013f)
#define MPI_CXX_BOOL                ((MPI_Datatype)0x4c000133)
#define MPI_WCHAR                   ((MPI_Datatype)0x4c00040e)
#define MPI_INT8_T                  ((MPI_Datatype)0x4c000137)
#define MPI_UINT8_T                 ((MPI_Datatype)0x4c00013b)
#define MPI_CHAR                    ((MPI_Datatype)0x4c000101)
#define MPI_SIGNED_CHAR             ((MPI_Datatype)0x4c000118)
#define MPI_UNSIGNED_CHAR           ((MPI_Datatype)0x4c000102)
#define MPI_BYTE                    ((MPI_Datatype)0x4c00010d)
#define MPI_INT16_T                 ((MPI_Datatype)0x4c000238)
#define MPI_UINT16_T                ((MPI_Datatype)0x4c00023c)
#define MPI_INT32_T                 ((MPI_Datatype)0x4c000439)
#define MPI_UINT32_T                ((MPI_Datatype)0x4c00043d)
#define MPI_INT64_T                 ((MPI_Datatype)0x4c00083a)
#define MPI_UINT64_T                ((MPI_Datatype)0x4c00083e)
#define MPI_INTEGER1                ((MPI_Datatype)0x4c00012d)
#define MPI_INTEGER2                ((MPI_Datatype)0x4c00022f)
#define MPI_INTEGER4                ((MPI_Datatype)0x4c000430)
#define MPI_REAL4                   ((MPI_Datatype)0x4c000427)
#define MPI_INTEGER8                ((MPI_Datatype)0x4c000831)
#define MPI_REAL8                   ((MPI_Datatype)0x4c000829)
#define MPI_COMPLEX8                ((MPI_Datatype)0x4c000828)
#define MPI_REAL16                  ((MPI_Datatype)0x4c00102b)
#define MPI_COMPLEX16               ((MPI_Datatype)0x4c00102a)
#define MPI_COMPLEX32               ((MPI_Datatype)0x4c00202c)

/* ---- Operators ---- */

#define MPI_OP_NULL ((MPI_Op)0x18000000)
#define MPI_SUM     ((MPI_Op)0x58000003)
#define MPI_MIN     ((MPI_Op)0x58000002)
#define MPI_MAX     ((MPI_Op)0x58000001)
#define MPI_PROD    ((MPI_Op)0x58000004)
#define MPI_BAND    ((MPI_Op)0x58000006)
#define MPI_BOR     ((MPI_Op)0x58000008)
#define MPI_BXOR    ((MPI_Op)0x5800000a)
#define MPI_LAND    ((MPI_Op)0x58000005)
#define MPI_LOR     ((MPI_Op)0x58000007)
#define MPI_LXOR    ((MPI_Op)0x58000009)
#define MPI_MINLOC  ((MPI_Op)0x5800000b)
#define MPI_MAXLOC  ((MPI_Op)0x5800000c)
#define MPI_REPLACE ((MPI_Op)0x5800000d)
#define MPI_NO_OP   ((MPI_Op)0x5800000e)

/* ---- Addresses ---- */

#define MPI_BOTTOM               ((void *)0)
#define MPI_IN_PLACE             ((void *)-1)
#define MPI_ARGV_NULL            ((char **)0)
#define MPI_ARGVS_NULL           ((char ***)0)
#define MPI_ERRCODES_IGNORE      ((int *)0)
#define MPI_STATUS_IGNORE        ((MPI_Status *)1)
#define MPI_STATUSES_IGNORE      ((MPI_Status *)1)
#define MPI_DISPLACEMENT_CURRENT ((MPI_Offset)-54278278)

/* ---- Error classes ---- */

#define MPI_SUCCESS                   0
#define MPI_ERR_BUFFER                1
#define MPI_ERR_COUNT                 2
#define MPI_ERR_TYPE                  3
#define MPI_ERR_TAG                   4
#define MPI_ERR_COMM                  5
#define MPI_ERR_RANK                  6
#define MPI_ERR_REQUEST               19
#define MPI_ERR_ROOT                  7
#define MPI_ERR_GROUP                 8
#define MPI_ERR_OP                    9
#define MPI_ERR_TOPOLOGY              10
#define MPI_ERR_DIMS                  11
#define MPI_ERR_ARG                   12
#define MPI_ERR_UNKNOWN               13
#define MPI_ERR_TRUNCATE              14
#define MPI_ERR_OTHER                 15
#define MPI_ERR_INTERN                16
#define MPI_ERR_PENDING               18
#define MPI_ERR_IN_STATUS             17
#define MPI_ERR_ACCESS                20
#define MPI_ERR_AMODE                 21
#define MPI_ERR_ASSERT                53
#define MPI_ERR_BAD_FILE              22
#define MPI_ERR_BASE                  46
#define MPI_ERR_CONVERSION            23
#define MPI_ERR_DISP                  52
#define MPI_ERR_DUP_DATAREP           24
#define MPI_ERR_FILE_EXISTS           25
#define MPI_ERR_FILE_IN_USE           26
#define MPI_ERR_FILE                  27
#define MPI_ERR_INFO_KEY              29
#define MPI_ERR_INFO_NOKEY            31
#define MPI_ERR_INFO_VALUE            30
#define MPI_ERR_INFO                  28
#define MPI_ERR_IO                    32
#define MPI_ERR_KEYVAL                48
#define MPI_ERR_LOCKTYPE              47
#define MPI_ERR_NAME                  33
#define MPI_ERR_NO_MEM                34
#define MPI_ERR_NOT_SAME              35
#define MPI_ERR_NO_SPACE              36
#define MPI_ERR_NO_SUCH_FILE          37
#define MPI_ERR_PORT                  38
#define MPI_ERR_QUOTA                 39
#define MPI_ERR_READ_ONLY             40
#define MPI_ERR_RMA_ATTACH            56
#define MPI_ERR_RMA_CONFLICT          49
#define MPI_ERR_RMA_RANGE             55
#define MPI_ERR_RMA_SHARED            57
#define MPI_ERR_RMA_SYNC              50
#define MPI_ERR_SERVICE               41
#define MPI_ERR_SIZE                  51
#define MPI_ERR_SPAWN                 42
#define MPI_ERR_UNSUPPORTED_DATAREP   43
#define MPI_ERR_UNSUPPORTED_OPERATION 44
#define MPI_ERR_WIN                   45
#define MPI_ERR_RMA_FLAVOR            58
#define MPI_ERR_PROC_ABORTED          76
#define MPI_ERR_VALUE_TOO_LARGE       77
#define MPI_ERR_SESSION               75
#define MPIX_ERR_PROC_FAILED          101
#define MPIX_ERR_PROC_FAILED_PENDING  102
#define MPIX_ERR_REVOKED              103
#define MPI_ERR_LASTCODE              1073741823
#define MPI_T_ERR_MEMORY              59
#define MPI_T_ERR_NOT_INITIALIZED     60
#define MPI_T_ERR_CANNOT_INIT         61
#define MPI_T_ERR_INVALID_INDEX       62
#define MPI_T_ERR_INVALID_ITEM        63
#define MPI_T_ERR_INVALID_HANDLE      64
#define MPI_T_ERR_OUT_OF_HANDLES      65
#define MPI_T_ERR_OUT_OF_SESSIONS     66
#define MPI_T_ERR_INVALID_SESSION     67
#define MPI_T_ERR_CVAR_SET_NOT_NOW    68
#define MPI_T_ERR_CVAR_SET_NEVER      69
#define MPI_T_ERR_PVAR_NO_STARTSTOP   70
#define MPI_T_ERR_PVAR_NO_WRITE       71
#define MPI_T_ERR_PVAR_NO_ATOMIC      72
#define MPI_T_ERR_INVALID             74
#define MPI_T_ERR_INVALID_NAME        73

/* ---- Sizes ---- */

#define MPI_MAX_DATAREP_STRING         128
#define MPI_MAX_ERROR_STRING           512
#define MPI_MAX_INFO_KEY               255
#define MPI_MAX_INFO_VAL               1024
#define MPI_MAX_LIBRARY_VERSION_STRING 8192
#define MPI_MAX_OBJECT_NAME            128
#define MPI_MAX_PORT_NAME              256
#define MPI_MAX_PROCESSOR_NAME         128
#define MPI_MAX_STRINGTAG_LEN          256
#define MPI_MAX_PSET_NAME_LEN          256
#define MPI_BSEND_OVERHEAD             96

/* ---- Datatype constructors ---- */

#define MPI_ORDER_C                 56
#define MPI_ORDER_FORTRAN           57
#define MPI_DISTRIBUTE_NONE         123
#define MPI_DISTRIBUTE_BLOCK        121
#define MPI_DISTRIBUTE_CYCLIC       122
#define MPI_DISTRIBUTE_DFLT_DARG    (-49767)
#define MPI_COMBINER_NAMED          1
#define MPI_COMBINER_DUP            2
#define MPI_COMBINER_CONTIGUOUS     3
#define MPI_COMBINER_VECTOR         4
#define MPI_COMBINER_HVECTOR        6
#define MPI_COMBINER_INDEXED        7
#define MPI_COMBINER_HINDEXED       9
#define MPI_COMBINER_INDEXED_BLOCK  10
#define MPI_COMBINER_HINDEXED_BLOCK 19
#define MPI_COMBINER_STRUCT         12
#define MPI_COMBINER_SUBARRAY       13
#define MPI_COMBINER_DARRAY         14
#define MPI_COMBINER_F90_REAL       15
#define MPI_COMBINER_F90_COMPLEX    16
#define MPI_COMBINER_F90_INTEGER    17
#define MPI_COMBINER_RESIZED        18
#define MPI_TYPECLASS_INTEGER       2
#define MPI_TYPECLASS_REAL          1
#define MPI_TYPECLASS_COMPLEX       3
#define MPI_DIST_GRAPH              3

/* ---- Functions of attributes and data representations ---- */

#define MPI_NULL_COPY_FN        ((MPI_Copy_function *)0)
#define MPI_DUP_FN              MPIR_Dup_fn
#define MPI_NULL_DELETE_FN      ((MPI_Delete_function *)0)
#define MPI_COMM_NULL_COPY_FN   ((MPI_Comm_copy_attr_function *)0)
#define MPI_COMM_DUP_FN         ((MPI_Comm_copy_attr_function *)MPIR_Dup_fn)
#define MPI_COMM_NULL_DELETE_FN ((MPI_Comm_delete_attr_function *)0)
#define MPI_TYPE_NULL_COPY_FN   ((MPI_Type_copy_attr_function *)0)
#define MPI_TYPE_DUP_FN         ((MPI_Type_copy_attr_function *)MPIR_Dup_fn)
#define MPI_TYPE_NULL_DELETE_FN ((MPI_Type_delete_attr_function *)0)
#define MPI_WIN_NULL_COPY_FN    ((MPI_Win_copy_attr_function *)0)
#define MPI_WIN_DUP_FN          ((MPI_Win_copy_attr_function *)MPIR_Dup_fn)
#define MPI_WIN_NULL_DELETE_FN  ((MPI_Win_delete_attr_function *)0)
#define MPI_CONVERSION_FN_NULL  ((MPI_Datarep_conversion_function *)0)

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
#define MPI_MODE_NOCHECK         1024
#define MPI_MODE_NOPRECEDE       8192
#define MPI_MODE_NOPUT           4096
#define MPI_MODE_NOSTORE         2048
#define MPI_MODE_NOSUCCEED       16384
#define MPI_LOCK_EXCLUSIVE       234
#define MPI_LOCK_SHARED          235
#define MPI_WIN_FLAVOR_CREATE    1
#define MPI_WIN_FLAVOR_ALLOCATE  2
#define MPI_WIN_FLAVOR_DYNAMIC   3
#define MPI_WIN_FLAVOR_SHARED    4
#define MPI_WIN_UNIFIED          2
#define MPI_WIN_SEPARATE         1
#define MPI_SEEK_CUR             602
#define MPI_SEEK_END             604
#define MPI_SEEK_SET             600
#define MPI_WIN_BASE             0x66000001
#define MPI_WIN_DISP_UNIT        0x66000005
#define MPI_WIN_SIZE             0x66000003
#define MPI_WIN_CREATE_FLAVOR    0x66000007
#define MPI_WIN_MODEL            0x66000009

/* ---- Other constants ---- */

#define MPI_F_STATUS_SIZE         5
#define MPI_F_SOURCE              2
#define MPI_F_TAG                 3
#define MPI_F_ERROR               4
#define MPI_ANY_SOURCE            (-2)
#define MPI_ANY_TAG               (-1)
#define MPI_PROC_NULL             (-1)
#define MPI_ROOT                  (-3)
#define MPI_UNDEFINED             (-32766)
#define MPI_THREAD_SINGLE         0
#define MPI_THREAD_FUNNELED       1
#define MPI_THREAD_SERIALIZED     2
#define MPI_THREAD_MULTIPLE       3
#define MPI_IDENT                 0
#define MPI_CONGRUENT             1
#define MPI_SIMILAR               2
#define MPI_UNEQUAL               3
#define MPI_CART                  2
#define MPI_GRAPH                 1
#define MPI_COMM_TYPE_SHARED      1
#define MPI_COMM_TYPE_HW_UNGUIDED 3
#define MPI_COMM_TYPE_HW_GUIDED   2
/* Not in MPICH 4.0, which ends with 4. */
#define MPI_COMM_TYPE_RESOURCE_GUIDED 5
#define MPI_KEYVAL_INVALID            0x24000000
#define MPI_TAG_UB                    0x64400001
#define MPI_IO                        0x64400005
#define MPI_HOST                      0x64400003
#define MPI_WTIME_IS_GLOBAL           0x64400007
#define MPI_APPNUM                    0x6440000d
#define MPI_LASTUSEDCODE              0x6440000b
#define MPI_UNIVERSE_SIZE             0x64400009

#include "mpi_functions.h"

/* A function of attributes that copies, and addresses that have a meaning, which are data. */
extern int MPIR_Dup_fn(MPI_Comm, int, void *, void *, void *, int *);
extern int *const MPI_UNWEIGHTED, *const MPI_WEIGHTS_EMPTY;
extern MPI_T_pvar_handle const MPI_T_PVAR_ALL_HANDLES;

/* In Fortran the keys of MPI's own attributes are one more than in C. */
#define MPI_F_KEYVAL(keyval) ((keyval) > MPI_TAG_UB ? ((keyval)-1) | 1 : (keyval))

#ifdef __cplusplus
}
#endif
#endif
