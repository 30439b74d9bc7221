#!/bin/sh
# Puts a converted configuration on a server. It lies in the tar that httpd-codemod --write --output converted.tar.gz has made:
#
#     tar xzf converted.tar.gz
#     sh converted/install.sh --check        # says what it would do
#     sh converted/install.sh                # does it
#     sh converted/install.sh --undo         # takes it back
#
# --into NEW is for a new server, on which the package of 2.4 has made a configuration of its own in NEW, such as /etc/apache2: that of the old
# server is merged into it by steps.sh, which has httpd look at the result. All else goes to where it was, as without this.
#
# A file that is there must be as it was on the old server, or as it is to be; else nothing is done at all, and the file is named. With --replace
# such files are replaced. What is replaced keeps its owner and mode, and is saved in converted/undo first. What is not there is made, with the
# owner and mode that it had; but a .htaccess is put only where its directory is: copy the sites before.
#
# --root DIR puts everything below DIR instead, for instance beside the configuration of a new installation.

LC_ALL=C
export LC_ALL
unset CDPATH
umask 077
tab=$(printf '\t')

fail() {
    echo "install: $*" >&2
    exit 2
}

here=$(cd "$(dirname "$0")" && pwd -P) || exit 2
mode=put
root=
replace=
into=
part=all
while [ $# -gt 0 ]; do
    case $1 in
    --check) mode=check ;;
    --undo) mode=undo ;;
    --replace) replace=yes ;;
    --root)
        [ $# -gt 1 ] || fail "--root needs a directory"
        shift
        root=$(cd "$1" && pwd -P) || exit 2
        [ "$root" != / ] || root=
        ;;
    --into)
        [ $# -gt 1 ] || fail "--into needs a directory"
        shift
        into=$(cd "$1" && pwd -P) || exit 2
        part=sites
        ;;
    --only-configuration) part=configuration ;;
    *) fail "usage: sh install.sh [--check | --undo] [--replace] [--root DIR | --into NEW]" ;;
    esac
    shift
done
[ -f "$here/LIST" ] || fail "$here/LIST is not there: extract the whole tar"
[ -z "$into" ] || [ -z "$root" ] || fail "--into and --root contradict each other"

# The directory of the main configuration file, and that of the whole configuration: for /etc/httpd/conf, /etc/httpd.
config=$(sed -n 's/^config: \(.*\)\/[^/]*$/\1/p' "$here/MANIFEST")
top=${config%/conf}
[ -n "$top" ] || [ "$part" = all ] || fail "$here/MANIFEST does not say where the configuration is"

# Whether a line of LIST is in the part that is put.
is_in_part() {
    case $part,$1,$2 in
    configuration,d,* | configuration,?,"$top"/*) return 0 ;;
    configuration,* | *,s,* | sites,?,"$top" | sites,?,"$top"/*) return 1 ;;
    esac
}

# The number of lines of a file, in words.
steps() {
    count=$(grep -c '' "$1")
    [ "$count" = 1 ] && echo '1 step' || echo "$count steps"
}

# Goes to a directory, and fails if a link leads there: whoever owns one above may have changed it since it was looked at.
enter() {
    cd "${1:-/}" && [ "$(pwd -P)" = "${1:-/}" ]
}

# Replaces or makes a file in one step: write CONTENT TARGET [MODE OWNER GROUP]. What is there keeps its owner and mode. The file is made where
# nobody else can put a link in its place, and only then moved.
write() {
    mkdir -p "$work/staged"
    next=$work/staged/${2##*/}
    rm -f "$next"
    if [ -e "$2" ]; then
        { cp -RPp "$2" "$next" && [ ! -h "$next" ] && [ -f "$next" ]; } || return 1
    fi
    cat "$1" >"$next" || return 1
    [ $# = 2 ] || belong "$next" "$3" "$4" "$5" "$2"
    (
        enter "${2%/*}" && [ ! -h "./${2##*/}" ] && [ ! -d "./${2##*/}" ] && mv -f "$next" "./${2##*/}" || exit 1
        # SELinux labels a file by where it was made.
        ! command -v restorecon >/dev/null 2>&1 || restorecon "./${2##*/}" || :
    )
}

