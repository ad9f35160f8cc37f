/* mpi_message_forms.h - the calls with counts in one of two forms; mpi_message_calls.c includes
 * this file twice.  MPI_N: a count. */

#define SEND_FORMS(Blocking, Nonblocking, Persistent, mode)                                        \
    MPI_DEFINE(int, MPI_F(Blocking), (MPI_ARGS_SEND))                                              \
    {                                                                                              \
        struct message_call m;                                                                     \
        int error = message_parse(&m, buf, count, datatype, dest, tag, comm, false, MPI_CALL);     \
        return error == MPI_SUCCESS ? message_send(&m, mode, MPI_CALL) : error;                    \
    }                                                                                              \
    MPI_DEFINE(int, MPI_F(Nonblocking), (MPI_ARGS_SEND, MPI_Request * request))                    \
    {                                                                                              \
        struct message_call m;                                                                     \
        int error = message_parse(&m, buf, count, datatype, dest, tag, comm, false, MPI_CALL);     \
        return error == MPI_SUCCESS ? message_start_send(&m, mode, request, MPI_CALL) : error;     \
    }                                                                                              \
    MPI_DEFINE(int, MPI_F(Persistent), (MPI_ARGS_SEND, MPI_Request * request))                     \
    {                                                                                              \
        struct message_call m;                                                                     \
        int error = message_parse(&m, buf, count, datatype, dest, tag, comm, false, MPI_CALL);     \
        return error == MPI_SUCCESS ? message_prepare_send(&m, mode, request, MPI_CALL) : error;   \
    }

/* The four modes of MPI 4.1, 3.4, each blocking, nonblocking and persistent. */
SEND_FORMS(Send, Isend, Send_init, SEND_STANDARD)
SEND_FORMS(Bsend, Ibsend, Bsend_init, SEND_BUFFERED)
SEND_FORMS(Ssend, Issend, Ssend_init, SEND_SYNCHRONOUS)
SEND_FORMS(Rsend, Irsend, Rsend_init, SEND_READY)
#undef SEND_FORMS

MPI_DEFINE(int, MPI_F(Recv), (MPI_ARGS_RECV, MPI_Status *status))
{
    struct message_call m;
    int error = message_parse(&m, buf, count, datatype, source, tag, comm, true, MPI_CALL);

    return error == MPI_SUCCESS ? message_receive(&m, status, MPI_CALL) : error;
}

MPI_DEFINE(int, MPI_F(Irecv), (MPI_ARGS_RECV, MPI_Request *request))
{
    struct message_call m;
    int error = message_parse(&m, buf, count, datatype, source, tag, comm, true, MPI_CALL);

    return error == MPI_SUCCESS ? message_start_receive(&m, request, MPI_CALL) : error;
}

MPI_DEFINE(int, MPI_F(Recv_init), (MPI_ARGS_RECV, MPI_Request *request))
{
    struct message_call m;
    int error = message_parse(&m, buf, count, datatype, source, tag, comm, true, MPI_CALL);

    return error == MPI_SUCCESS ? message_prepare_receive(&m, request, MPI_CALL) : error;
}

MPI_DEFINE(int, MPI_F(Mrecv), (MPI_ARGS_MATCHED, MPI_Status *status))
{
    return receive_now(message, buf, count, datatype, status, MPI_CALL);
}

MPI_DEFINE(int, MPI_F(Imrecv), (MPI_ARGS_MATCHED, MPI_Request *request))
{
    return start_receive_taken(message, buf, count, datatype, request, MPI_CALL);
}

MPI_DEFINE(int, MPI_F(Sendrecv), (MPI_ARGS_SENDRECV, MPI_Status *status))
{
    struct message_call out, in;
    int error =
        message_parse(&out, sendbuf, sendcount, sendtype, dest, sendtag, comm, false, MPI_CALL);

    if (error == MPI_SUCCESS)
        error =
            message_parse(&in, recvbuf, recvcount, recvtype, source, recvtag, comm, true, MPI_CALL);
    return error == MPI_SUCCESS ? exchange(&out, &in, status, MPI_CALL) : error;
}

/* New in MPI 4.0. Both argument lists are checked before anything is sent. */
MPI_DEFINE(int, MPI_F(Isendrecv), (MPI_ARGS_SENDRECV, MPI_Request *request))
{
    struct message_call out, in;
    int error =
        message_parse(&out, sendbuf, sendcount, sendtype, dest, sendtag, comm, false, MPI_CALL);

    if (error == MPI_SUCCESS)
        error =
            message_parse(&in, recvbuf, recvcount, recvtype, source, recvtag, comm, true, MPI_CALL);
    return error == MPI_SUCCESS ? start_exchange(&out, &in, request, MPI_CALL) : error;
}

/* The buffer may be overwritten as soon as hn_send() has returned. */
MPI_DEFINE(int, MPI_F(Sendrecv_replace), (MPI_ARGS_REPLACE, MPI_Status *status))
{
    struct message_call out, in;
    int error = message_parse(&out, buf, count, datatype, dest, sendtag, comm, false, MPI_CALL);

    if (error == MPI_SUCCESS)
        error = message_parse(&in, buf, count, datatype, source, recvtag, comm, true, MPI_CALL);
    if (error == MPI_SUCCESS)
        error = message_send(&out, SEND_STANDARD, MPI_CALL);
    return error == MPI_SUCCESS ? message_receive(&in, status, MPI_CALL) : error;
}

/* So the send comes first here, unlike in MPI_Sendrecv(), and no copy of the buffer is needed. */
MPI_DEFINE(int, MPI_F(Isendrecv_replace), (MPI_ARGS_REPLACE, MPI_Request *request))
{
    struct message_call out, in;
    int error = message_parse(&out, buf, count, datatype, dest, sendtag, comm, false, MPI_CALL);

    if (error == MPI_SUCCESS)
        error = message_parse(&in, buf, count, datatype, source, recvtag, comm, true, MPI_CALL);
    if (error == MPI_SUCCESS)
        error = message_send(&out, SEND_STANDARD, MPI_CALL);
    return error == MPI_SUCCESS ? message_start_receive(&in, request, MPI_CALL) : error;
}

#define COUNT_CALL(Name, elements)                                                                 \
    MPI_DEFINE(int, MPI_F(Name), (const MPI_Status *status, MPI_Datatype datatype, MPI_N *count))  \
    {                                                                                              \
        return answer_count(status, datatype, elements, COUNTS(count), MPI_CALL);                  \
    }

COUNT_CALL(Get_count, whole_elements)
COUNT_CALL(Get_elements, basic_elements)
#undef COUNT_CALL

MPI_DEFINE(int, MPI_F(Status_set_elements),
           (MPI_Status * status, MPI_Datatype datatype, MPI_N count))
{
    return set_elements(status, datatype, count, MPI_CALL);
}
