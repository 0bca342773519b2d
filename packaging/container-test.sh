#!/usr/bin/env bash
# Runs the command as the image of packaging/Containerfile does: as user 65532, with a
# root folder that contains the files of the image. It needs root, but no container
# engine:
#   bash packaging/container-test.sh ARCHIVE.tar.gz
set -euo pipefail
image=$(mktemp -d)
trap 'rm -rf "$image"' EXIT
chmod 755 "$image"
tar -xzf "$1" -C "$image" --strip-components=1 --no-same-owner --wildcards '*/loadstone'
if [[ $(readelf --program-headers "$image/loadstone") == *INTERP* ]]; then
  echo "loadstone is not a static binary" >&2
  exit 1
fi
install -d -m 1777 "$image/tmp"
install -d -o 65532 -g 65532 "$image/data"
run() { chroot --userspec=65532:65532 "$image" /loadstone "$@"; }
run --version
run demo -o /data/made >/dev/null
run describe /data/made/jobs.swf -q >/dev/null
test "$(stat -c %u "$image/data/made")" = 65532
echo "ran without any file of a distribution, as user 65532"
