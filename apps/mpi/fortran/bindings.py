#!/usr/bin/env python3
"""bindings.py - generates the Fortran bindings of MPI from mpi.h.

    bindings.py FORM FILE POINTER COMPILER...

Writes FILE, depending on FORM: the C functions that Fortran calls (calls), mpif.h (mpif), or the
modules mpi and mpi_f08.  The input is mpi.h after preprocessing by COMPILER (a command that includes
the header).  C types determine how an argument is passed, and parameter names determine the rest.
POINTER is the size of an address in bytes.

A function of mpi.h gets two Fortran names: mpi_NAME_ for mpif.h and the module mpi, and mpi_NAME_f08_
for mpi_f08.  Both are the same C function: gfortran passes all arguments by reference, string lengths
after the others, and NULL for a missing optional argument.  An INTEGER is an int, a LOGICAL an int of
0 or 1, and a status has the same fields.  So only handles, strings, indices and special addresses
need code.  Functions with other arguments are written by hand in fortran_*.c; HAND lists them.
"""
import io
import re
import subprocess
import sys

REGISTER = ('const char *datarep, #Datarep_conversion_function{0} read_conversion_fn, '
            '#Datarep_conversion_function{0} write_conversion_fn, '
            '#Datarep_extent_function dtype_file_extent_fn, MPI_Aint extra')
# Functions written by hand in C, with the arguments that Fortran has instead of C's.
HAND = {
    'Init': '',
    'Init_thread': 'int required, int *provided',
    'Info_create_env': 'MPI_Info *info',
    'Info_get_string': None,
    'Buffer_detach': None, 'Buffer_detach_c': None,
    'Comm_detach_buffer': None, 'Comm_detach_buffer_c': None,
    'Session_detach_buffer': None, 'Session_detach_buffer_c': None,
    'Comm_spawn': None, 'Comm_spawn_multiple': None,
    'Op_create': None, 'Op_create_c': None,
    'Grequest_start': '#Grequest_query_function query_fn, #Grequest_free_function free_fn, '
                      '#Grequest_cancel_function cancel_fn, MPI_Aint extra, MPI_Request *request',
    'Register_datarep': REGISTER.format(''), 'Register_datarep_c': REGISTER.format('_c'),
    'Keyval_create': '#Copy_function copy_fn, #Delete_function delete_fn, int *keyval, int extra',
    'Attr_put': 'MPI_Comm comm, int keyval, int value',
    'Attr_get': 'MPI_Comm comm, int keyval, int *value, int *flag',
    'Errhandler_create': None,
    'Address': 'void *location, int *address',
    'Type_extent': 'MPI_Datatype datatype, int *extent',
    'Type_lb': 'MPI_Datatype datatype, int *lb',
    'Type_ub': 'MPI_Datatype datatype, int *ub',
    'Type_hvector': 'int count, int blocklength, int stride, MPI_Datatype oldtype, MPI_Datatype *newtype',
    'Type_hindexed': 'int count, int lengths[], int displacements[], MPI_Datatype oldtype, '
                     'MPI_Datatype *newtype',
    'Type_struct': 'int count, int lengths[], int displacements[], MPI_Datatype types[], '
                   'MPI_Datatype *newtype',
}
# Such functions of each kind of object that has attributes.
HAND_KINDS = {
    'create_keyval': '#{0}_copy_attr_function {2}_copy_attr_fn, '
                     '#{0}_delete_attr_function {2}_delete_attr_fn, int *keyval, MPI_Aint extra',
    'set_attr': '{1} handle, int keyval, MPI_Aint value',
    'get_attr': '{1} handle, int keyval, MPI_Aint *value, int *flag',
    'create_errhandler': None,
}
KINDS = {'Comm': 'MPI_Comm', 'Type': 'MPI_Datatype', 'Win': 'MPI_Win', 'File': 'MPI_File',
         'Session': 'MPI_Session'}
