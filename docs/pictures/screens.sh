#!/bin/sh
# Draws the README's pictures of a report and of the service's page: report.png and service.png,
# from a synthetic log. Needs loadstone and Debian's chromium. Look at them before you commit.
set -eu
cd "$(dirname "$0")"
here=$PWD
work=$(mktemp -d)
service=
trap 'test -z "$service" || kill "$service"; rm -rf "$work"' EXIT
cd "$work"

loadstone generate --model demo --days 70 --seed 1 -q -o made.swf
loadstone simulate made.swf -q -o log.swf

picture() { # URL FILE
  chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --force-color-profile=srgb \
    --window-size=1200,900 --virtual-time-budget=5000 --screenshot="$here/$2" "$1" 2>chromium.log ||
    { cat chromium.log; exit 1; }
}

loadstone report log.swf -q -o report.html
picture "file://$work/report.html" report.png

# The service is asked on the last day of five, while jobs wait.
awk -v from=5616000 '/^;/ || $2 >= from' log.swf >live.swf
loadstone serve --replay live.swf --speed 2000 --listen 127.0.0.1:0 2>service.log &
service=$!
sleep 160
url=$(sed -n 's/.*url=\(http:[^ ]*\).*/\1/p' service.log | head -1)
until curl -s "$url/v1/status" | grep -Eq '"pending":[2-9][0-9]'; do
  kill -0 "$service" || { cat service.log; exit 1; }
  sleep 0.1
done
picture "$url/" service.png
