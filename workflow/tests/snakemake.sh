# Functions that the tests of the workflow share; sourced, not run.
#
# The tests set `endmill`, the program, and `work`, a directory that they remove at the end. It holds
# the database `$db`, with a space in its name on purpose.
# shellcheck shell=bash

# shellcheck disable=SC2154
db="$work/a database"

# install_snakemake PACKAGE...: installs snakemake and these packages into a virtual environment in $work.
install_snakemake() {
    local packages=('snakemake>=9,<10' "$@")
    echo "installing ${packages[*]} into $work/venv"
    python3 -m venv "$work/venv"
    "$work/venv/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}"
    # From here on Snakemake's cache.
    export XDG_CACHE_HOME="$work/cache"
}

# workflow_command PROFILE RULESET SCOPE OPTION...: sets `command` to build, verify and report.
# Groups of more than SMALL seconds become separate jobs: few in scopes as small as these.
workflow_command() {
    local profile=$1 ruleset=$2 scope=$3
    shift 3
    # shellcheck disable=SC2034
    command=("$work/venv/bin/snakemake" --snakefile workflow/Snakefile --directory "$work"
        --profile "workflow/profiles/$profile" "$@" --config "ruleset=$ruleset" "scope=$scope"
        "db=$db" "endmill=$endmill" threads=1 "small=${SMALL:-0.3}" -- build verify report)
}

# same_as_plain RULESET SCOPE: checks that every byte equals that of a plain build, and that a report exists.
same_as_plain() {
    local ruleset=$1 scope=$2
    echo "$ruleset $scope: plain build for comparison"
    # shellcheck disable=SC2086
    "$endmill" build "$ruleset" $scope --db "$work/plain" >/dev/null 2>&1
    diff -r --exclude=.lock --exclude=.log "$db/$ruleset" "$work/plain/$ruleset"
    grep -q '"ruleset"' "$db/.workflow/$ruleset/report.json"
}