# Functions that only Fortran has.
ONLY_FORTRAN = {
    'Status_f2f08': 'MPI_Status *f_status, MPI_Status *f08_status',
    'Status_f082f': 'MPI_Status *f08_status, MPI_Status *f_status',
}
# Functions that Fortran does not have: the conversion functions of C, and those for tools; and
# MPI_Pcontrol(), which has no ierror (WITHOUT_ERROR).
NOT_THERE = re.compile(r'.*_(c2f|f2c|c2f08|f082c|f2f08|f082f|toint|fromint)$|T_|Pcontrol')

# Lists that are pointers in mpi.h: gcc warns of MPI_UNWEIGHTED as an array.
WEIGHTS = {'weights', 'sourceweights', 'destweights'}
LOGICALS = {'flag', 'is_set', 'commute', 'reorder', 'high', 'weighted', 'periods', 'remain'}
# The argument with the length of an array of handles, if it is not "count".
COUNTS = {'Type_get_contents': '*max_datatypes', 'Type_get_contents_c': '*max_datatypes'}
KEYWORDS = {'requests': 'array_of_requests', 'statuses': 'array_of_statuses',
            'indices': 'array_of_indices', 'lengths': 'array_of_blocklengths',
            'displacements': 'array_of_displacements', 'sizes': 'array_of_sizes',
            'subsizes': 'array_of_subsizes', 'starts': 'array_of_starts',
            'gsizes': 'array_of_gsizes', 'distribs': 'array_of_distribs', 'dargs': 'array_of_dargs',
            'psizes': 'array_of_psizes', 'ints': 'array_of_integers',
            'addresses': 'array_of_addresses', 'argvs': 'array_of_argv',
            'commands': 'array_of_commands', 'infos': 'array_of_info',
            'errcodes': 'array_of_errcodes', 'extra': 'extra_state', 'value': 'attribute_val',
            'remain': 'remain_dims', 'max': 'maxneighbors', 'displacement': 'disp',
            'service': 'service_name', 'port': 'port_name'}
KEYWORDS_OF = {('Type_create_struct', 'types'): 'array_of_types',
               ('Cart_shift', 'source'): 'rank_source', ('Cart_shift', 'dest'): 'rank_dest',
               ('Comm_spawn_multiple', 'maxprocs'): 'array_of_maxprocs',
               ('Op_create', 'function'): 'user_fn', ('Op_create_c', 'function'): 'user_fn',
               ('Comm_set_name', 'name'): 'comm_name', ('Comm_get_name', 'name'): 'comm_name',
               ('Type_set_name', 'name'): 'type_name', ('Type_get_name', 'name'): 'type_name',
               ('Win_set_name', 'name'): 'win_name', ('Win_get_name', 'name'): 'win_name',
               ('Info_get', 'value'): 'value', ('Info_set', 'value'): 'value',
               ('Info_get_string', 'value'): 'value'}


class Argument:
    """A parameter. type: without const and asterisks; stars: asterisks and brackets."""

    def __init__(self, text, function):
        self.text = text
        declared = re.match(r'(const )?(#?[\w ]+?) ?(\**) ?(\w+)((?:\[\w*\])*)$', text.strip())
        if not declared:
            sys.exit('bindings.py: %s: cannot read the argument "%s"' % (function, text))
        const, self.type, stars, self.name, brackets = declared.groups()
        self.const = bool(const)
        self.array = bool(brackets) and (self.type != 'char' or bool(stars)) or self.name in WEIGHTS
        self.pairs = '[3]' in brackets
        self.stars = len(stars) + brackets.count('[')
        self.handle = self.type.startswith('MPI_') and self.type[4:] in HANDLES
        self.status = self.type == 'MPI_Status'
        self.derived = self.status and self.name != 'f_status'  # a derived type in mpi_f08
        self.buffer = self.type == 'void' and self.stars == 1
        self.text_in = self.type == 'char' and self.stars == 1 and self.const
        self.text_out = self.type == 'char' and self.stars == 1 and not self.const
        self.texts = self.type == 'char' and self.stars > 1
        self.function = self.type.startswith('#') or self.type.endswith(('_function', '_function_c'))
        # The index of a request, which starts from 1 in Fortran.
        self.index = self.name in ('index', 'indices') and not self.const and (
            'any' in function or 'some' in function)

    def keyword(self, function):
        for name in (function, re.sub('_c$', '', function)):
            if (name, self.name) in KEYWORDS_OF:
                return KEYWORDS_OF[name, self.name]
        if self.name == 'length' and self.stars:
            return 'resultlen'
        if self.function and 'errhandler' in self.type:
            return self.type[4:].replace('_function', '_fn').lower()
        if self.name in ('keyval', 'handle') and function.split('_')[0] in KINDS:
            kind = function.split('_')[0].lower()
            return kind + '_keyval' if self.name == 'keyval' else \
                {'type': 'datatype', 'comm': 'comm', 'win': 'win'}[kind]
        return KEYWORDS.get(self.name, self.name)


