#!/usr/bin/env bash
# Builds this commit for linux/amd64 again, in another folder and with an empty build
# cache, and compares the result with the release in FOLDER:
#   bash packaging/reproduce.sh [FOLDER]                            (default: packaging/out)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
out=$(realpath "${1:-$root/packaging/out}")
if [ -n "$(git -C "$root" status --porcelain)" ]; then
  echo "not compared: the checkout has changes that are not committed" >&2
  exit 0
fi
again=$(mktemp -d)
trap 'rm -rf "$again"' EXIT
git clone -q "$root" "$again/in/another/folder"
git -C "$again/in/another/folder" checkout -q --detach "$(git -C "$root" rev-parse HEAD)"
GOCACHE=$again/cache PLATFORMS=linux/amd64 SBOM=no bash "$again/in/another/folder/packaging/release.sh" "$again/out" >/dev/null
for file in "$again"/out/*; do
  case $file in
  */SHA256SUMS) ;;
  *)
    cmp "$file" "$out/$(basename "$file")"
    echo "the same bytes twice: $(basename "$file")"
    ;;
  esac
done
