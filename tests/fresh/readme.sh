# What the scripts here share: the README's blocks of commands, and a server of which they wait for something.

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# block HEADING NUMBER: the README's NUMBERth block of commands below that heading, as it is printed.
block() {
    awk -v heading="$1" -v wanted="$2" '
        /^#+ / { sub(/^#+ /, ""); here = ($0 == heading) }
        here && /^```sh$/ { ++number; inside = 1; next }
        /^```$/ { inside = 0 }
        here && inside && number == wanted' README.md
}

# commands: of a block with answers, the commands.
commands() { sed -n 's/^\$ //p'; }

# answers: of a block with answers, the answers, without empty lines.
answers() { sed '/^\$ /d; /^$/d'; }

# wait_for SECONDS COMMAND...: until it succeeds.
wait_for() {
    local seconds=$1
    shift
    while [ $((seconds--)) -gt 0 ]; do
        ! "$@" >/dev/null 2>&1 || return 0
        sleep 1
    done
    fail "not in time: $*"
}