def arguments(text, function):
    text = re.sub(r'\s+', ' ', text).strip()
    return [] if text in ('', 'void') else [Argument(a, function) for a in text.split(',')]


def read_functions(source):
    """Returns a dictionary: name -> (type of the result, arguments in Fortran)."""
    found = {}
    for result, name, text in re.findall(r'(?<!typedef )\b(int|double|MPI_Aint) MPI_(\w+) ?\(([^;]*)\);', source):
        if NOT_THERE.match(name):
            continue
        kind, _, verb = name.partition('_')
        other = HAND.get(name)
        if verb in HAND_KINDS and kind in KINDS and HAND_KINDS[verb]:
            other = HAND_KINDS[verb].format(kind, KINDS[kind], kind.lower())
        text = text if other is None else other
        # An object without a Fortran handle so far.
        if any(t[4:] not in HANDLES for t in set(re.findall(r'MPI_\w+', text)) & set(OBJECTS)):
            continue
        found[name] = result, arguments(text, name)
    for name, text in ONLY_FORTRAN.items():
        found[name] = 'int', arguments(text, name)
    return found


def by_hand(name):
    kind, _, verb = name.partition('_')
    return name in HAND or name in ONLY_FORTRAN or (verb in HAND_KINDS and kind in KINDS)


# ---- the functions in C -------------------------------------------------------------------------

def c_type(a):
    if a.buffer or a.function:
        return 'void *'
    if a.type == 'char':
        return 'char *'
    if a.handle:
        return 'MPI_Fint *'
    return a.type + ' *'


class Call:
    """The statements of a wrapper before and after the call, and the arguments that it passes."""

    def __init__(self, name, args):
        self.name, self.before, self.passed, self.after = name, [], [], []
        self.args = args
        for a in args:
            self.pass_argument(a)

    def length_of(self, a):
        if self.name in COUNTS:
            return COUNTS[self.name]
        if a.name in ('sendtypes', 'recvtypes'):
            if 'eighbor' in self.name:
                return 'fortran_neighbors(%d, *comm)' % (a.name == 'sendtypes')
            return 'fortran_members(%s, *comm)' % ('sendbuf' if a.name == 'sendtypes' else 'NULL')
        return '*incount' if self.name.endswith('some') else '*count'

    def pass_handle(self, a):
        kind = a.type[4:].replace('Datatype', 'Type')
        if a.stars == 0:
            self.passed.append('PMPI_%s_f2c(*%s)' % (kind, a.name))
        elif not a.array:
            self.before.append('%s %s_c = PMPI_%s_f2c(*%s);' % (a.type, a.name, kind, a.name))
            self.passed.append('&%s_c' % a.name)
            self.after.append('*%s = PMPI_%s_c2f(%s_c);' % (a.name, kind, a.name))
        else:
            n = self.length_of(a)
            self.before.append('int %s_n = (int)%s;' % (a.name, n))
            self.before.append('%s *%s_c = fortran_%s_list(%s_n, %s);'
                               % (a.type, a.name, kind, a.name, a.name))
            self.passed.append('%s_c' % a.name)
            if not a.const:
                self.after.append('fortran_%s_back(%s_n, %s, %s_c);' % (kind, a.name, a.name, a.name))
            self.after.append('free(%s_c);' % a.name)

    def pass_argument(self, a):
        if a.handle:
            self.pass_handle(a)
        elif a.status:
            self.passed.append(('fortran_statuses(%s)' if a.array else 'fortran_status(%s)') % a.name)
        elif a.buffer:
            self.passed.append('fortran_buffer(%s)' % a.name)
        elif a.text_in:
            form = 'name' if re.search('_set_name|_error_string', self.name) else 'text'
            self.before.append('char *%s_c = fortran_%s(%s, %s_length);' % (a.name, form, a.name, a.name))
            self.passed.append('%s_c' % a.name)
            self.after.append('free(%s_c);' % a.name)
        elif a.text_out:
            room = '*valuelen' if self.name == 'Info_get' else '0'
            self.before.append('char *%s_c = fortran_room(%s_length, %s);' % (a.name, a.name, room))
            self.passed.append('%s_c' % a.name)
            given = ' && *flag' if self.name == 'Info_get' else ''
            self.after.append('fortran_fill(%s, %s_length, %s_c, returned == MPI_SUCCESS%s);'
                              % (a.name, a.name, a.name, given))
        elif a.name in WEIGHTS:
            self.passed.append('fortran_weights(%s)' % a.name)
        elif a.pairs:
            self.passed.append('(int(*)[3])%s' % a.name)
        else:
            self.passed.append(a.name if a.stars else '*' + a.name)
        if a.index: # a call that fails stores no indices
            self.before.append('*outcount = 0;' if a.array else '*%s = MPI_UNDEFINED;' % a.name)
        if a.index and not a.array:
            self.after.append('fortran_indices(1, %s);' % a.name)
        elif a.index:
            self.after.append('fortran_indices(*outcount, %s);' % a.name)


