#!/bin/sh
# Restores the newest backup of the shop's database into a folder of its own, starts a shop on it that sends nothing and runs no
# jobs, checks the copy, says how it went, and removes all of it. Usage: restore-test.sh [--newest-within MINUTES]
# In the environment: the shop's settings, as its unit has them. Of this script: STANZA (shop), REPO (1), COPY_PORT (5499),
# PG_BIN (/usr/lib/postgresql/15/bin), STATE_DIRECTORY (where the copy goes), METRICS (a file for node_exporter; unset: none).
set -eu

stanza=${STANZA:-shop}
repo=${REPO:-1}
port=${COPY_PORT:-5499}
bin=${PG_BIN:-/usr/lib/postgresql/15/bin}
home=${STATE_DIRECTORY:-/var/lib/hedgerow-restore-test}
root=$(cd "$(dirname "$0")/../.." && pwd)
copy=$home/copy
began=$(date +%s)
ended=0

: "${DATABASE_URL:?is not set: run this with the settings of the shop}"
[ "$(id -u)" != 0 ] || { echo 'PostgreSQL does not run as root: run this as postgres.' >&2; exit 2; }

tell() {
  [ -n "${METRICS:-}" ] || return 0
  {
    echo "hedgerow_restore_test_success $1"
    echo "hedgerow_restore_test_timestamp_seconds $(date +%s)"
    echo "hedgerow_restore_test_duration_seconds $(($(date +%s) - began))"
  } >"$METRICS.new"
  chmod 0644 "$METRICS.new"
  mv "$METRICS.new" "$METRICS"
}

clean() {
  "$bin/pg_ctl" -D "$copy/data" -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$copy"
}

end() {
  clean
  tell "$ended"
  [ "$ended" = 1 ] || echo 'The restore test FAILED.' >&2
}
trap end EXIT
trap 'exit 1' INT TERM HUP

clean
mkdir -p "$copy/socket"
chmod 0700 "$copy" "$copy/socket"

pgbackrest --stanza="$stanza" --repo="$repo" --pg1-path="$copy/data" --log-level-console=warn restore
echo "Restored the files in $(($(date +%s) - began)) s."

# Settings of its own: it archives nothing, follows nobody, and listens on this machine only.
cat >"$copy/postgresql.conf" <<END
data_directory = '$copy/data'
hba_file = '$copy/pg_hba.conf'
listen_addresses = '127.0.0.1'
port = $port
unix_socket_directories = '$copy/socket'
archive_mode = off
primary_conninfo = ''
hot_standby = off
autovacuum = off
fsync = off
END
# The shop logs in with its own password, which the copy knows.
echo 'host all all 127.0.0.1/32 scram-sha-256' >"$copy/pg_hba.conf"

# Whatever the copy brought along gives way to this, but for how to fetch what was archived.
options="-c config_file=$copy/postgresql.conf -c archive_mode=off -c listen_addresses=127.0.0.1 -c port=$port"
options="$options -c unix_socket_directories=$copy/socket -c hba_file=$copy/pg_hba.conf -c ssl=off"
"$bin/pg_ctl" -D "$copy/data" -l "$copy/postgresql.log" -t 3600 -w -o "$options" start >/dev/null ||
  { tail -n 20 "$copy/postgresql.log" >&2; exit 1; }
until "$bin/pg_isready" -q -h 127.0.0.1 -p "$port"; do
  "$bin/pg_ctl" -D "$copy/data" status >/dev/null || { tail -n 20 "$copy/postgresql.log" >&2; exit 1; }
  sleep 1
done
echo "Brought up to the newest change in $(($(date +%s) - began)) s."

DATABASE_URL=$(node -e "
  const url = new URL(process.env.DATABASE_URL)
  Object.assign(url, { hostname: '127.0.0.1', port: '$port', search: '' })
  console.log(url.href)")
export DATABASE_URL
cd "$root"
node apps/api/src/try-copy.ts
node apps/api/src/ops.ts check-copy "$@"
ended=1
echo "The newest backup can be restored; it took $(($(date +%s) - began)) s with all checks."
