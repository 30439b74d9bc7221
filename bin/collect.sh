#!/bin/sh
# Packs what httpd-codemod needs of a server with Apache httpd 2.2 into one tar:
#
#     sh collect.sh [-f CONFIG] [-D NAME]... [FILE]
#
# CONFIG is the main configuration file, if httpd -V does not name the right one. NAME is what httpd is started with, beside what the start
# files say. FILE is the tar to write: httpd-codemod-HOST-DATE.tar.gz in the working directory, if none is given.
#
# The tar holds the configuration with everything that it includes, the .htaccess files with the links beside them, and what httpd -V, -M, -S
# and -l print. It holds no content of sites, and no password file, certificate or key: these are listed by name, owner and mode. Nothing on
# the server is changed. Passwords that stand in the configuration itself (for LDAP, a database, a proxy) are in the tar: it names the lines.
#
# Run it as root: then everything can be read. It needs no more than a POSIX shell with tar, find, sed, awk, grep, ls and cp.

VERSION=1
LC_ALL=C
export LC_ALL
COPYFILE_DISABLE=1
export COPYFILE_DISABLE
PATH=$PATH:/usr/sbin:/usr/local/sbin:/sbin:/usr/local/apache/bin:/usr/local/apache2/bin:/opt/apache2/bin
export PATH
unset CDPATH
umask 077

nl='
'
tab=$(printf '\t')
blank=" $tab$nl"
IFS=$blank

fail() {
    echo "collect: $*" >&2
    exit 2
}

usage() {
    echo 'usage: sh collect.sh [-f CONFIG] [-D NAME]... [FILE.tar.gz]' >&2
    exit "$1"
}

for tool in awk cmp cp cut date find grep id ls mkdir rm sed sort tar tr xargs; do
    command -v $tool >/dev/null 2>&1 || fail "this needs $tool, which is not here"
done

kept=
main=
defines=
while getopts f:D:h option; do
    case $option in
    f) main=$OPTARG ;;
    D) defines="$defines${OPTARG%%=*}$nl" ;;
    h) usage 0 ;;
    *) usage 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -le 1 ] || usage 2
case $main in
'' | /*) ;;
*) main=$(pwd)/$main ;;
esac

# ---- A private directory. mkdir fails if anything stands there, a link included.

work=
number=0
while [ -z "$work" ]; do
    number=$((number + 1))
    [ $number -le 50 ] || fail "no directory can be made in ${TMPDIR:-/tmp}"
    mkdir "${TMPDIR:-/tmp}/httpd-codemod.$$.$number" 2>/dev/null && work=${TMPDIR:-/tmp}/httpd-codemod.$$.$number
done
case $work in
/*) ;;
*) work=$(pwd)/$work ;;
esac
trap 'rm -rf "$work"' 0
trap 'exit 2' HUP INT PIPE TERM
stage=$work/stage
info=$stage/info
mkdir "$stage" "$info" "$stage/root" || exit 2
for list in included files links named dirs trees walked left found vars env access; do
    : >"$work/$list"
done
printf '%s' "$defines" >"$work/defines"

# ---- The output

host=$( (uname -n || hostname) 2>/dev/null | sed 's/[^A-Za-z0-9._-]/_/g; s/^[.-]/_/')
host=${host:-server}
gzip=
command -v gzip >/dev/null 2>&1 && gzip=.gz
output=${1:-httpd-codemod-$host-$(date +%Y%m%d).tar$gzip}
case $output in
*.gz | *.tgz) [ -n "$gzip" ] || fail "there is no gzip here: give a name that ends with .tar" ;;
*.tar) ;;
*) fail "$output: the name must end with .tar.gz or .tar" ;;
esac
case $output in
/*) ;;
*) output=$(pwd)/$output ;;
esac
# Fails if something stands there: no file is replaced, and no link followed.
(set -C && : >"$output") 2>/dev/null || {
    if [ -e "$output" ] || [ -L "$output" ]; then fail "$output: it is there already: remove it, or give another name"; fi
    fail "$output: it cannot be written"
}
trap '[ -n "$kept" ] || rm -f "$output"; rm -rf "$work"' 0

# ---- Small tools

# What xargs reads as names, from one name a line.
quoted() {
    sed 's,[^A-Za-z0-9_./],\\&,g'
}

# Notes what is not in the tar, and why.
leave() {
    printf '%s\t%s\n' "$1" "$2" >>"$work/left"
}

# Sets `real` to a path without links, and notes the links that it goes by. Fails where nothing is there.
resolve() {
    rest=$1
    at=
    count=0
    while [ -n "$rest" ]; do
        part=${rest%%/*}
        case $rest in
        */*) rest=${rest#*/} ;;
        *) rest= ;;
        esac
        case $part in
        '' | .) continue ;;
        ..)
            at=${at%/*}
            continue
            ;;
        esac
        if [ -h "$at/$part" ]; then
            count=$((count + 1))
            [ $count -le 40 ] || return 1
            target=$(ls -ld "$at/$part")
            target=${target#*"$at/$part -> "}
            case $target in
            *"$nl"* | *"$tab"*) return 1 ;;
            esac
            printf '%s\t%s\n' "$at/$part" "$target" >>"$work/links"
            case $target in
            /*) at= ;;
            esac
            rest=$target/$rest
        else
            at=$at/$part
        fi
    done
    real=${at:-/}
    [ -e "$real" ]
}

# The paths that a pattern matches, or the path that it is, one a line.
matches() {
    IFS=
    for match in $1; do
        case $match in
        *"$nl"* | *"$tab"*) leave 'a name with a line end or a tab' "$(echo "$match" | tr '\n\t' '??')" ;;
        *) { [ -e "$match" ] || [ -h "$match" ]; } && printf '%s\n' "$match" ;;
        esac
    done
    IFS=$blank
}

# Lines of a second file that are not in a first one.
not_in() {
    awk -v known="$1" 'BEGIN { while ((getline line < known) > 0) seen[line] = 1 } !seen[$0]++' "$2"
}

# Of lines with a path behind other fields, those that a tar can hold: one user's directories must not make it unreadable.
shallow() {
    awk -v left="$work/left" '{
        path = substr($0, index($0, "/"))
        if (length(path) < 3000 && gsub(/\//, "/", path) < 200) print
        else if (!/^d/) print "too deep\t" path >>left
    }'
}

# The numeric owner in a line of ls -ln.
owner_of() {
    # shellcheck disable=SC2012 # The name is the last field, and not used.
    ls -Llnd "$1" 2>/dev/null | sed -n '1s/^[^ ]* *[0-9]* *\([0-9]*\) .*/\1/p'
}