# Sets the owner and mode of what has been made: belong FILE MODE OWNER GROUP [NAME]. A user of the old server may be none here.
belong() {
    chmod "$2" "$1"
    [ "$(id -u)" = 0 ] || return 0
    chown "$3" "$1" 2>/dev/null || echo "${5:-$1}: there is no user $3 here: it belongs to root"
    chgrp "$4" "$1" 2>/dev/null || echo "${5:-$1}: there is no group $4 here: it belongs to root's"
}

work=$here/work.$$
mkdir "$work" || exit 2
trap 'rm -rf "$work"' 0
trap 'exit 2' HUP INT PIPE TERM

# ---- The way back

if [ $mode = undo ]; then
    number=0
    while [ -d "$here/undo.$((number + 1))" ]; do number=$((number + 1)); done
    saved=$here/undo.$number
    [ -f "$saved/done" ] || fail "there is nothing to take back"
    bad=
    while IFS="$tab" read -r kind target path; do
        case $kind in
        made | replaced) cmp -s "$target" "$here/files$path" || bad="$bad $target" ;;
        esac
    done <"$saved/done"
    [ -z "$bad" ] || [ -n "$replace" ] || fail "changed since, so nothing is taken back (--replace does it all the same):$bad"
    if [ -s "$saved/into" ]; then
        sh "$here/steps.sh" --undo "$(cat "$saved/into")" || exit 1
        rm -f "$saved/into"
    fi
    # From the last to the first: what lies in a directory goes before it.
    sed -n '1!G;h;$p' "$saved/done" >"$saved/reversed"
    while IFS="$tab" read -r kind target path; do
        case $kind in
        made | link) (enter "${target%/*}" && rm -f "./${target##*/}") || echo "$target: is reached by a link now, and stays" ;;
        directory) rmdir "$target" 2>/dev/null || echo "$target: is not empty, and stays" ;;
        replaced) write "$saved/files$path" "$target" || fail "$target: cannot be put back; it is saved as $saved/files$path" ;;
        esac
    done <"$saved/reversed"
    mv "$saved" "$here/undone.$number.$$"
    echo "Taken back: $(steps "$here/undone.$number.$$/done")."
    exit 0
fi

# ---- What is to be done: one line for each

: >"$work/steps"
: >"$work/bad"
: >"$work/later"

# Whether a directory is where it is by its own name, not by a link.
is_straight() {
    [ "$(cd "$1" 2>/dev/null && pwd -P)" = "$1" ]
}