def parameters(args, result):
    words = ['%s%s' % (c_type(a), a.name) for a in args]
    if result == 'int':
        words.append('MPI_Fint *ierror')
    words += ['size_t %s_length' % a.name for a in args if a.type == 'char']
    return ', '.join(words) or 'void'


def write_calls(functions, out):
    out.write('/* Made by bindings.py. */\n#include "fortran/fortran.h"\n')
    for name, (result, args) in functions.items():
        lower = name.lower()
        if by_hand(name):
            continue
        call = Call(name, args)
        only_abi = name.startswith('Abi_')  # other bindings have no such functions
        out.write('\n#ifdef MPI_ABI_VERSION' if only_abi else '')
        out.write('\nFORTRAN_CALL(%s, %s, (%s))\n{\n'
                  % ('void' if result == 'int' else result, lower, parameters(args, result)))
        for line in call.before:
            out.write('    %s\n' % line)
        made = 'PMPI_%s(%s)' % (name, ', '.join(call.passed))
        if result != 'int':
            out.write('    return %s;\n}\n' % made)
            continue
        out.write('    int returned = %s;\n' % made)
        for line in call.after:
            out.write('    %s\n' % line)
        out.write('    fortran_error(ierror, returned);\n}\n')
        out.write('#endif\n' if only_abi else '')


# ---- constants ----------------------------------------------------------------------------------

def constants(source):
    """Returns [(name, value, type)]; type: None (an integer), that of a handle, or a kind."""
    found, values = [], {}
    for name, text in re.findall(r'^#define (MPI_\w+) (.+)$', source, re.M):
        handle = re.match(r'\(\((MPI_\w+)\)(-?\w+)\)$', text)
        plain = re.match(r'\(?(-?\w+)\)?$', text)
        if handle and handle[1][4:] in OBJECTS_NAMES:
            values[name] = int(handle[2], 0), handle[1]
        elif handle and handle[1] == 'MPI_Offset':
            values[name] = int(handle[2], 0), 'MPI_OFFSET_KIND'
        elif plain and re.match(r'-?\d', plain[1]):
            values[name] = int(plain[1], 0), None
        elif plain and plain[1].startswith('MPI_'):
            values[name] = plain[1]
    for name, value in values.items():
        while isinstance(value, str) and value in values:
            value = values[value]
        if isinstance(value, str) or name.startswith('MPI_F_'):
            continue
        # Fortran strings are not zero-terminated.
        string = re.match(r'MPI_MAX_|MPI_MAX_STRINGTAG', name)
        found.append((name, value[0] - bool(string), value[1]))
    return found


def fixed_constants(pointer):
    return [('MPI_ADDRESS_KIND', pointer), ('MPI_OFFSET_KIND', 8), ('MPI_COUNT_KIND', 8),
            ('MPI_INTEGER_KIND', 4), ('MPI_STATUS_SIZE', 8), ('MPI_SOURCE', 1), ('MPI_TAG', 2),
            ('MPI_ERROR', 3)]