# ---- What httpd says of itself

program=
for name in apache2ctl apachectl httpd apache2 httpd2 httpd22 apache22; do
    command -v "$name" >/dev/null 2>&1 || continue
    program=$(command -v "$name")
    "$program" -V >"$info/version" 2>&1 </dev/null
    grep HTTPD_ROOT "$info/version" >/dev/null && break
    program=
done
if [ -n "$program" ]; then
    # Those of Debian's control program, which knows the variables of envvars.
    if [ -n "$main" ]; then set -- -f "$main"; else set --; fi
    while IFS= read -r name; do set -- "$@" -D "$name"; done <"$work/defines"
    "$program" "$@" -M >"$info/modules" 2>&1 </dev/null
    "$program" "$@" -S >"$info/hosts" 2>&1 </dev/null
    "$program" -l >"$info/compiled" 2>&1 </dev/null
else
    echo 'collect: no httpd is found in PATH; what it says of itself is not in the tar' >&2
    echo 'no httpd was found' >"$info/version"
fi
built=$(sed -n 's/^.*-D HTTPD_ROOT="\(.*\)".*$/\1/p' "$info/version" | sed 1q)
if [ -z "$main" ]; then
    main=$(sed -n 's/^.*-D SERVER_CONFIG_FILE="\(.*\)".*$/\1/p' "$info/version" | sed 1q)
    case $main in
    '' | /*) ;;
    *) main=$built/$main ;;
    esac
    for name in /etc/httpd/conf/httpd.conf /etc/apache2/apache2.conf /etc/apache2/httpd.conf \
        /usr/local/etc/apache22/httpd.conf /usr/local/apache/conf/httpd.conf /usr/local/apache2/conf/httpd.conf; do
        [ -z "$main" ] || [ ! -f "$main" ] || break
        main=$name
    done
fi
[ -f "$main" ] || fail "no main configuration file is found: name it with -f"
[ -r "$main" ] || fail "$main: cannot be read: run this as root"
resolve "$main" || fail "$main: cannot be read"
main_real=$real

# ---- How it is started

ps -A -o args 2>/dev/null | awk -v main="$main" '
$1 ~ /(^|\/)(httpd|apache|apache2|httpd2)(-prefork|-worker|-event|\.worker|\.event)?$/ {
    config = ""
    for (i = 2; i <= NF; i++) {
        if ($i == "-f") config = $(i + 1)
        else if ($i ~ /^-f/) config = substr($i, 3)
    }
    if (config == "" || config == main) print "run\t" $0
    else print "other\t" config
}' | sort -u >"$work/processes"
sed -n "s/^run$tab//p" "$work/processes" >"$info/processes"
awk '{
    for (i = 2; i <= NF; i++) {
        if ($i == "-D") print $(++i)
        else if ($i ~ /^-D./) print substr($i, 3)
    }
}' "$info/processes" | sed 's/=.*//' >>"$work/defines"