while IFS="$tab" read -r kind permissions owner group path; do
    is_in_part "$kind" "$path" || continue
    target=$root$path
    above=${target%/*}
    above=${above:-/}
    case $kind in
    d)
        if [ -h "$target" ] || { [ -e "$target" ] && [ ! -d "$target" ]; }; then
            [ -d "$target" ] || printf '%s: is no directory\n' "$target" >>"$work/bad"
        elif [ ! -d "$target" ]; then
            printf '%s\t%s\t%s\t%s\t%s\n' directory "$permissions" "$owner" "$group" "$path" >>"$work/steps"
        fi
        ;;
    l)
        [ -h "$target" ] || [ -e "$target" ] || printf '%s\t%s\t%s\t%s\t%s\n' link "$permissions" - - "$path" >>"$work/steps"
        ;;
    a | f | s)
        if [ "$kind" = a ] && [ ! -d "$above" ]; then
            printf '%s\n' "$target" >>"$work/later"
        elif [ -d "$above" ] && ! is_straight "$above"; then
            printf '%s: its directory is reached by a link here\n' "$target" >>"$work/bad"
        elif [ -h "$target" ]; then
            printf '%s: is a link here\n' "$target" >>"$work/bad"
        elif [ ! -e "$target" ]; then
            printf '%s\t%s\t%s\t%s\t%s\n' made "$permissions" "$owner" "$group" "$path" >>"$work/steps"
        elif [ ! -f "$target" ]; then
            printf '%s: is no file here\n' "$target" >>"$work/bad"
        elif cmp -s "$target" "$here/files$path"; then
            :
        elif [ -n "$replace" ] || { [ -f "$here/before$path" ] && cmp -s "$target" "$here/before$path"; }; then
            printf '%s\t%s\t%s\t%s\t%s\n' replaced - - - "$path" >>"$work/steps"
        else
            printf '%s: is another file than the one that was collected\n' "$target" >>"$work/bad"
        fi
        ;;
    esac
done <"$here/LIST"

if [ -s "$work/bad" ]; then
    cat "$work/bad" >&2
    if [ -n "$replace" ]; then
        fail "nothing is done: what is named above is in the way"
    fi
    if [ -n "$into" ]; then
        fail "nothing is done: the files named above have changed since the old server was packed. Pack it again, or use --replace"
    fi
    fail "nothing is done: look at the files named above. If the package of 2.4 has made them, use --into DIR, such as /etc/apache2; else --root DIR, or --replace"
fi

# A directory for what is replaced, and a list of what is done. What is put below a directory of our own is not kept.
keep() {
    number=1
    saved=$work/saved
    [ "$part" = configuration ] || saved=$here/undo.$number
    until mkdir "$saved" 2>/dev/null; do
        number=$((number + 1))
        [ $number -lt 1000 ] || fail "$here: cannot be written"
        saved=$here/undo.$number
    done
    : >"$saved/done"
}

status=0
if [ -n "$into" ] && [ $mode = check ]; then
    echo "merge $top into $into"
elif [ -n "$into" ]; then
    rm -rf "$here/server"
    mkdir "$here/server" || exit 2
    sh "$here/install.sh" --only-configuration --root "$here/server" >/dev/null || exit 2
    keep
    printf '%s\n' "$into" >"$saved/into"
    sh "$here/steps.sh" "$here/server$config" "$into" || status=1
fi

if [ $mode = check ]; then
    while IFS="$tab" read -r kind _ _ _ path; do
        case $kind in
        replaced) echo "replace $root$path" ;;
        *) echo "make $root$path" ;;
        esac
    done <"$work/steps"
elif [ -s "$work/steps" ]; then
    [ -n "$into" ] || keep
    while IFS="$tab" read -r kind permissions owner group path; do
        target=$root$path
        # Noted first: should this be stopped here, undo knows of it.
        case $kind in
        replaced)
            { mkdir -p "$saved/files${path%/*}" && cp -RPp "$target" "$saved/files$path" && [ ! -h "$saved/files$path" ]; } || fail "$target: cannot be saved"
            printf 'replaced\t%s\t%s\n' "$target" "$path" >>"$saved/done"
            write "$here/files$path" "$target"
            ;;
        made)
            printf 'made\t%s\t%s\n' "$target" "$path" >>"$saved/done"
            write "$here/files$path" "$target" "$permissions" "$owner" "$group"
            ;;
        directory)
            printf 'directory\t%s\t%s\n' "$target" "$path" >>"$saved/done"
            mkdir "$target" && belong "$target" "$permissions" "$owner" "$group"
            ;;
        link)
            printf 'link\t%s\t%s\n' "$target" "$path" >>"$saved/done"
            ln -s "$permissions" "$target"
            ;;
        esac || fail "$target: cannot be written; sh $0 --undo --replace takes back what is done"
    done <"$work/steps"
    echo "Done: $(steps "$work/steps"). sh $0 --undo takes it back."
else
    echo 'Nothing to do: what is here is as it is to be.'
fi
if [ -s "$work/later" ]; then
    echo 'Not put, as their directories are not here: copy the sites, and run this again:'
    sed 's/^/  /' "$work/later"
    exit 1
fi
exit $status