# Special addresses such as MPI_BOTTOM are variables in common blocks, which C accesses by name.
SENTINELS = [('MPI_BOTTOM', 'bottom', 'integer', ''), ('MPI_IN_PLACE', 'in_place', 'integer', ''),
             ('MPI_BUFFER_AUTOMATIC', 'buffer_automatic', 'integer', ''),
             ('MPI_ARGV_NULL', 'argv_null', 'character*1', '(1)'),
             ('MPI_ARGVS_NULL', 'argvs_null', 'character*1', '(1,1)'),
             ('MPI_ERRCODES_IGNORE', 'errcodes_ignore', 'integer', '(1)'),
             ('MPI_UNWEIGHTED', 'unweighted', 'integer', '(1)'),
             ('MPI_WEIGHTS_EMPTY', 'weights_empty', 'integer', '(1)')]
STATUS_SENTINELS = [('MPI_STATUS_IGNORE', 'status_ignore', ''),
                    ('MPI_STATUSES_IGNORE', 'statuses_ignore', '(1)')]
NULL_FUNCTIONS = ['MPI_NULL_COPY_FN', 'MPI_DUP_FN', 'MPI_NULL_DELETE_FN', 'MPI_CONVERSION_FN_NULL'] + [
    'MPI_%s_%s' % (kind, what) for kind in ('COMM', 'TYPE', 'WIN')
    for what in ('NULL_COPY_FN', 'DUP_FN', 'NULL_DELETE_FN')]


def write_constants(source, pointer, out, derived):
    """Formats lines of mpif.h, which are valid in fixed and free source form: columns 7 to 72."""
    line = lambda text: out.write('      %s\n' % text)
    for name, value in fixed_constants(pointer):
        line('integer, parameter :: %s=%d' % (name, value))
    for name in ('MPI_SUBARRAYS_SUPPORTED', 'MPI_ASYNC_PROTECTS_NONBLOCKING'):
        line('logical %s' % name)
        line('parameter (%s=.false.)' % name)
    for name, value, kind in constants(source):
        if kind == 'MPI_OFFSET_KIND':
            line('integer(kind=MPI_OFFSET_KIND) %s' % name)
            line('parameter (%s=%d)' % (name, value))
        elif kind and derived:
            line('type(%s), parameter :: %s=%s(%d)' % (kind, name, kind, value))
        else:
            line('integer %s' % name)
            line('parameter (%s=%d)' % (name, value))
    for name, common, kind, shape in SENTINELS:
        line('%s %s%s' % (kind, name, shape))
        line('common /mpi_fortran_%s/ %s' % (common, name))
    for name, common, shape in STATUS_SENTINELS:
        if derived:
            line('type(MPI_Status) :: %s%s' % (name, shape))
        else:
            line('integer %s(MPI_STATUS_SIZE%s)' % (name, ',1' if shape else ''))
        line('common /mpi_fortran_%s/ %s' % (common, name))


def write_mpif(source, functions, pointer, out):
    out.write('! mpif.h of hnow, made by bindings.py for fixed and free source form.\n')
    write_constants(source, pointer, out, False)
    for name in NULL_FUNCTIONS:
        out.write('      external %s\n' % name)
    for name, (result, _) in functions.items():
        if result == 'int':
            continue
        kind = 'double precision' if result == 'double' else 'integer(kind=MPI_ADDRESS_KIND)'
        for prefix in ('MPI_', 'PMPI_'):
            out.write('      %s %s%s\n' % (kind, prefix, name))
            out.write('      external %s%s\n' % (prefix, name))


# ---- modules ------------------------------------------------------------------------------------

C_POINTER = '''use, intrinsic :: iso_c_binding, only: c_ptr
implicit none
public
private :: c_ptr
'''
KINDS_OF = {'MPI_Aint': 'MPI_ADDRESS_KIND', 'MPI_Count': 'MPI_COUNT_KIND',
            'MPI_Offset': 'MPI_OFFSET_KIND'}