prefix=${program%/*}
for name in "$prefix/envvars" /usr/local/sbin/envvars /etc/apache2/envvars /etc/sysconfig/httpd /etc/sysconfig/apache2 \
    /etc/conf.d/apache2 /etc/default/apache2; do
    [ -f "$name" ] || continue
    if [ ! -r "$name" ]; then
        leave 'cannot be read' "$name"
        continue
    fi
    resolve "$name" && printf '%s\n' "$real" >>"$work/included"
    # It is what starts httpd as root: nobody else may have written it.
    case $(owner_of "$name") in
    0 | "$(id -u)")
        # shellcheck disable=SC2016 # It is for the inner shell.
        env -i PATH="$PATH" APACHE_CONFDIR="${main%/*}" sh -c '. "$1" >/dev/null 2>&1; env' sh "$name" </dev/null 2>/dev/null |
            grep '^[A-Za-z_][A-Za-z0-9_]*=' | grep -v -E '^(PATH|PWD|OLDPWD|SHLVL|_|APACHE_CONFDIR|LC_ALL)=' >>"$work/env"
        ;;
    esac
done
sort -u "$work/env" >"$info/environment"
if [ -r /etc/rc.conf ]; then
    # Its other lines are not httpd's.
    mkdir -p "$stage/root/etc"
    grep '^[ 	]*apache' /etc/rc.conf >"$stage/root/etc/rc.conf" || rm -f "$stage/root/etc/rc.conf"
fi
for name in /etc/init.d/httpd /etc/init.d/apache2 /etc/rc.d/init.d/httpd /usr/local/etc/rc.d/apache22; do
    [ ! -r "$name" ] || { echo "# $name" && sed -n '/^[ 	]*[A-Za-z_][A-Za-z0-9_]*=/p; /^[ 	]*:[ 	]*\${/p' "$name"; } >>"$info/start"
done

# ---- The configuration: every file that an Include names, whatever conditionals say

# Prints what of a configuration leads to other files: a key, and a path as it is written.
# shellcheck disable=SC2016
READ='
function word(    c, i, q, w, n) {
    sub(/^[ \t]+/, "", rest)
    q = substr(rest, 1, 1)
    n = length(rest)
    if (q == "\"" || q == "\047") {
        w = ""
        for (i = 2; i <= n; i++) {
            c = substr(rest, i, 1)
            if (c == q) break
            if (c == "\\" && substr(rest, i + 1, 1) == q) c = substr(rest, ++i, 1)
            w = w c
        }
        rest = substr(rest, i + 1)
        return w
    }
    match(rest, /^[^ \t]*/)
    w = substr(rest, 1, RLENGTH)
    rest = substr(rest, RLENGTH + 1)
    return w
}
function put(key, path) {
    if (path != "" && path !~ /\t/) print key "\t" path
}
function line(text,    name, w) {
    gsub(/\r/, "", text)
    if (text !~ /^[ \t]*[<A-Za-z]/) return
    rest = text
    name = tolower(word())
    if (name == "<directory") {
        sub(/[ \t]*>[ \t]*$/, "", rest)
        w = word()
        if (w != "~") put("section", w)
    } else if (name == "include" || name == "includeoptional") {
        while ((w = word()) != "") put("include", w)
    } else if (name == "serverroot") put("root", word())
    else if (name == "documentroot") put("tree", word())
    else if (name == "alias" || name == "scriptalias") {
        word()
        put("tree", word())
    } else if (name == "aliasmatch" || name == "scriptaliasmatch") {
        word()
        w = word()
        sub(/\$.*/, "", w)
        sub(/[^\/]*$/, "", w)
        put("tree", w)
    } else if (name ~ /^virtual(documentroot|scriptalias)(ip)?$/) {
        w = word()
        sub(/%.*/, "", w)
        sub(/[^\/]*$/, "", w)
        put("tree", w)
    } else if (name == "userdir") {
        while ((w = word()) != "") put("user", w)
    } else if (name == "accessfilename") {
        while ((w = word()) != "") if (w !~ /\//) put("access", w)
    } else if (name == "define") {
        w = word()
        if (w ~ /^[A-Za-z0-9_]+$/ && rest ~ /[^ \t]/) put("var", w "=" word())
    } else if (name ~ /^auth(user|group|digest|digestgroup|dbmuser|dbmgroup)file$/ || name ~ /^(ssl|proxyssl|nss).*(certificate|revocation|dnrequest|machine).*(file|path)$/ || name == "nsscertificatedatabase" || name == "rewritemap" || name == "securitykeyfile") {
        w = word()
        if (name == "rewritemap") {
            w = word()
            sub(/^[a-z]+:/, "", w)
            sub(/^[a-z]+=/, "", w)
        }
        put("named", w)
    } else if (name ~ /^ldaptrusted(globalcert|clientcert|ca)$/) {
        if (name != "ldaptrustedca") word()
        put("named", word())
    }
}
FNR == 1 {
    if (held != "") line(held)
    held = ""
}
{
    sub(/\r$/, "")
    if (/\\$/) {
        held = held substr($0, 1, length($0) - 1)
        next
    }
    line(held $0)
    held = ""
}
END { if (held != "") line(held) }
'

# Puts in the values of ${NAME}; one that is not known may be anything in a pattern. Makes paths absolute.
# shellcheck disable=SC2016
EXPAND='
BEGIN {
    FS = "\t"
    while ((getline text < vars) > 0) {
        at = index(text, "=")
        value[substr(text, 1, at - 1)] = substr(text, at + 1)
    }
}
{
    key = $1
    path = $2
    out = ""
    for (n = 0; n < 100 && (at = index(path, "${")) > 0; n++) {
        out = out substr(path, 1, at - 1)
        path = substr(path, at + 2)
        end = index(path, "}")
        if (end == 0) break
        name = substr(path, 1, end - 1)
        out = out (name in value ? value[name] : "*")
        path = substr(path, end + 1)
    }
    path = out path
    if (key != "user" && key != "access" && key != "var" && path !~ /^\//) path = root "/" path
    print key "\t" path
}
'

server_root=
# Reads files whose names come in one a line, and adds what they name to the lists.
read_config() {
    quoted | xargs awk "$READ" /dev/null >"$work/raw" 2>/dev/null
    sed -n "s/^var$tab//p" "$work/raw" >>"$work/vars"
    if [ -z "$server_root" ]; then
        server_root=$(sed -n "s/^root$tab//p" "$work/raw" | sed -n '$p' | sed 's/\(.\)\/*$/\1/')
        case $server_root in
        *\$*) server_root= ;;
        esac
    fi
    cat "$info/environment" "$work/vars" >"$work/values"
    awk -v root="${server_root:-$built}" -v vars="$work/values" "$EXPAND" "$work/raw" >>"$work/found"
}

# The files that an Include names: a directory stands for all files in it.
included_files() {
    sed -n "s/^include$tab//p" "$work/found" | sort -u >"$work/patterns"
    not_in "$work/patterns.done" "$work/patterns" >"$work/patterns.new"
    cat "$work/patterns.new" >>"$work/patterns.done"
    while IFS= read -r pattern; do
        matches "$pattern"
    done <"$work/patterns.new" >"$work/matched"
    while IFS= read -r path; do
        if ! resolve "$path"; then
            leave 'a link to nothing' "$path"
        elif [ -d "$real" ]; then
            find "$real" ! -name "*$nl*" \( -type f -o -type l \) -print 2>>"$work/errors" | while IFS= read -r file; do
                resolve "$file" && [ -f "$real" ] && printf '%s\n' "$real"
            done
        elif [ -f "$real" ]; then
            printf '%s\n' "$real"
        elif [ "$real" != /dev/null ]; then
            leave 'no regular file' "$real"
        fi
    done <"$work/matched" >"$work/named.now"
    while IFS= read -r path; do
        if [ -r "$path" ]; then
            printf '%s\n' "$path"
        else
            leave 'cannot be read' "$path"
        fi
    done <"$work/named.now" >"$work/readable"
}

: >"$work/patterns.done"
printf '%s\n' "$main_real" >"$work/now"
round=0
while [ -s "$work/now" ] && [ $round -lt 130 ]; do
    cat "$work/now" >>"$work/included"
    read_config <"$work/now"
    included_files
    not_in "$work/included" "$work/readable" >"$work/now"
    round=$((round + 1))
done
[ -n "$server_root" ] || server_root=$built

# ---- The directories of the configuration, with what nothing includes (yet)

config_dirs() {
    printf '%s\n' "${main_real%/*}"
    case $server_root in
    /etc/?* | /usr/local/etc/?* | /usr/pkg/etc/?* | /private/etc/?*) printf '%s\n' "$server_root" ;;
    esac
    case $main_real in
    */conf/*)
        for name in conf.d conf.modules.d vhosts.d sites.d sites-available sites-enabled extra; do
            [ ! -d "${main_real%/conf/*}/$name" ] || printf '%s\n' "${main_real%/conf/*}/$name"
        done
        ;;
    esac
}
config_dirs | sort -u >"$work/config.dirs"
while IFS= read -r path; do
    case $path in
    / | /etc | /usr | /usr/local/etc) continue ;;
    esac
    if ! resolve "$path" || [ ! -d "$real" ]; then continue; fi
    find "$real" ! -name "*$nl*" ! -name "*$tab*" \( -type f -o -type l -o -type d \) -exec ls -lnd {} + 2>>"$work/errors"
done <"$work/config.dirs" | shallow | sort -u >"$work/config.listing"
while IFS= read -r line; do
    path=/${line#*/}
    case $line in
    l*) resolve "${path%% -> *}" && [ -f "$real" ] && [ -r "$real" ] && printf '%s\n' "$real" >>"$work/files" ;;
    d*) { [ -r "$path" ] && [ -x "$path" ]; } || leave 'cannot be read' "$path" ;;
    *)
        if [ -r "$path" ]; then
            printf '%s\n' "$path" >>"$work/files"
        else
            leave 'cannot be read' "$path"
        fi
        ;;
    esac
