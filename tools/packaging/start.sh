#!/bin/sh
# Starts the program of this name with the libraries that came with it, once the system is found to have the rest: Linux on
# the processor that it was made for, glibc 2.36 or later, the time zones of the world, and authorities to believe.
set -eu
name=$(basename "$0")
root=$(dirname "$(dirname "$(readlink -f "$0")")")
own=$root/lib/slashpost

refuse() {
    echo "$name: $*" >&2
    exit 1
}

[ -e "$own/$name" ] && [ -e "$own/machine" ] || refuse "$own is not whole; unpack the archive again"
made_for=$(cat "$own/machine")
here="$(uname -s) $(uname -m)"
[ "$here" = "$made_for" ] || refuse "this archive is for $made_for, and this system is $here"

needed="and 2.36 or later is needed: Debian 12, Ubuntu 24.04 or newer"
glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null) || refuse "this system has no glibc, $needed"
glibc=${glibc#glibc }
minor=${glibc#2.}
[ "${minor%%.*}" -ge 36 ] || refuse "this system has glibc $glibc, $needed"

[ -e /usr/share/zoneinfo/UTC ] || refuse "there are no time zones in /usr/share/zoneinfo; install tzdata"
[ -e /etc/ssl/certs/ca-certificates.crt ] ||
    echo "$name: no authorities are in /etc/ssl/certs/ca-certificates.crt, so no other server is believed: certificates by" \
        "ACME, webhooks and mail fail; install ca-certificates" >&2

LD_LIBRARY_PATH=$own exec "$own/$name" "$@"
