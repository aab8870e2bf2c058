# What the tests of the workflow have in common; read by them, not run.
#
# They set `endmill`, the program, and `work`, a directory that they remove at the end. The database
# is `$db` in there; a space in its name should not matter to anybody.
# shellcheck shell=bash

# shellcheck disable=SC2154
db="$work/a database"

# install_snakemake PACKAGE...: snakemake and these packages into a virtual environment in $work.
install_snakemake() {
    local packages=('snakemake>=9,<10' "$@")
    echo "installing ${packages[*]} into $work/venv"
    python3 -m venv "$work/venv"
    "$work/venv/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}"
    # Snakemake's own, from here on.
    export XDG_CACHE_HOME="$work/cache"
}

# workflow_command PROFILE RULESET SCOPE OPTION...: puts into `command` what builds, verifies and
# reports. Groups of more than SMALL seconds are jobs of their own: few in scopes as small as these.
workflow_command() {
    local profile=$1 ruleset=$2 scope=$3
    shift 3
    # shellcheck disable=SC2034
    command=("$work/venv/bin/snakemake" --snakefile workflow/Snakefile --directory "$work"
        --profile "workflow/profiles/$profile" "$@" --config "ruleset=$ruleset" "scope=$scope"
        "db=$db" "endmill=$endmill" threads=1 "small=${SMALL:-0.3}" -- build verify report)
}

# same_as_plain RULESET SCOPE: every byte is that of a plain build, and there is a report.
same_as_plain() {
    local ruleset=$1 scope=$2
    echo "$ruleset $scope: plainly, to compare"
    # shellcheck disable=SC2086
    "$endmill" build "$ruleset" $scope --db "$work/plain" >/dev/null 2>&1
    diff -r --exclude=.lock --exclude=.log "$db/$ruleset" "$work/plain/$ruleset"
    grep -q '"ruleset"' "$db/.workflow/$ruleset/report.json"
}