done <"$work/config.listing"
[ ! -r "$server_root/build/config.nice" ] || printf '%s\n' "$server_root/build/config.nice" >>"$work/included"

# ---- What is served: the directories in which .htaccess files count

# Those that a path may lead to and that nobody means: the whole machine.
is_whole() {
    case $1 in
    / | /bin | /boot | /dev | /dev/* | /lib | /lib64 | /proc | /proc/* | /sbin | /sys | /sys/*) return 0 ;;
    esac
    return 1
}

add_tree() {
    is_whole "$1" && return
    if [ -d "$1" ]; then
        printf '%s\n' "$1" >>"$work/trees"
    fi
}

sed -n "s/^access$tab//p" "$work/found" | sort -u >"$work/access"
grep '^\.htaccess$' "$work/access" >/dev/null || echo .htaccess >>"$work/access"
sed -n -e "s/^tree$tab//p" -e "s/^section$tab//p" "$work/found" | sort -u >"$work/served"
while IFS= read -r pattern; do
    matches "${pattern%/}" >>"$work/dirs"
done <"$work/served"
for key in tree section; do
    sed -n "s/^$key$tab//p" "$work/found" | sort -u >"$work/served"
    while IFS= read -r pattern; do
        matches "$pattern" >"$work/matched"
        while IFS= read -r path; do
            while :; do
                case $path in
                ?*/) path=${path%/} ;;
                *) break ;;
                esac
            done
            # A section alone serves nothing: one for /var or /home is for what lies in there.
            case $key$path in
            section/*/*) add_tree "$path" ;;
            tree*) add_tree "$path" ;;
            esac
        done <"$work/matched"
    done <"$work/served"
done
sed -n "s/^user$tab//p" "$work/found" | sort -u >"$work/users"
while IFS= read -r path; do
    case $path in
    *://* | [Ee][Nn][Aa][Bb][Ll][Ee][Dd] | [Dd][Ii][Ss][Aa][Bb][Ll][Ee][Dd]) ;;
    /*) matches "$path" ;;
    */* | ?*)
        cut -d: -f6 /etc/passwd | sort -u | while IFS= read -r home; do
            case $home in
            /?*) [ ! -d "$home/$path" ] || printf '%s\n' "$home/$path" ;;
            esac
        done
        ;;
    esac
