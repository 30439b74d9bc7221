#!/bin/sh
# What the module httpd_codemod does on a host. Each call does all of one thing, so that a connection that breaks off, or a
# controller that is killed, leaves nothing half done. A POSIX shell with tar is all that it needs, no Python.
#
#     sh host.sh look COMMAND [ARGUMENT]...             what the command prints, and behind a line what it complains of
#     sh host.sh plan COMMAND [ARGUMENT]...             the same, and keeps the plan
#     sh host.sh apply COMMAND TEST [STEPS DIRECTORY]   writes what was planned
#     sh host.sh install TAR TEST [DIRECTORY]           puts what the controller has converted; with DIRECTORY, runs its steps
#     sh host.sh undo COMMAND                           takes back what the last apply or install has written
#     sh host.sh can-undo                               whether there is such a write
#     sh host.sh recover COMMAND                        takes back what a call has begun that was killed
#     sh host.sh test TEST                              asks the test alone
#
# The last line of what changes something is "outcome: WORD": written, nothing, refused (nothing was changed), undone (all is as it
# was), stuck (a person must look).

LC_ALL=C
export LC_ALL
unset CDPATH
umask 077
# The way is gone to its end, whoever still listens.
trap '' HUP PIPE

if [ -n "${XDG_STATE_HOME-}" ]; then
    state=$XDG_STATE_HOME/httpd-codemod-ansible
elif [ "$(id -u)" = 0 ]; then
    state=/var/lib/httpd-codemod-ansible
else
    state=${HOME:?}/.local/state/httpd-codemod-ansible
fi

SYSTEM=/usr/sbin:/usr/local/sbin:/sbin
action=$1
shift

# What changes something speaks to a file, and all of that is told at the end: commands show progress where they see a terminal, which
# ssh may give them, and whoever listens may be gone.
log=${0%/*}/log.$$
listen() {
    exec 3>&1 >"$log" 2>&1 </dev/null
}

outcome() {
    cat "$log" >&3
    echo "outcome: $1" >&3
    exit 0
}

reason() {
    echo "reason: $1"
}

# Whether a call is at work still: is_at_work PID. After a restart its number may be another's.
is_at_work() {
    kill -0 "$1" 2>/dev/null || return 1
    ! command -v ps >/dev/null 2>&1 || ps -p "$1" -o args= | grep -q host.sh
}

# One call at a time: that of a connection that has broken off goes on to its end. Of one that was killed nothing is waited for.
take_turn() {
    mkdir -p "$state" || refuse "$state: cannot be made"
    waited=0
    until mkdir "$state/at-work" 2>/dev/null; do
        holder=$(cat "$state/at-work/pid" 2>/dev/null)
        if [ $waited -gt 2 ] && ! is_at_work "${holder:-none}"; then
            mv "$state/at-work" "$state/at-work.$$" 2>/dev/null && rm -rf "$state/at-work.$$" && continue
        fi
        [ $waited -lt 900 ] || refuse "$state/at-work: another call is at work here (process $holder)"
        sleep 1
        waited=$((waited + 1))
    done
    trap 'rm -rf "$state/at-work"' EXIT
    echo $$ >"$state/at-work/pid"
}

refuse() {
    reason "$1"
    outcome refused
}

# Sets `listed` to the writes that httpd-codemod knows of, and `last` to the id of the last one: list_writes COMMAND.
list_writes() {
    listed=$("$1" undo --list) || return 1
    last=$(printf '%s\n' "$listed" | sed -n '1s/ .*//p')
}

# What of a directory was before the steps: its names, and all that is in it.
keep_names() {
    rm -rf "$state/names"
    mkdir "$state/names" || return 1
    printf '%s\n' "$1" >"$state/names/directory"
    (cd "$1" && find . -print | sort >"$state/names/list" && tar -cf "$state/names/tar" .)
}

put_names_back() {
    [ -f "$state/names/tar" ] || return 0
    (
        cd "$(cat "$state/names/directory")" || exit 1
        find . -print | sort | comm -13 "$state/names/list" - | sort -r | while IFS= read -r name; do
            if [ -d "$name" ] && [ ! -h "$name" ]; then rmdir "$name"; else rm -f "$name"; fi || exit 1
        done || exit 1
        tar -xpf "$state/names/tar"
    ) && rm -rf "$state/names"
}

# Takes back what is noted as written, from the last to the first: take_back COMMAND [--replace]. Fails where something is in the way.
take_back() {
    put_names_back || return 1
    if [ -f "$state/journal" ]; then
        "$1" undo --yes "$(cat "$state/journal")" || return 1
        rm -f "$state/journal"
    fi
    if [ -d "$state/converted" ]; then
        for saved in "$state/converted"/undo.*; do
            [ ! -d "$saved" ] || sh "$state/converted/install.sh" --undo ${2+"$2"} || return 1
        done
        rm -rf "$state/converted"
    fi
    rm -f "$state/untested" "$state/installing"
}

