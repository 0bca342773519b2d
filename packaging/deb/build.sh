#!/usr/bin/env bash
# Builds a Debian package from an unpacked archive; packaging/release.sh calls it:
#   build.sh ARCHIVE-FOLDER VERSION ARCHITECTURE OUT
set -euo pipefail
from=$1 version=$2-1 arch=$3 out=$4
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
maintainer='The Loadstone authors <loadstone@users.noreply.github.com>'
deb=$(mktemp -d)
trap 'rm -rf "$deb"' EXIT
chmod 755 "$deb"

put() { install -D -m 644 "$1" "$deb/$2"; }
zipped() { mkdir -p "$(dirname "$deb/$2")" && gzip -9 --no-name <"$1" >"$deb/$2"; }

install -D -m 755 "$from/loadstone" "$deb/usr/bin/loadstone"
for page in "$from"/man/*.[17]; do
  zipped "$page" "usr/share/man/man${page##*.}/$(basename "$page").gz"
done
put "$from/completions/loadstone.bash" usr/share/bash-completion/completions/loadstone
put "$from/completions/_loadstone" usr/share/zsh/vendor-completions/_loadstone
put "$from/completions/loadstone.fish" usr/share/fish/vendor_completions.d/loadstone.fish
# The live service: the unit and its settings are installed, other files are examples.
put "$from/deploy/systemd/loadstone.service" lib/systemd/system/loadstone.service
put "$here/sysusers.conf" usr/lib/sysusers.d/loadstone.conf
put "$from/deploy/serve.conf" etc/loadstone/serve.conf
doc=usr/share/doc/loadstone
for file in prometheus/alerts.yml prometheus/scrape.yml grafana/loadstone.json ondemand/form.js ondemand/apache.conf; do
  put "$from/deploy/$file" "$doc/examples/$file"
done
put "$here/copyright" $doc/copyright
zipped "$from/NOTICE" $doc/NOTICE.gz
zipped "$from/CHANGELOG.md" $doc/changelog.gz
put "$here/lintian-overrides" usr/share/lintian/overrides/loadstone

printf 'loadstone (%s) unstable; urgency=medium\n\n  * See changelog.gz.\n\n -- %s  %s\n' \
  "$version" "$maintainer" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" >"$deb/changelog"
zipped "$deb/changelog" $doc/changelog.Debian.gz
rm "$deb/changelog"

size=$(du -k -s --apparent-size "$deb" | cut -f1)
(cd "$deb" && find usr lib -type f -print0 | sort -z | xargs -0 md5sum) >"$deb/md5sums"
mkdir "$deb/DEBIAN"
mv "$deb/md5sums" "$deb/DEBIAN/md5sums"
sed -e "s/@VERSION@/$version/" -e "s/@ARCH@/$arch/" -e "s/@SIZE@/$size/" -e "s/@MAINTAINER@/$maintainer/" \
  "$here/control.in" >"$deb/DEBIAN/control"
echo /etc/loadstone/serve.conf >"$deb/DEBIAN/conffiles"
chmod 644 "$deb"/DEBIAN/*
install -m 755 "$here/postinst" "$deb/DEBIAN/postinst"
dpkg-deb --root-owner-group -Zxz --build "$deb" "$out/loadstone_${version}_$arch.deb" >/dev/null