done <"$work/users" >"$work/matched"
while IFS= read -r path; do add_tree "${path%/}"; done <"$work/matched"
sort -u "$work/trees" >"$work/trees.sorted"

# Of directories one of which lies in another, the outer one. Reads them sorted.
topmost() {
    awk '{
        for (at = $0; at != ""; ) {
            sub(/\/[^\/]*$/, "", at)
            if (at in seen) next
        }
        seen[$0] = 1
        print
    }'
}
topmost <"$work/trees.sorted" >"$work/trees"

names=$nl$(cat "$work/access")$nl
set -- -name .htaccess
while IFS= read -r name; do
    # What find would read as a pattern stands for itself.
    name=$(printf '%s\n' "$name" | sed 's/[][*?\\]/\\&/g')
    set -- "$@" -o -name "$name"
done <"$work/access"

# Whether a directory lies in one that has been looked through.
walked=$nl
is_walked() {
    at=$1
    while [ -n "$at" ]; do
        case $walked in
        *"$nl$at$nl"*) return 0 ;;
        esac
        at=${at%/*}
    done
    return 1
}

# Sets `uid` to the third field of a line of ls -ln.
uid_in() {
    set -f
    # shellcheck disable=SC2086 # It is split on purpose.
    set -- $1
    set +f
    uid=$3
}

# A file that is in the place of a .htaccess.
add_access() {
    if [ ! -f "$1" ]; then
        [ -d "$1" ] || leave 'no regular file' "$1"
    elif [ ! -r "$1" ]; then
        leave 'cannot be read' "$1"
    else
        printf '%s\n' "$1" >>"$work/htaccess"
    fi
}

: >"$work/htaccess"
: >"$work/listing"
cp "$work/trees" "$work/queue"
while [ -s "$work/queue" ]; do
    : >"$work/more"
    while IFS= read -r tree; do
        if ! resolve "$tree" || [ ! -d "$real" ]; then continue; fi
        is_walked "$real" && continue
        walked=$walked$real$nl
        printf '%s\n' "$real" >>"$work/walked"
        top=$real
        # Those above count, too.
        over=$real
        while [ -n "$over" ]; do
            over=${over%/*}
            while IFS= read -r name; do
                [ ! -e "$over/$name" ] || { resolve "$over/$name" && add_access "$real"; }
            done <"$work/access"
        done
        # shellcheck disable=SC2016 # It is for the inner shell.
        find "$top" \( -name "*$nl*" -o -name "*$tab*" \) -exec sh -c 'echo >>"$1"' sh "$work/strange" \; -prune -o \
            \( -type d -o -type l -o "$@" \) -exec ls -lnd {} + 2>>"$work/errors" | shallow >"$work/listed"
        cat "$work/listed" >>"$work/listing"
        while IFS= read -r line; do
            path=/${line#*/}
            case $line in
            d*) { [ -r "$path" ] && [ -x "$path" ]; } || leave 'cannot be read' "$path" ;;
            l*)
                path=${path%% -> *}
                resolve "$path" || continue
                if [ ! -d "$real" ]; then
                    case $names in
                    *"$nl${path##*/}$nl"*) ;;
                    *) continue ;;
                    esac
                fi
                # Whoever may make links must not choose what is read: it has to be theirs, or the link root's.
                uid_in "$line"
                if [ "$uid" != 0 ] && [ "$uid" != "$(owner_of "$path")" ]; then
                    leave 'a link of another user than its target' "$path"
                    continue
                fi
                if [ -d "$real" ]; then
                    is_whole "$real" || is_walked "$real" || printf '%s\n' "$real" >>"$work/more"
                else
                    add_access "$real"
                fi
                ;;
            *) add_access "$path" ;;
            esac
        done <"$work/listed"
    done <"$work/queue"
    sort -u "$work/more" >"$work/queue"
