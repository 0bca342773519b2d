#!/usr/bin/env bash
# Builds a release from the commit that is checked out:
#   bash packaging/release.sh [FOLDER]                             (default: packaging/out)
#   PLATFORMS=linux/amd64 bash packaging/release.sh                only one platform
# FOLDER then has an archive and a Python wheel for each platform, a Debian package for
# each Linux platform, an SBOM (CycloneDX; SBOM=no omits it) and SHA256SUMS. Archives and
# packages contain the files of packaging/deploy. It needs Go, GNU tar and dpkg-deb; wheels
# need python3 with pip, setuptools and wheel, such as Debian's. The same commit and the
# same tools give the same bytes in any folder; packaging/reproduce.sh checks it.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
out=${1:-packaging/out}
platforms=${PLATFORMS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64}

# The caller's environment must not affect the bytes.
export GOFLAGS=-trimpath CGO_ENABLED=0 GOAMD64=v1 GOARM64=v8.0 LC_ALL=C TZ=UTC
unset GOOS GOARCH GOEXPERIMENT
umask 022
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

# The version is that in the source; the tag of a release must agree with it.
number=$(sed -n 's/^const Number = "\(.*\)"$/\1/p' internal/version/version.go)
version=$number-dev.$(git rev-parse --short=12 HEAD)
tag=$(git tag --points-at HEAD 'v*')
if [ -n "$tag" ]; then
  version=$number
  if [ "$tag" != "v$number" ]; then
    echo "the tag of this commit is $tag, but internal/version says $number" >&2
    exit 1
  fi
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf "$out"
mkdir -p "$out"

build() { go build -buildvcs=true -ldflags '-s -w' -o "$1" ./cmd/loadstone; }

wheels=yes
if ! "${PYTHON:-/usr/bin/python3}" -c 'import setuptools, pip, wheel' 2>/dev/null; then
  wheels=no
  echo "no Python wheels: ${PYTHON:-/usr/bin/python3} has no pip, setuptools or wheel" >&2
  if [ -n "$tag" ]; then exit 1; fi # a release must have them
fi

# Manual pages and completions are the same for all platforms; a command built for this machine
# writes them.
build "$work/loadstone"
"$work/loadstone" man "$work/man" >/dev/null
mkdir "$work/completions"
"$work/loadstone" completion bash >"$work/completions/loadstone.bash"
"$work/loadstone" completion zsh >"$work/completions/_loadstone"
"$work/loadstone" completion fish >"$work/completions/loadstone.fish"

for platform in $platforms; do
  export GOOS=${platform%/*} GOARCH=${platform#*/}
  name=loadstone-$version-$GOOS-$GOARCH
  mkdir "$work/$name"
  build "$work/$name/loadstone"
  cp -r "$work/man" "$work/completions" LICENSE NOTICE README.md CHANGELOG.md CITATION.cff "$work/$name"
  mkdir "$work/$name/deploy" # without the Dockerfile, which builds from source
  cp -r packaging/deploy/{serve.conf,systemd,prometheus,grafana,ondemand} "$work/$name/deploy"
  tar --create --sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
    --mtime="@$SOURCE_DATE_EPOCH" --directory "$work" "$name" | gzip -9 --no-name >"$out/$name.tar.gz"
  if [ "$GOOS" = linux ]; then
    bash packaging/deb/build.sh "$work/$name" "${version/-dev./~dev.}" "$GOARCH" "$out"
  fi
  if [ "$wheels" = yes ]; then bash python/build.sh -o "$out" >/dev/null; fi
done
unset GOOS GOARCH

# The SBOM lists the modules of linux/amd64 with their licences. Its time is that of the
# commit.
sbom=$out/loadstone-$version.cdx.json
if [ "${SBOM:-yes}" = no ]; then
  :
elif timeout 300 go run github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.9.0 \
  app -json -licenses -noserial -std -main cmd/loadstone -output "$sbom" . 2>"$work/sbom.log"; then
  sed -i "s/\"timestamp\": \"[^\"]*\"/\"timestamp\": \"$(date -u -d "@$SOURCE_DATE_EPOCH" +%FT%TZ)\"/" "$sbom"
else
  tail -n 5 "$work/sbom.log" >&2
  if [ -n "$tag" ]; then exit 1; fi # a release must have one
  echo "no SBOM: cyclonedx-gomod cannot be built or run here" >&2
  rm -f "$sbom"
fi
(cd "$out" && sha256sum -- * >"$work/sums" && mv "$work/sums" SHA256SUMS && cat SHA256SUMS)
