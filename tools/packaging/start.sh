#!/bin/sh
# Starts the program of this name with the libraries that came with it, once the system is found to have the rest:
# Linux on the processor that it was made for, glibc 2.36 or later, and the time zones of the world.
set -eu
name=$(basename "$0")
root=$(dirname "$(dirname "$(readlink -f "$0")")")

refuse() {
    echo "$name: $*" >&2
    exit 1
}

glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null || true)
glibc=${glibc#glibc }
case $glibc in
    2.[0-9] | 2.[0-9].* | 2.[12][0-9]* | 2.3[0-5]*) refuse "this system has glibc $glibc, and 2.36 or later is needed: Debian 12, Ubuntu 24.04 or newer" ;;
    2.*) ;;
    *) refuse "this system has no glibc, and 2.36 or later is needed: Debian 12, Ubuntu 24.04 or newer" ;;
esac
[ -e /usr/share/zoneinfo/UTC ] || refuse "there are no time zones in /usr/share/zoneinfo; install tzdata"
[ -e "$root/lib/slashpost/$name" ] || refuse "$root/lib/slashpost/$name is missing; unpack the whole archive again"

LD_LIBRARY_PATH=$root/lib/slashpost exec "$root/lib/slashpost/$name" "$@"