done

# ---- What is named and not taken

read_named() {
    quoted | xargs awk "$READ" /dev/null 2>/dev/null | grep "^named$tab" >"$work/raw"
    awk -v root="$server_root" -v vars="$work/values" "$EXPAND" "$work/raw" >>"$work/found"
}
# What is too large is not even read: one user's file must not hold up the rest.
sort -u "$work/htaccess" >"$work/matched"
# shellcheck disable=SC2016 # It is for the inner shell.
quoted <"$work/matched" | xargs sh -c 'find /dev/null "$@" -prune -size +65536 -print' sh >"$work/large" 2>>"$work/errors"
while IFS= read -r path; do leave 'larger than 32 MB' "$path"; done <"$work/large"
not_in "$work/large" "$work/matched" >"$work/htaccess.sorted"
read_named <"$work/htaccess.sorted"
sed -n "s/^named$tab//p" "$work/found" | sort -u >"$work/patterns"
while IFS= read -r pattern; do
    matches "$pattern" >"$work/matched"
    [ -s "$work/matched" ] || printf '%s\n' "$pattern" >>"$work/named.missing"
    while IFS= read -r path; do
        printf '%s\n' "$path" >>"$work/named"
        resolve "$path" && printf '%s\n' "$real" >>"$work/named.real"
    done <"$work/matched"
done <"$work/patterns"

# ---- Copies

