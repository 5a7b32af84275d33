#!/bin/sh
# What compose.yaml mounts, made of the settings in /etc/hedgerow/hedgerow.env: nginx's sites, how the database is reached, folders.
# As root; again after each change of PUBLIC_URL or CONSOLE_URL, and with each release. What is secret stays as it is.
set -eu
cd "$(dirname "$0")"
settings=/etc/hedgerow/hedgerow.env
fail() { echo "$1" >&2; exit 1; }
[ -r $settings ] || fail "There is no $settings."
grep -nE "^[A-Za-z0-9_]+=[\"']" $settings >&2 && fail "Engines of containers keep quotes: take them away in these lines of $settings."

host_of() { sed -n "s,^$1=https://\([^/:]*\).*,\1,p" $settings | tail -n 1; }
shop=$(host_of PUBLIC_URL)
console=$(host_of CONSOLE_URL)
[ -n "$shop" ] || fail "PUBLIC_URL=https://… is missing in $settings."
[ -n "$console" ] || fail "CONSOLE_URL=https://… is missing in $settings."

umask 022
# For certificates of your own authority, and for legal texts.
install -d /etc/hedgerow/ca /etc/hedgerow/legal /etc/hedgerow/nginx /var/www/acme
install -d -o 1000 -g 1000 /var/cache/hedgerow
install -d -o 1000 -g 1000 -m 0700 /var/lib/hedgerow-backups
umask 077
[ -e /etc/hedgerow/database-password ] || od -An -N24 -tx1 /dev/urandom | tr -d ' \n' >/etc/hedgerow/database-password
password=$(cat /etc/hedgerow/database-password)
cat >/etc/hedgerow/database.env <<END
POSTGRES_PASSWORD=$password
DATABASE_URL=postgres://hedgerow:$password@database:5432/hedgerow
END
umask 022

# The shop is another container, whose address changes: nginx looks its name up, at the server that its command writes down.
site() {
  sed -e '/^upstream /,/^}/d' \
    -e 's,proxy_pass http://\(hedgerow[a-z_]*\);,proxy_pass http://$\1;,' \
    -e 's,/var/log/nginx/hedgerow\.log,/dev/stdout,; s,/var/log/nginx/hedgerow[a-z-]*-error\.log,/dev/stderr,' \
    -e 's,/opt/hedgerow/apps/storefront/dist,/var/cache/hedgerow/pages/storefront,' \
    -e 's,/etc/nginx/hedgerow-maintenance,/run/hedgerow-maintenance,' \
    -e "s/shop\.example/$shop/g; s/console\.example/$console/g" "$1"
}
{
  echo 'include /run/resolver.conf;'
  # shellcheck disable=SC2016 # nginx' own variables
  echo 'map "" $hedgerow { default shop:3000; }'
  # shellcheck disable=SC2016
  echo 'map "" $hedgerow_console { default shop:3002; }'
  site ../nginx.conf
} >/etc/hedgerow/nginx/hedgerow.conf
site ../nginx-console.conf >/etc/hedgerow/nginx/hedgerow-console.conf
echo "Sites of https://$shop and https://$console are in /etc/hedgerow/nginx."
for name in "$shop" "$console"; do
  [ -e "/etc/letsencrypt/live/$name/fullchain.pem" ] || echo "Still needed: /etc/letsencrypt/live/$name/fullchain.pem and privkey.pem."
done
