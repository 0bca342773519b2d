#!/usr/bin/env bash
# Builds the wheel of the checkout: the command as a static binary, and the module.
#
#   bash python/build.sh                          into python/dist
#   bash python/build.sh -o FOLDER                into FOLDER
#   GOOS=linux GOARCH=arm64 bash python/build.sh    for another machine
#
# It needs Go, and python3-pip, python3-setuptools and python3-wheel, as of Debian 12. It
# downloads nothing but Go modules.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
usage() { sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$here/build.sh"; }

to=$here/dist
case "$#:${1:-}" in
  0:) ;;
  1:-h | 1:--help) usage; exit ;;
  2:-o) to=$2 ;;
  *) echo "build.sh: saw '$*', want -o FOLDER" >&2; usage >&2; exit 2 ;;
esac
mkdir -p "$to"
to=$(realpath "$to")
cd "$here"

made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
mkdir -p "$made/python" "$made/internal/version"
cp -r loadstone pyproject.toml setup.py README.md "$made/python"
cp -r ../docs/reference/schema "$made/python/loadstone/schema"
cp ../LICENSE ../NOTICE "$made/python"
cp ../internal/version/version.go "$made/internal/version"
(cd .. && CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o "$made/python/loadstone/bin/loadstone" ./cmd/loadstone)
cd "$made/python"
chmod -R u=rwX,go=rX . # whatever the checkout's umask was
LOADSTONE_PLATFORM=$(go env GOOS)-$(go env GOARCH) ${PYTHON:-/usr/bin/python3} -m pip wheel --quiet --no-index --no-deps --no-build-isolation --disable-pip-version-check -w "$to" .
ls "$to"/loadstone-*.whl