def fortran_type(a, name, f08):
    if a.function:
        kind = a.type.lstrip('#')
        kind = kind if kind.startswith('MPI_') else 'MPI_' + kind
        old = kind in ('MPI_Copy_function', 'MPI_Delete_function')
        return 'procedure(%s)' % kind if f08 and not old else 'external'
    if a.type == 'char':
        return 'character(len=*)'
    if a.status:
        return 'type(MPI_Status)' if f08 and a.derived else 'integer'
    if a.handle:
        return 'type(%s)' % a.type if f08 else 'integer'
    if a.buffer:
        if 'detach' in name and 'uffer' in name and f08:
            return 'type(c_ptr)'
        if a.name == 'baseptr': # void * in C; an address in an integer, or a pointer, in Fortran
            return 'type(c_ptr)' if f08 else 'integer(kind=MPI_ADDRESS_KIND)'
        return 'type(*)'
    if a.name in LOGICALS:
        return 'logical'
    return 'integer(kind=%s)' % KINDS_OF[a.type] if a.type in KINDS_OF else 'integer'


def shape(a, kind, f08):
    if a.status and not (f08 and a.derived):
        return '(MPI_STATUS_SIZE%s)' % (',*' if a.array else '')
    if kind == 'type(*)':
        return '(*)'
    if a.texts:
        return '(count,*)' if a.stars > 2 else '(*)'
    return '(3,*)' if a.pairs else '(*)' if a.array and not a.function else ''


def write_interface(name, procedure, result, args, f08, out):
    keywords = [a.keyword(name) for a in args]
    listed = keywords + (['ierror'] if result == 'int' else [])
    kind = {'int': 'subroutine', 'double': 'double precision function',
            'MPI_Aint': 'integer(kind=MPI_ADDRESS_KIND) function'}[result]
    out.write('%s %s(%s)\n' % (kind, procedure, ', &\n'.join(listed)))
    if result != 'double':
        out.write('import\n')
    declared = sorted(zip(args, keywords), key=lambda x: x[0].name != 'count')
    for a, keyword in declared:
        ftype = fortran_type(a, name, f08)
        if ftype == 'external':
            out.write('external :: %s\n' % keyword)
            continue
        if ftype.startswith('procedure'):
            out.write('%s :: %s\n' % (ftype, keyword))
            continue
        intent = ', intent(in)' if f08 and (a.stars == 0 or a.const) else ''
        if ftype == 'type(*)':
            out.write('!GCC$ ATTRIBUTES NO_ARG_CHECK :: %s\n' % keyword)
            if f08 and re.match('I|.*_init|.*_begin', name):
                intent += ', asynchronous'
        out.write('%s%s :: %s%s\n' % (ftype, intent, keyword, shape(a, ftype, f08)))
    if result == 'int':
        out.write('integer%s :: ierror\n' % (', optional, intent(out)' if f08 else ''))
    out.write('end %s\n' % kind.split()[-1])


def same_in_fortran(a, b):
    """Whether two specific procedures of a generic interface are ambiguous."""
    def types(args):
        # Kinds of the same size are equal, and procedures do not distinguish interfaces.
        return [(fortran_type(x, '', True).replace('COUNT_KIND', 'ADDRESS_KIND'), x.stars > 0)
                if not x.function else None for x in args]
    return types(a) == types(b)


def write_mpi(source, functions, pointer, out):
    out.write('! The module mpi of hnow, made by bindings.py.\nmodule mpi\n' + C_POINTER)
    write_constants(source, pointer, out, False)
    out.write('external :: %s\n' % ', &\n'.join(NULL_FUNCTIONS))
    out.write('interface\n')
    for name, (result, args) in functions.items():
        if name.endswith('_c'):
            continue
        for prefix in ('MPI_', 'PMPI_'):
            write_interface(name, prefix + name, result, args, False, out)
            if 'integer(kind=MPI_ADDRESS_KIND)' in [fortran_type(a, name, False) for a in args if a.buffer]:
                write_pointer_form(name, prefix + name, result, args, out)
    out.write(WITHOUT_ERROR + 'end interface\nend module\n')


