#!/usr/bin/env bash
# Checks the packages of this folder, without a container engine: builds a release twice
# and compares the results, installs, runs and removes its Debian package, and runs its
# binary as the image does. Lints the workflows and the Containerfile. PLATFORMS
# lists the platforms, by default two of the four of a release.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PLATFORMS=${PLATFORMS:-linux/amd64 darwin/arm64}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A linter that cannot be installed is skipped; faults that it finds are errors.
if GOBIN=$work timeout 200 go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.7 2>"$work/log"; then
  "$work/actionlint"
  echo "the workflow files are in order"
else
  echo "no actionlint: the workflow files are not checked ($(tail -n 1 "$work/log"))"
fi
if (cd "$work" && timeout 100 npm install --silent --no-audit --no-fund dockerfile-utils@0.16.3 >/dev/null 2>&1); then
  faults=$("$work/node_modules/.bin/dockerfile-utils" lint packaging/Containerfile 2>&1)
  if [ -n "$faults" ]; then
    printf '%s\n' "$faults"
    exit 1
  fi
  echo "the Containerfile is in order"
else
  echo "no dockerfile-utils: the Containerfile is not checked"
fi

# Build from a clone of the commit, without other files of this folder.
git clone -q . "$work/source"
git -C "$work/source" checkout -q --detach "$(git rev-parse HEAD)"
bash "$work/source/packaging/release.sh" "$work/out"
bash "$work/source/packaging/reproduce.sh" "$work/out"
if [ "$(id -u)" = 0 ] && [ "$(dpkg --print-architecture)" = amd64 ]; then
  bash packaging/deb/test.sh "$work"/out/*_amd64.deb
  bash packaging/container-test.sh "$work"/out/*-linux-amd64.tar.gz
else
  echo "not root on amd64: the Debian package is not installed"
fi
