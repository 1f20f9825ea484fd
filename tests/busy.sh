#!/usr/bin/env bash
# Runs `make test` next to busy processes of normal priority: no test may fail because the machine
# is slow. Prints the wall and CPU time of the run, without that of the busy processes.
#
#   tests/busy.sh                          the whole suite
#   ARGS='tests/server -n 0' tests/busy.sh   a part of it, as for make test
#   LOOPS=6 tests/busy.sh                  more busy processes than 3

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export ARGS="${ARGS:-}"
loops="${LOOPS:-3}"

# Each background job is a process group, which ends with everything that it started.
set -m
groups=()

end_groups() {
	local group
	for group in "${groups[@]}"; do
		kill -TERM -- "-$group" 2>/dev/null || true
	done
	wait 2>/dev/null || true
}
trap end_groups EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

for ((number = 0; number < loops; number++)); do
	# It ends with this script, also where that is killed.
	(while kill -0 $$ 2>/dev/null; do :; done) &
	groups+=("$!")
done

TIMEFORMAT="next to $loops busy processes: %R s of wall time, %U s user and %S s system CPU"
time_of_tests() {
	time make test
}
time_of_tests </dev/null &
tests=$!
groups+=("$tests")
wait "$tests"