sort -u "$work/included" >"$work/included.sorted"
touch "$work/named.real" "$work/named.missing"
# The modules of 2.2 are of no use to 2.4: they stay without a word each.
sort -u "$work/files" | not_in "$work/included.sorted" - | grep -v '\.so$' >"$work/beside"
grep -v -i -E '(^|/)[^/]*(\.(key|pem|crt|cer|der|csr|srl|p12|pfx|jks|db|dbm|pag|dir|kdb|keytab|htpasswd|htdigest|passwd)|htpasswd[^/]*|passwords?|passwd|shadow|pwdfile)$' \
    "$work/beside" >"$work/beside.kept"
not_in "$work/beside.kept" "$work/beside" | while IFS= read -r path; do leave 'passwords, certificates and keys stay' "$path"; done
{
    not_in "$work/named.real" "$work/beside.kept"
    cat "$work/included.sorted" "$work/htaccess.sorted"
} | sort -u >"$work/all"
sed 's/\/[^\/]*$//; s/^$/\//' "$work/all" | sort -u | (cd "$stage/root" && sed 's/^/./' | quoted | xargs mkdir -p .)
while IFS= read -r path; do
    # Should it have become a link since, the link is copied.
    if ! cp -RPp "$path" "$stage/root$path" 2>/dev/null || [ -h "$stage/root$path" ] || [ ! -f "$stage/root$path" ]; then
        rm -rf "${stage:?}/root$path"
        leave 'cannot be read' "$path"
    fi
done <"$work/all"

# Takes files that came into the tar out again.
drop() {
    while IFS= read -r path; do
        rm -f "$stage/root${path#.}"
        leave "$1" "${path#.}"
    done
}
cd "$stage/root" || exit 2
find . -type f -exec grep -l -e '^-----* *BEGIN .*PRIVATE KEY' -e '^PuTTY-User-Key-File' {} + >"$work/drop" 2>/dev/null
drop 'a private key' <"$work/drop"
find . -type f -size +65536 -print >"$work/drop"
drop 'larger than 32 MB' <"$work/drop"
# What nothing includes is taken for its text alone.
not_in "$work/htaccess.sorted" "$work/beside.kept" | while IFS= read -r path; do
    [ -f ".$path" ] || continue
    # shellcheck disable=SC2094 # Both read.
    if ! tr -d '\000' <".$path" | cmp -s - ".$path"; then
        printf '%s\n' "$path"
    elif awk '/^[ \t\r]*$/ || /^#/ { next }
        {
            sub(/\r$/, "")
            n = split($0, field, ":")
            hash = field[n]
            if (n > 1 && field[1] !~ /[ \t<]/ && (hash ~ /^(\$[0-9a-z]+\$|\{[A-Za-z]+\})/ || (length(hash) >= 13 && hash ~ /^[.\/0-9A-Za-z]*$/))) some = 1
            else other = 1
        }
        END { exit !(some && !other) }' ".$path"; then
        printf '%s\n' "$path"
    fi
done >"$work/drop"
drop 'passwords or binary data' <"$work/drop"
sort -u "$work/links" | shallow >"$work/matched" && mv "$work/matched" "$work/links"
cut -f1 "$work/links" | sed 's/\/[^\/]*$//; s/^/./' | sort -u | quoted | xargs mkdir -p .
while IFS="$tab" read -r path target; do
    if [ -e ".$path" ] || [ -h ".$path" ]; then continue; fi
    ln -s "$target" ".$path"
done <"$work/links"
cd "$work" || exit 2

# ---- Owners and modes

above() {
    awk '{ for (at = $0; at != ""; ) { print at; if (!sub(/\/[^\/]*$/, "", at)) break } }' | sort -u
}
{
    cat "$work/all" "$work/named" "$work/dirs" "$work/walked" "$work/trees"
    cut -f1 "$work/links"
} | above | while IFS= read -r path; do
    [ ! -e "$path" ] && [ ! -h "$path" ] || printf '%s\n' "$path"
done | quoted | xargs ls -lnd / 2>/dev/null | cat - "$work/listing" "$work/config.listing" | awk '/^[^\/]* \// {
    at = index($0, "/")
    head = substr($0, 1, at - 1)
    gsub(/ +/, " ", head)
    print head substr($0, at)
}' | sort -u >"$info/listing"
{
    quoted <"$work/named" | xargs ls -Lld /dev/null 2>/dev/null | grep -v ' /dev/null$'
    sed 's/^/not there: /' "$work/named.missing"
} >"$info/named"
if [ -s "$work/strange" ]; then leave "$(grep -c '' "$work/strange") names with a line end or a tab" -; fi
sort -u "$work/left" >"$info/left-out"

# ---- Passwords in what is taken

