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

# make_first_link COMMAND...: starts what starts a server with an empty folder, waits for what it prints, makes a link with
# the line that is printed, follows it and stops the server.
make_first_link() {
    local printed began=$SECONDS server line address
    printed=$(mktemp)
    "$@" > >(tee "$printed") 2>&1 &
    server=$!
    trap 'kill "$server" 2>/dev/null || true' EXIT
    until grep -q '^Slashpost is listening on http://[^ ]*:8080$' "$printed"; do
        kill -0 "$server" 2>/dev/null || fail "$1 ended"
        sleep 1
    done
    echo "TIME $1, until the server listens: $((SECONDS - began)) s"

    line=$(grep '^curl ' "$printed" || true)
    [ -n "$line" ] || fail "no line that makes a link was printed"
    address=$(bash <<<"$line -s" | sed -n 's/.*"shortUrl":"\([^"]*\)".*/\1/p')
    [ -n "$address" ] || fail "the printed line made no link"
    curl -si "http://$address" | grep -q '^HTTP/1.1 302 ' || fail "$address does not redirect"
    echo "$address redirects"

    kill "$server"
    wait "$server" || fail "the server did not stop in order"
    trap : EXIT
}
