#!/bin/sh
# Restarts the shop's processes one after the other, each while nginx sends nothing to it, so that not one request is lost. As root:
#   deploy/roll.sh 3000 3010
# One that does not become ready stays out of nginx, and those after it are left as they are: the others go on selling. Mend it and
# run this again. `roll.sh out PORT` and `roll.sh in PORT` only take one out of nginx and back.
# SITE: where the site is. RELOAD: how nginx is told.
set -eu

site=${SITE:-/etc/nginx/conf.d/hedgerow.conf}
reload=${RELOAD:-systemctl reload nginx}
ready_within=90

stop() { printf '%s\n' "$*" >&2; exit 1; }

line() { printf '^ *server 127\\.0\\.0\\.1:%s [^;]*;' "$1"; }
is_known() { grep -q "$(line "$1")" "$site"; }
others() { grep '^ *server 127\.0\.0\.1:[0-9]* [^;]*;' "$site" | grep -v ' down;' | grep -cv ":$1 " || true; }

change() {
  sed -i "$1" "$site"
  $reload
}
take_in() { change "/$(line "$1")/s/ down;/;/"; }
take_out() {
  [ "$(others "$1")" -gt 0 ] || stop "Beside port $1 there is no other process in $site: it would be an outage."
  change "/$(line "$1")/{s/ down;/;/;s/;/ down;/}"
  # Workers of before end what they have begun.
  sleep 1
}

only=
case ${1:-} in
  out | in) only=$1; shift ;;
esac
[ $# -gt 0 ] || stop "Usage: $0 PORT…, $0 out PORT or $0 in PORT"
[ -f "$site" ] || stop "There is no $site. Set SITE to nginx's site of the shop."
for port in "$@"; do
  case $port in *[!0-9]* | '') stop "$port is no port." ;; esac
  is_known "$port" || stop "$site has no line: server 127.0.0.1:$port max_fails=0;"
done

for port in "$@"; do
  [ "$only" = in ] || take_out "$port"
  if [ -z "$only" ]; then
    systemctl restart "hedgerow@$port"
    tries=$ready_within
    until curl -fs -o /dev/null "http://127.0.0.1:$port/readyz"; do
      tries=$((tries - 1))
      [ "$tries" -gt 0 ] ||
        stop "hedgerow@$port does not become ready, and stays out of nginx: journalctl -u hedgerow@$port. The others go on selling."
      sleep 1
    done
  fi
  [ "$only" = out ] || take_in "$port"
done