# shellcheck disable=SC2016
SECRETS='
function report(what) {
    print substr(file, 2) ":" first ": " what
}
function check(text,    name, low, args) {
    sub(/^[ \t]+/, "", text)
    if (text == "" || text ~ /^#/) return
    name = text
    sub(/[ \t].*/, "", name)
    args = substr(text, length(name) + 1)
    low = tolower(name)
    sub(/^</, "", low)
    args = tolower(args)
    if (low ~ /(password|passwd|secret|passphrase|bindpw)$/) report(name)
    else if (low ~ /^(dbdparams|auth_mysql_info|auth_mysql_connect|authmysqlinfo)$/) report(name)
    else if (low ~ /^(setenv|passenv|setenvif|setenvifnocase|setenvifexpr|browsermatch|perlsetenv|perlsetvar|perlpassenv|define|fcgidinitialenv|fastcgiconfig|fastcgiserver|fastcgiexternalserver|passengerenvvar|wsgisetenv|rewriterule|securitykey)$/ && args ~ secret) {
        if (low != "rewriterule" || args ~ /[[,]e(nv)?=/) report(name)
    } else if (low ~ /^(proxyset|proxypass|proxypassmatch|balancermember|proxy|loadmodule|jkworkerproperty)$/ && args ~ /(password|passwd|secret|pass)=/) report(name)
    else if (low ~ /^(header|requestheader)$/ && args ~ /authorization|cookie|secret|token|passw|api-?key/) report(name)
    else if (low ~ /^php_(admin_)?value$/ && args ~ secret) report(name)
    else if (text ~ /:\/\/[^\/@: \t"]+:[^\/@ \t"]+@/) report(name)
    else if (text ~ /^(export[ \t]+)?[A-Za-z_0-9]*=/ && tolower(text) ~ /^(export[ \t]+)?[a-z_0-9]*(pass|secret|key|token|pwd)[a-z_0-9]*=/) {
        sub(/^export[ \t]+/, "", text)
        sub(/=.*/, "", text)
        report(text)
    }
}
BEGIN { secret = "pass|secret|key|token|pwd|credential" }
FNR == 1 {
    if (held != "") check(held)
    held = ""
    file = FILENAME
}
{
    sub(/\r$/, "")
    if (held == "") first = FNR
    if (/\\$/) {
        held = held substr($0, 1, length($0) - 1) " "
        next
    }
    check(held $0)
    held = ""
}
END { if (held != "") check(held) }
'
(cd "$stage/root" && find . -type f -print | quoted | xargs awk "$SECRETS" /dev/null) 2>/dev/null | sort >"$work/secrets"

# ---- The tar

sort -u "$work/defines" | grep . >"$work/defines.sorted"
{
    echo "httpd-codemod collection $VERSION"
    echo "date: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
    echo "host: $host"
    echo "user: $(id -u)"
    echo "server: $(sed -n 's/^Server version: *//p' "$info/version" | sed 1q)"
    echo "server-root: $server_root"
    echo "config: $main"
    sed 's/^/define: /' "$work/defines.sorted"
    sed 's/^/tree: /' "$work/trees"
    echo
    echo 'Passwords and other secrets in this tar (the lines are in it, so treat it as you treat them):'
    sed 's/^/secret: /' "$work/secrets"
    [ -s "$work/secrets" ] || echo 'none found'
} >"$stage/MANIFEST"
(cd "$stage" && tar cf "$work/tar" MANIFEST info root) || fail "tar failed"
case $output in
*.tar) cat "$work/tar" >"$output" ;;
*) gzip -c <"$work/tar" >"$output" ;;
esac || fail "$output: cannot be written"
kept=$output

count() {
    grep -c '' "$1"
}

{
    echo "$output: $(count "$work/all") files of $main, $(count "$work/htaccess.sorted") of them .htaccess files"
    sed -n "s/^other$tab\\(.*\\)/Another httpd runs here with -f \\1: if that is the one that is moved, run this again with -f \\1/p" "$work/processes"
    if [ -s "$info/left-out" ]; then
        echo
        echo 'Not in the tar:'
        sed "s/^\\(.*\\)$tab\\(.*\\)/  \\2: \\1/" "$info/left-out"
    fi
    if [ -s "$info/named" ]; then
        echo
        echo 'Named by the configuration, and to be copied by hand:'
        sed 's/^/  /' "$info/named"
    fi
    echo
    if [ -s "$work/secrets" ]; then
        echo 'Passwords and other secrets in the tar, which only you can read now:'
        sed 's/^/  /' "$work/secrets"
    else
        echo 'No passwords are found in the configuration. Only you can read the tar now.'
    fi
}
