#!/usr/bin/env bash
# Installs a Debian package, runs the installed command, and removes the package, as root:
#   bash packaging/deb/test.sh loadstone_..._amd64.deb
set -euo pipefail
package=$(realpath "$1")
if dpkg-query -W loadstone >/dev/null 2>&1 || [ -e /usr/bin/loadstone ]; then
  echo "loadstone is installed on this machine already; nothing was tried" >&2
  exit 1
fi
work=$(mktemp -d)
user=$(getent passwd loadstone || true)
# By Debian's policy the user of the service remains after a purge. If the test has made it,
# it is removed.
trap 'dpkg --purge loadstone >/dev/null 2>&1 || true; [ -n "$user" ] || userdel loadstone 2>/dev/null || true; rm -rf "$work"' EXIT
if command -v lintian >/dev/null; then
  lintian --fail-on error,warning "$package"
fi
dpkg -i "$package" >/dev/null
dpkg --verify loadstone
cd "$work"
/usr/bin/loadstone --version
/usr/bin/loadstone demo -o made >/dev/null
test -s made/jobs.swf
[[ $(zcat /usr/share/man/man1/loadstone-fit.1.gz) == *'.TH "LOADSTONE-FIT" "1"'* ]]
# Completion is set up in a shell that has sourced it.
bash -c 'source /usr/share/bash-completion/completions/loadstone && complete -p loadstone' >/dev/null
if command -v zsh >/dev/null; then zsh -n /usr/share/zsh/vendor-completions/_loadstone; fi
if command -v fish >/dev/null; then fish --no-execute /usr/share/fish/vendor_completions.d/loadstone.fish; fi
# The service: the unit starts the installed program, and its settings are a conffile of the package.
program=$(sed -n 's/^ExecStart=\([^ ]*\).*/\1/p' /lib/systemd/system/loadstone.service)
dpkg --search "$program" >/dev/null
settings=$(sed -n 's/^ExecStart=.*--config \([^ ]*\).*/\1/p' /lib/systemd/system/loadstone.service)
dpkg-query -W -f '${Conffiles}' loadstone | grep -q " $settings "
for file in prometheus/alerts.yml grafana/loadstone.json; do test -s "/usr/share/doc/loadstone/examples/$file"; done
if command -v systemd-analyze >/dev/null; then systemd-analyze verify /lib/systemd/system/loadstone.service; fi
if command -v systemd-sysusers >/dev/null; then getent passwd loadstone >/dev/null; fi
dpkg --purge loadstone >/dev/null
left=$(dpkg-deb --contents "$package" | awk '$1 !~ /^d/ { print substr($6, 2) }' | xargs ls -d 2>/dev/null || true)
if [ -n "$left" ]; then
  printf 'not removed:\n%s\n' "$left" >&2
  exit 1
fi
echo "installed, run and removed: $(basename "$package")"
