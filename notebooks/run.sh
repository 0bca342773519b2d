#!/usr/bin/env bash
# Executes the notebooks from top to bottom and compares their outputs with the committed
# ones.
#
#   bash notebooks/run.sh [NAME.ipynb ...]           exit code 1 if an output differs
#   bash notebooks/run.sh --keep [NAME.ipynb ...]    the run becomes the committed one
#   LOADSTONE_LOG=site.swf bash notebooks/run.sh -o FOLDER [NAME.ipynb ...]
#                                                    with this log, into FOLDER
#   bash notebooks/run.sh --needs                    says what is missing on this machine
#
# It needs Go, and jupyter-nbconvert, jupyter-client, python3-ipykernel,
# python3-pandas and python3-matplotlib from Debian. It builds the command and the Go
# kernel in a temporary folder, and installs nothing elsewhere.
set -euo pipefail

usage() { sed -n '5,9s/^# *//p' "${BASH_SOURCE[0]}" >&2; exit 2; }
keep='' into='' needs=''
while [ $# -gt 0 ]; do
  case $1 in
    --keep) keep=-keep; shift ;;
    --needs) needs=only; shift ;;
    -o) [ $# -gt 1 ] || usage; mkdir -p "$2"; into=$(realpath "$2"); shift 2 ;;
    -*) usage ;;
    *) break ;;
  esac
done
if [ -n "${LOADSTONE_LOG:-}" ]; then
  [ -n "$into" ] || { echo "LOADSTONE_LOG is set: say -o FOLDER for the notebooks of that log" >&2; exit 2; }
  LOADSTONE_LOG=$(realpath -e "$LOADSTONE_LOG")
fi
names=()
for name; do names+=("$(basename "$name")"); done

cd "$(dirname "${BASH_SOURCE[0]}")"
[ ${#names[@]} -gt 0 ] || names=(*.ipynb)

missing=()
command -v go >/dev/null || missing+=('Go')
command -v jupyter-nbconvert >/dev/null || missing+=(jupyter-nbconvert)
for module in jupyter_client:jupyter-client ipykernel:python3-ipykernel pandas:python3-pandas matplotlib:python3-matplotlib; do
  /usr/bin/python3 -c "import importlib.util, sys; sys.exit(importlib.util.find_spec('${module%:*}') is None)" 2>/dev/null || missing+=("${module#*:}")
done
if [ ${#missing[@]} -gt 0 ]; then
  echo "missing: ${missing[*]} (Debian: apt-get install jupyter-nbconvert jupyter-client python3-ipykernel python3-pandas python3-matplotlib)" >&2
  exit 2
fi
[ -z "$needs" ] || exit 0

made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
(cd .. && go build -o "$made/bin/" ./cmd/loadstone)
go build -o "$made/bin/" tool # the Go kernel and goimports, which the kernel runs
go build -o "$made/bin/" ./check
# The Python module with the schemas, as in the wheel: it takes the types of columns from them.
mkdir "$made/python"
cp -r ../python/loadstone "$made/python"
cp -r ../docs/reference/schema "$made/python/loadstone/schema"
export PATH=$made/bin:$PATH
export PYTHONPATH=$made/python LOADSTONE=$made/bin/loadstone PYTHONDONTWRITEBYTECODE=1
export JUPYTER_DATA_DIR=$made/jupyter JUPYTER_CONFIG_DIR=$made/config JUPYTER_RUNTIME_DIR=$made/runtime
export IPYTHONDIR=$made/ipython MPLCONFIGDIR=$made/matplotlib PYDEVD_DISABLE_FILE_VALIDATION=1
gonb --install --force_deps 2>"$made/install.txt" || { cat "$made/install.txt" >&2; exit 1; }

failed=0
for name in "${names[@]}"; do
  start=$SECONDS
  if ! timeout 300 jupyter-nbconvert --to notebook --execute --ExecutePreprocessor.timeout=280 \
    --log-level ERROR --output-dir "$made/run" "$name" >"$made/log.txt" 2>&1; then
    # The messages of the compiler and of the cell, without those of the kernel and nbconvert.
    sed -n '/^# gonb_/,/^$/p; /^nbclient.exceptions/,$p' "$made/log.txt" >&2
    tail -n 3 "$made/log.txt" >&2
    echo "$name: failed" >&2
    failed=1
    continue
  fi
  if [ -n "$into" ]; then
    check -keep "$into/$name" "$made/run/$name" || failed=1
  elif ! check $keep "$name" "$made/run/$name"; then
    failed=1
    continue
  fi
  echo "$name: $((SECONDS - start)) s"
done
exit $failed
