/* mpi_message_forms.h - the calls with counts in one of two forms; mpi_message_calls.c includes
 * this file twice. MPI_N: a count. The argument lists are those of mpi_arguments.h, whose names
 * (buf, count, dest ...) the macros below rely on. A call parses its arguments and passes them
 * on, so that the forms cannot differ in anything but the width of counts. */

/* Defines a call about one message: what it does with the checked arguments m. */
#define MESSAGE_CALL(Name, args, peer, receiving, action)                                          \
    MPI_DEFINE(int, MPI_F(Name), args)                                                             \
    {                                                                                              \
        struct message_call m;                                                                     \
        int error = message_parse(&m, buf, count, datatype, peer, tag, comm, receiving, MPI_CALL); \
        return error == MPI_SUCCESS ? action : error;                                              \
    }
#define SEND_CALLS(Blocking, Nonblocking, Persistent, mode)                                        \
    MESSAGE_CALL(Blocking, (MPI_ARGS_SEND), dest, false, message_send(&m, mode, MPI_CALL))         \
    MESSAGE_CALL(Nonblocking, (MPI_ARGS_SEND, MPI_Request * request), dest, false,                 \
                 message_start_send(&m, mode, request, MPI_CALL))                                  \
    MESSAGE_CALL(Persistent, (MPI_ARGS_SEND, MPI_Request * request), dest, false,                  \
                 message_prepare_send(&m, mode, request, MPI_CALL))

/* Four modes, three kinds each: MPI 4.1, 3.4, 3.7 and 3.9. */
SEND_CALLS(Send, Isend, Send_init, SEND_STANDARD)
SEND_CALLS(Bsend, Ibsend, Bsend_init, SEND_BUFFERED)
SEND_CALLS(Ssend, Issend, Ssend_init, SEND_SYNCHRONOUS)
SEND_CALLS(Rsend, Irsend, Rsend_init, SEND_READY)
MESSAGE_CALL(Recv, (MPI_ARGS_RECV, MPI_Status *status), source, true,
             message_receive(&m, status, MPI_CALL))
MESSAGE_CALL(Irecv, (MPI_ARGS_RECV, MPI_Request *request), source, true,
             message_start_receive(&m, request, MPI_CALL))
MESSAGE_CALL(Recv_init, (MPI_ARGS_RECV, MPI_Request *request), source, true,
             message_prepare_receive(&m, request, MPI_CALL))
#undef SEND_CALLS
#undef MESSAGE_CALL

/* A matched message has its communicator and needs no parsing (MPI 4.1, 3.8.3). */
MPI_DEFINE(int, MPI_F(Mrecv), (MPI_ARGS_MATCHED, MPI_Status *status))
{
    return receive_now(message, buf, count, datatype, status, MPI_CALL);
}

MPI_DEFINE(int, MPI_F(Imrecv), (MPI_ARGS_MATCHED, MPI_Request *request))
{
    return start_receive_taken(message, buf, count, datatype, request, MPI_CALL);
}

/* Defines a call that sends one message and receives another one; `sent` and `received` are their
 * buffers, counts and types. */
#define EXCHANGE_CALL(Name, args, sent, received, action)                                          \
    MPI_DEFINE(int, MPI_F(Name), args)                                                             \
    {                                                                                              \
        struct message_call out, in;                                                               \
        int error = message_parse(&out, sent, dest, sendtag, comm, false, MPI_CALL);               \
        if (error == MPI_SUCCESS)                                                                  \
            error = message_parse(&in, received, source, recvtag, comm, true, MPI_CALL);           \
        return error == MPI_SUCCESS ? action : error;                                              \
    }
#define SENT     sendbuf, sendcount, sendtype
#define RECEIVED recvbuf, recvcount, recvtype
#define REPLACED buf, count, datatype

/* Both messages are parsed before either is started: an error leaves nothing in progress. */
EXCHANGE_CALL(Sendrecv, (MPI_ARGS_SENDRECV, MPI_Status *status), SENT, RECEIVED,
              exchange(&out, &in, status, MPI_CALL))
EXCHANGE_CALL(Isendrecv, (MPI_ARGS_SENDRECV, MPI_Request *request), SENT, RECEIVED,
              start_exchange(&out, &in, request, MPI_CALL))
/* One buffer for both: it is sent, and thereby copied, before it is received into. */
EXCHANGE_CALL(Sendrecv_replace, (MPI_ARGS_REPLACE, MPI_Status *status), REPLACED, REPLACED,
              sent_first(&out, MPI_CALL, &error) ? message_receive(&in, status, MPI_CALL) : error)
EXCHANGE_CALL(Isendrecv_replace, (MPI_ARGS_REPLACE, MPI_Request *request), REPLACED, REPLACED,
              sent_first(&out, MPI_CALL, &error) ? message_start_receive(&in, request, MPI_CALL)
                                                 : error)
#undef EXCHANGE_CALL
#undef SENT
#undef RECEIVED
#undef REPLACED

#define COUNT_CALL(Name, elements)                                                                 \
    MPI_DEFINE(int, MPI_F(Name), (const MPI_Status *status, MPI_Datatype datatype, MPI_N *count))  \
    {                                                                                              \
        return answer_count(status, datatype, elements, COUNTS(count), MPI_CALL);                  \
    }

/* MPI 4.1, 3.2.5 and 5.1.11. */
COUNT_CALL(Get_count, whole_elements)
COUNT_CALL(Get_elements, basic_elements)
#undef COUNT_CALL

MPI_DEFINE(int, MPI_F(Status_set_elements),
           (MPI_Status * status, MPI_Datatype datatype, MPI_N count))
{
    return set_elements(status, datatype, count, MPI_CALL);
}