# Takes back what was interrupted, and notes what was written last: settle COMMAND. The file `untested` has the id of the write
# before; where another one has come since, that is ours.
settle() {
    list_writes "$1" || return 1
    interrupted=$(printf '%s\n' "$listed" | sed -n '/ (interrupted)$/{s/ .*//p;q;}')
    if [ -n "$interrupted" ]; then
        "$1" undo --yes "$interrupted" && list_writes "$1" || return 1
    fi
    if [ "$last" != "$(cat "$state/untested")" ] && [ "$last" != "$(cat "$state/journal" 2>/dev/null)" ]; then
        rm -rf "$state/names" "$state/converted"
        printf '%s\n' "$last" >"$state/journal"
    fi
}

# What an earlier call had begun when the host, or the call, was killed goes back first: recover COMMAND.
recover() {
    if [ -f "$state/untested" ]; then
        echo 'an earlier run was killed before its end: what it wrote goes back'
        settle "$1" || return 1
        if [ "$last" = "$(cat "$state/untested")" ]; then rm -f "$state/untested"; else take_back "$1" || return 1; fi
    fi
    if [ -f "$state/installing" ]; then
        echo 'an earlier run was killed before its end: what it put goes back'
        take_back "$1" --replace || return 1
    fi
}

# The test of the result: test_result TEST, which is a command, `auto:` and the programs of which the first is asked, or empty
# for none.
test_result() {
    test=$1
    case $test in auto:*)
        for name in ${1#auto:}; do
            if PATH=$PATH:$SYSTEM command -v "$name" >/dev/null 2>&1; then
                test="PATH=\$PATH:$SYSTEM; $name -t"
                break
            fi
        done
        if [ "$test" = "$1" ]; then
            reason 'no apache2ctl, apachectl or httpd is here to test the result: say with configtest what is to do it'
            return 1
        fi
        ;;
    esac
    [ -n "$test" ] || return 0
    said=$(sh -c "$test" 2>&1) && return 0
    reason "the test failed: $(printf '%s\n' "${said:-it says nothing}" | grep -v -e '^\[' -e AH00558 | sed 2q | tr '\n' ' ')"
    return 1
}

# Ends a write: end TEST COMMAND. All goes back where the test fails.
end() {
    test_result "$1" || give_back "$2"
    rm -f "$state/untested" "$state/installing"
    outcome written
}

give_back() {
    take_back "$@" || outcome stuck
    outcome undone
}

run_steps() {
    keep_names "$2" && (umask 022 && sh "$1" "$2") && return 0
    reason 'a step failed'
    return 1
}

complaints=${0%/*}/complaints

# Ansible may join both outputs to one.
apart() {
    "$@" 2>"$complaints"
    status=$?
    printf '\ncomplaints:\n'
    cat "$complaints"
    exit $status
}

case $action in
look)
    apart "$@"
    ;;
plan)
    command=$1
    shift
    listen
    take_turn
    recover "$command" || outcome stuck
    rm -f "$state/plan"
    exec >&3
    apart "$command" --plan "$state/plan" "$@"
    ;;
apply)
    command=$1
    listen
    take_turn
    list_writes "$command" || outcome refused
    # What is not known to have been there before is ours.
    printf '%s\n' "$last" >"$state/untested" || refuse "$state: cannot be written"
    "$command" apply "$state/plan"
    status=$?
    settle "$command" || outcome stuck
    rm -f "$state/plan"
    if [ $status -gt 1 ]; then
        rm -f "$state/untested"
        outcome refused
    fi
    if [ $# -gt 2 ]; then
        run_steps "$3" "$4" || give_back "$command"
    fi
    end "$2" "$command"
    ;;
install)
    listen
    take_turn
    recover false || outcome stuck
    new=$state/new.$$
    if ! { mkdir "$new" && gzip -dc "$1" | (cd "$new" && tar -xf -) && sh "$new/converted/install.sh" --check; }; then
        rm -rf "$new"
        outcome refused
    fi
    rm -rf "$state/converted" "$state/names" "$state/journal"
    if ! { : >"$state/installing" && mv "$new/converted" "$state/converted"; }; then
        rm -rf "$new" "$state/installing"
        refuse "$state: cannot be written"
    fi
    rmdir "$new"
    sh "$state/converted/install.sh" || give_back false --replace
    if [ $# -gt 2 ]; then
        run_steps "$state/converted/steps.sh" "$3" || give_back false
    fi
    end "$2" false
    ;;
undo)
    listen
    take_turn
    recover "$1" || outcome stuck
    [ -f "$state/journal" ] || [ -d "$state/converted" ] || outcome nothing
    take_back "$1" || outcome stuck
    outcome undone
    ;;
recover)
    listen
    take_turn
    recover "$1" || outcome stuck
    outcome undone
    ;;
test)
    listen
    rm -f "$state/plan"
    if test_result "$1"; then outcome nothing; else outcome refused; fi
    ;;
can-undo)
    listen
    if [ -f "$state/journal" ] || [ -d "$state/converted" ]; then outcome undone; else outcome nothing; fi
    ;;
esac