def write_pointer_form(name, procedure, result, args, out):
    """Returns a second interface of a call, in which an address is a C pointer."""
    text = io.StringIO()
    write_interface(name, procedure + '_cptr', result, args, False, text)
    out.write('end interface\ninterface %s\nprocedure :: %s\n' % (procedure, procedure))
    out.write(re.sub(r'(?s)\)\n', ') bind(C, name="%s_")\n' % procedure.lower(), text.getvalue(), count=1)
              .replace('integer(kind=MPI_ADDRESS_KIND) :: base', 'type(c_ptr) :: base'))
    out.write('end interface\ninterface\n')


# Interfaces of procedures without ierror, and of MPI_Sizeof().  gfortran passes a descriptor for
# arrays of assumed type and rank, which has the element size.
WITHOUT_ERROR = ''.join('''subroutine %sPcontrol(level)
integer, intent(in) :: level
end subroutine
subroutine %sF_sync_reg(buf)
type(*), asynchronous :: buf(..)
end subroutine
''' % (prefix, prefix) for prefix in ('MPI_', 'PMPI_')) + '''subroutine MPI_Sizeof(x, size, ierror) bind(C, name="mpi_sizeof_any")
type(*) :: x(..)
integer, intent(out) :: size
integer, intent(out), optional :: ierror
end subroutine
'''


def write_f08(source, functions, pointer, out, callbacks):
    out.write('! The module mpi_f08 of hnow, made by bindings.py.\nmodule mpi_f08\n' + C_POINTER)
    for kind in OBJECTS:
        out.write('type, bind(C) :: %s\ninteger :: MPI_VAL\nend type\n' % kind)
    out.write('type, bind(C) :: MPI_Status\ninteger :: MPI_SOURCE, MPI_TAG, MPI_ERROR\n'
              'integer, private :: inner(5)\nend type\n')
    write_constants(source, pointer, out, True)
    out.write(callbacks)
    for sign, verb in (('==', 'eq'), ('/=', 'ne')):
        out.write('interface operator(%s)\n' % sign)
        for kind in OBJECTS:
            out.write('logical function %s_%s(a, b)\nimport\ntype(%s), intent(in) :: a, b\n'
                      'end function\n' % (kind, verb, kind))
        out.write('end interface\n')
    for name, (result, args) in functions.items():
        large = name.endswith('_c') and name[:-2] in functions
        if large and not same_in_fortran(args, functions[name[:-2]][1]):
            continue
        for prefix in ('MPI_', 'PMPI_'):
            out.write('interface %s%s\n' % (prefix, name))
            write_interface(name, '%s%s_f08' % (prefix, name), result, args, True, out)
            both = functions.get(name + '_c')
            if both and not same_in_fortran(args, both[1]):
                write_interface(name + '_c', '%s%s_c_f08' % (prefix, name), both[0], both[1], True, out)
            out.write('end interface\n')
    out.write('interface\n' + WITHOUT_ERROR + 'end interface\n')
    out.write('end module\n')


def main():
    global OBJECTS, OBJECTS_NAMES, HANDLES
    form, path, pointer, *compiler = sys.argv[1:]
    callbacks = ''
    if form == 'mpi_f08':
        with open(compiler.pop(0), encoding='ascii') as file:
            callbacks = file.read()
    run = lambda *options: subprocess.run(compiler + list(options), check=True, text=True,
                                          stdout=subprocess.PIPE).stdout
    source, macros = run('-E', '-P'), run('-E', '-dM')
    OBJECTS = sorted(set(re.findall(r'typedef struct MPI_ABI_\w+ \*(MPI_\w+);', source)))
    OBJECTS_NAMES = [o[4:] for o in OBJECTS]
    HANDLES = [o[4:] for o in OBJECTS
               if re.search(r'\bMPI_%s_f2c\b' % o[4:].replace('Datatype', 'Type'), source)]
    functions = read_functions(source)
    with open(path, 'w', encoding='ascii') as out:
        if form == 'calls':
            write_calls(functions, out)
        elif form == 'mpif':
            write_mpif(macros, functions, int(pointer), out)
        elif form == 'mpi':
            write_mpi(macros, functions, int(pointer), out)
        else:
            write_f08(macros, functions, int(pointer), out, callbacks)


main()
