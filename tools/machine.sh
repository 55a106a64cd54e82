# shellcheck shell=bash
# A bare Debian in a folder, for tools/fresh and tools/package: how it is made, and how something runs in it. To be
# sourced by a script of bash that runs as root, with mounts of its own.

# How this machine reaches the world: its proxies, and the authorities that it trusts besides.
settings=()
for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
    [ -z "${!name:-}" ] || settings+=("$name=${!name}")
done
authorities=$(compgen -G '/usr/local/share/ca-certificates/*.crt' || true)
[ -z "$authorities" ] || settings+=("NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt")

# What stands before `chroot`; a script may set it for one command.
first=()

# on_machine MACHINE USER HOME COMMAND...: with an environment of its own.
on_machine() {
    local machine=$1 who=$2 its_home=$3
    shift && shift && shift
    "${first[@]}" env -i "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" "HOME=$its_home" "USER=$who" \
        TERM=dumb "${settings[@]}" chroot --userspec="$who" --groups="$who" "$machine" "$@"
}

# make_machine MACHINE PACKAGE,... [SUITE]: a new folder with a bare Debian, 12 if no other one is named, and these.
# Packages come from where they come from here.
make_machine() {
    local machine=$1 suite=${3:-bookworm} known sources mirror
    known=$(apt-get indextargets --format "deb \$(REPO_URI) \$(RELEASE) \$(COMPONENT)" 'Created-By: Packages')
    mirror=$(awk '$3 == "bookworm" && !seen++ { print $2 }' <<<"$known")
    sources=$(awk -v suite="$suite" '$3 ~ "^" suite "(-updates|-security)?$" && !seen[$0]++' <<<"$known")
    apt-config dump | grep -E '^Acquire::' | grep -v 'Acquire::IndexTargets' >"$machine.apt" || true
    mmdebstrap --variant=minbase --include="$2" --aptopt="$machine.apt" "$suite" "$machine" - \
        <<<"${sources:-deb ${mirror:-http://deb.debian.org/debian} $suite main}" >"$machine.log" 2>&1 || {
        tail "$machine.log"
        return 1
    }
    cp /etc/resolv.conf /etc/hosts "$machine/etc/"
    if [ -n "$authorities" ]; then
        cp /usr/local/share/ca-certificates/*.crt "$machine/usr/local/share/ca-certificates/"
        on_machine "$machine" root /root update-ca-certificates >/dev/null
    fi
    mount -t proc proc "$machine/proc"
    mount --rbind /sys "$machine/sys"
    mount --rbind /dev "$machine/dev"
    mount -t tmpfs -o mode=1777 tmpfs "$machine/dev/shm"
}
