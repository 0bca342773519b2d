#!/usr/bin/env bash
# Builds the wheel, installs it into a new environment and tests it there.
#
#   bash python/test.sh            LOADSTONE_TRACES names the folder of real logs
#   bash python/test.sh --needs    says what is missing on this machine
#
# It needs Go, and python3-pandas, python3-pip, python3-setuptools, python3-venv and
# python3-wheel from Debian.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
python=/usr/bin/python3

missing=()
command -v go >/dev/null || missing+=('Go')
for module in pandas pip setuptools ensurepip:venv wheel; do
  "$python" -c "import importlib.util, sys; sys.exit(importlib.util.find_spec('${module%:*}') is None)" 2>/dev/null || missing+=("python3-${module#*:}")
done
if [ ${#missing[@]} -gt 0 ]; then
  echo "missing: ${missing[*]}" >&2
  exit 2
fi
[ "${1:-}" != --needs ] || exit 0

made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
bash build.sh -o "$made"
"$python" -m venv --system-site-packages "$made/venv"
"$made/venv/bin/pip" install --quiet --no-index --no-deps --disable-pip-version-check "$made"/loadstone-*.whl

# The tests run in a folder of their own, where the module can only be the installed one.
mkdir "$made/run"
tests=$PWD/tests traces=${LOADSTONE_TRACES:-$PWD/../../shared/traces}
cd "$made/run"
env -u LOADSTONE LOADSTONE_TRACES="$traces" PYTHONDONTWRITEBYTECODE=1 TMPDIR="$made/run" \
  "$made/venv/bin/python" -m unittest discover -s "$tests" -t "$tests" -v
