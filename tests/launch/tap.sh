# tap.sh - what the launch tests share: cases in TAP, a job's outcome, and sshd on loopback ports.
# Sourced by bash scripts.  A case is one run of hrun and what must be true of it.

BUILD=${HNOW_BUILD:-$(cd "$(dirname "$0")/../.." && pwd)/build}
HRUN=$BUILD/hrun
TASK=$BUILD/tests/launch/launch_task
WORK=$(mktemp -d "${TMPDIR:-/tmp}/launch.XXXXXX")
CASES=0
# Only by the script itself: a child that a signal ends before it has become its command would run
# the trap, too, and take the directory away from under the script (seen with finish's guard).
trap '[ "$BASHPID" = $$ ] && { end_sshd; rm -rf "$WORK"; }' EXIT
cd "$WORK" || exit 1
mkfifo never

ok() { # ok NAME CONDITION...   the condition is a command
  local name=$1
  shift
  CASES=$((CASES + 1))
  if "$@"; then
    echo "ok $CASES - $name"
  else
    echo "not ok $CASES - $name"
    sed 's/^/# out: /' "$WORK/out" | head -20
    sed 's/^/# err: /' "$WORK/err" | head -20
    echo "# status: $STATUS, condition: $*" | head -c 1000
    echo
  fi
}

skip() { # skip NAME WHY
  CASES=$((CASES + 1))
  echo "ok $CASES - $1 # SKIP $2"
}

has_program() { # has_program PROGRAM NAME   else the case NAME is skipped
  [ -x "$(command -v "$1")" ] && return
  skip "$2" "$1 is not installed"
  return 1
}

launcher() { # launcher NAME TEXT   makes a script for hrun -launcher
  printf '#!/bin/sh\n%s\n' "$2" >"$1"
  chmod +x "$1"
}

plan() {
  echo "1..$CASES"
}

# Runs a command to its end, at most 5 minutes; $STATUS, $WORK/out and $WORK/err tell what came of it.
run() {
  timeout -k 5 300 "$@" >"$WORK/out" 2>"$WORK/err" </dev/null
  STATUS=$?
}

# Starts one in the background as $JOB; finish waits for it.  What an earlier one has written goes
# first: a test that waits for "ready" must not see the last job's.  In the background of a script
# SIGINT would be ignored.
start() {
  : >"$WORK/out" >"$WORK/err"
  env --default-signal=INT "$@" >"$WORK/out" 2>"$WORK/err" </dev/null &
  JOB=$!
}
# The guard is one process (a shell that reads what never comes), so that killing it leaves nothing;
# `wait -n` would not do: it misses a job that ended while the shell was busy.
finish() {
  local guard
  {
    read -rt 300 _ <>"$WORK/never"
    kill -9 "$JOB"
  } 2>/dev/null &
  guard=$!
  wait "$JOB" 2>/dev/null
  STATUS=$?
  kill "$guard" 2>/dev/null
  wait "$guard" 2>/dev/null
}

# Waits until a command is true, at most 2 minutes: a busy machine takes its time.
until_true() {
  local n=0
  until "$@"; do
    n=$((n + 1))
    [ $n -lt 2400 ] || return 1
    sleep 0.05
  done
}

# A line of a file matches; the errors are exactly one line that matches; the output is exactly this.
has() { grep -Eq -- "$2" "$WORK/$1"; }
lines_in() { [ "$(grep -Ec -- "$2" "$WORK/$1")" = "$3" ]; }
ends() { # ends STATUS REGEX   exit status, and the one line on standard error
  [ "$STATUS" = "$1" ] && [ "$(wc -l <"$WORK/err")" = 1 ] && has err "$2"
}
ends_well() { [ "$STATUS" = 0 ] && [ ! -s "$WORK/err" ]; }
prints() { [ "$STATUS" = 0 ] && [ "$(cat "$WORK/out")" = "$1" ]; }

# Nothing that holds this mark in its command line runs (any more).
mark_runs() { pgrep -f -- "$1" >/dev/null; }
gone() { until_true not mark_runs "$1"; }
not() { ! "$@"; }

# ---- sshd on loopback: begin_sshd N makes N servers on free ports; hosts_file lists them ----

SSHD=()
PORTS=()
begin_sshd() {
  [ -x /usr/sbin/sshd ] && [ "$(id -u)" = 0 ] || return 1
  mkdir -p /run/sshd
  ssh-keygen -q -t ed25519 -N '' -f "$WORK/hostkey"
  ssh-keygen -q -t ed25519 -N '' -f "$WORK/id"
  cp "$WORK/id.pub" "$WORK/authorized"
  : >"$WORK/known"
  printf 'UserKnownHostsFile %s/known\nGlobalKnownHostsFile /dev/null\nIdentityFile %s/id\nIdentitiesOnly yes\n' \
    "$WORK" "$WORK" >"$WORK/ssh.conf"
  local port=$((20000 + $$ % 20000))
  while [ ${#SSHD[@]} -lt "$1" ]; do
    port=$((port + 1))
    printf 'Port %s\nListenAddress 127.0.0.1\nHostKey %s/hostkey\nAuthorizedKeysFile %s/authorized\nUsePAM no\nPasswordAuthentication no\nStrictModes no\nMaxStartups 100\nPidFile none\n' \
      $port "$WORK" "$WORK" >"$WORK/sshd$port.conf"
    /usr/sbin/sshd -D -f "$WORK/sshd$port.conf" -E "$WORK/sshd$port.log" &
    local server=$!
    until_true listens_or_ended $port $server || return 1
    if listens $port; then
      SSHD+=("$server")
      PORTS+=("$port")
      echo "[127.0.0.1]:$port $(cut -d' ' -f1,2 "$WORK/hostkey.pub")" >>"$WORK/known"
    elif [ $port -gt 60000 ]; then
      return 1
    fi
  done
}
# Its own log tells whether it listens: at a port in use another script's server would answer.
listens() { grep -q '^Server listening' "$WORK/sshd$1.log" 2>/dev/null; }
listens_or_ended() { listens "$1" || ! kill -0 "$2" 2>/dev/null; }
end_sshd() {
  for server in "${SSHD[@]}"; do
    kill "$server"
    wait "$server" 2>/dev/null
  done
}
host_line() { # host_line NAME PORT [MORE...]
  local name=$1 port=$2
  shift 2
  echo "$name addr=127.0.0.1 port=$port ssh=\"-F $WORK/ssh.conf\" $*"
}
