#!/bin/sh
# Turns a bare Debian server (12 or 13) into a shop: Node.js, PostgreSQL, nginx, a certificate, the units and the settings. As root,
# in the folder of a release (docs/running.md):
#   sh install-shop.sh
# or with this file alone:
#   sh install-shop.sh --from https://releases.example/1.0.0 --release-key KEY
# Run again, it repairs what is missing and leaves what stands; with another release it goes there, forwards or back.
set -eu

usage() {
  cat <<'END'
install-shop.sh [--archive FILE | --from URL] [options]
  --archive FILE      the shop's archive; the agent's, for its Node.js, and SHA256SUMS lie beside it. Otherwise the one in this folder
  --from URL          fetches the release from there; wants --release-key
  --release-key KEY   the public key that releases are signed with (npm run release -- --new-key prints it)
  --unattended FILE   settings, NAME=value as in .env.example; asks nothing
  --certificate FILE --key FILE
                      a certificate of your own authority, for the shop's name and the console's. Otherwise Let's Encrypt's, and
                      one that nobody trusts until the names lead here
  --acme-server URL   another authority that speaks ACME
  --check             only looks whether the machine and the settings are right
  --uninstall         takes the shop away; its data and settings stay
END
}

# As the settings have them (platform/settings/secret-files.ts): each in a file of its own.
SECRETS='DATABASE_URL KEY_ENCRYPTION_KEY KEY_ENCRYPTION_KEYS_ACCEPTED SMTP_URL GATE_SECRET DATA_API_TOKEN DATA_API_SECRET STRIPE_KEY STRIPE_WEBHOOK_SECRETS BTCPAY_KEY BTCPAY_WEBHOOK_SECRETS SSO_CLIENT_SECRET BACKUP_S3_KEY BACKUP_S3_SECRET'

etc=/etc/hedgerow
settings=$etc/hedgerow.env
tls=$etc/tls
record=$etc/installed
units=/etc/systemd/system
sites=/etc/nginx/conf.d
tool=/usr/local/sbin/hedgerow-ops
acme_root=/var/www/acme
backups=/var/lib/hedgerow-backups
lock=/run/hedgerow-install.lock
socket_url='postgres://hedgerow@localhost/hedgerow?host=/var/run/postgresql'

say() { printf '%s\n' "$*"; }
step() { printf '\n— %s\n' "$*"; }
warn() { printf 'Note: %s\n' "$*" >&2; }
stop() {
  printf '%s\n' "$*" >&2
  exit 1
}

# --- Settings -------------------------------------------------------------------------------------------------------------

# The value of a name in a file of NAME=value, without its quotes; nothing of the file is executed.
value_in() {
  [ -r "$1" ] || return 0
  sed -n "s/^[[:space:]]*$2=//p" "$1" | tail -n 1 | sed -e 's/[[:space:]]*$//' \
    -e "/^'.*'\$/{s/^'//;s/'\$//;b" -e '}' -e '/^".*"$/{s/^"//;s/"$//;s/\\\([\\"$`]\)/\1/g;}'
}
# As systemd and the shell read it alike.
line_of() { printf '%s="%s"\n' "$1" "$(printf '%s' "$2" | sed 's/[\\"$`]/\\&/g')"; }
# The first line that systemd and the shell would not read alike, as one with blanks and without quotes.
line_read_twice() {
  grep -nvE "^[[:space:]]*(#.*)?\$|^[[:space:]]*[A-Z][A-Z0-9_]*=(\"([^\"\\\$\`]|\\\\.)*\"|'[^']*'|[A-Za-z0-9_@%+=:,./?#*!-]*)[[:space:]]*\$" "$1" |
    head -n 1 | cut -d: -f1
}
is_secret() { case " $SECRETS " in *" $1 "*) ;; *) return 1 ;; esac; }

# Where a secret is, or will be.
file_of() {
  named=$(value_in "$settings" "$1_FILE")
  printf '%s' "${named:-$etc/secrets/$1}"
}

# What stands, or what the file for this run says.
setting() {
  found=$(value_in "$settings" "$1")
  [ -n "$found" ] || ! is_secret "$1" || found=$(cat "$(file_of "$1")" 2>/dev/null || true)
  [ -n "$found" ] || found=$(value_in "$given" "$1")
  printf '%s' "$found"
}

# Settles a setting where it does not stand.
settle() {
  [ -n "$2" ] || return 0
  if is_secret "$1" && [ "$2" != "$socket_url" ]; then
    [ -z "$(value_in "$settings" "$1")" ] || return 0
    # One elsewhere is not ours to write, and another beside it would be taken for it.
    [ "$(file_of "$1")" = "$etc/secrets/$1" ] || return 0
    [ -s "$etc/secrets/$1" ] || (umask 077 && printf '%s\n' "$2" >"$etc/secrets/$1")
    [ -n "$(value_in "$settings" "$1_FILE")" ] || line_of "$1_FILE" "$etc/secrets/$1" >>"$settings"
  elif [ -z "$(value_in "$settings" "$1")" ]; then
    line_of "$1" "$2" >>"$settings"
  fi
}

# Asks for a setting that stands nowhere: its name, the words, what Enter means, what an answer looks like. Asks again until one does.
ask() {
  [ -z "$(setting "$1")" ] || return 0
  if [ "$is_unattended" = yes ]; then
    if [ -n "${3:-}" ]; then line_of "$1" "$3" >>"$given"; else missing="$missing $1"; fi
    return 0
  fi
  printf '%s\n' "$2" >/dev/tty
  while :; do
    printf '%s: ' "$1" >/dev/tty
    is_secret "$1" && stty -echo </dev/tty
    IFS= read -r answer </dev/tty || { stty echo </dev/tty && stop "$1 is needed. Run this again when you have it; nothing was changed."; }
    is_secret "$1" && stty echo </dev/tty && printf '\n' >/dev/tty
    [ -n "$answer" ] || answer=${3:-}
    if printf '%s\n' "$answer" | grep -qxE "${4:-.+}"; then break; fi
    printf 'That will not do. Once more, or Ctrl-C: nothing was changed.\n' >/dev/tty
  done
  line_of "$1" "$answer" >>"$given"
}

address='https://[a-z0-9.-]+/?'
mailbox='[^@[:space:]]+@[^@[:space:]]+'
host_of() { printf '%s' "$1" | sed -e 's,^https://,,' -e 's,/*$,,'; }

read_settings() {
  given=$work/given.env
  : >"$given"
  is_unattended=no
  if [ -n "$unattended" ]; then
    [ -r "$unattended" ] || stop "$unattended cannot be read."
    is_unattended=yes
    wrong=$(grep -nvE '^[[:space:]]*(#.*)?$|^[[:space:]]*[A-Z][A-Z0-9_]*=' "$unattended" | head -n 1 | cut -d: -f1)
    [ -z "$wrong" ] || stop "$unattended, line $wrong: that is no NAME=value."
    cat "$unattended" >"$given"
    echo >>"$given"
  elif ! (: </dev/tty) 2>/dev/null; then
    is_unattended=yes
  fi
  if [ -r "$settings" ]; then
    wrong=$(line_read_twice "$settings")
    [ -z "$wrong" ] || stop "$settings, line $wrong: write it as NAME=\"value\", or systemd and the shell read different things. Nothing was changed."
  fi
  missing=
  ask PUBLIC_URL 'The address at which customers find the shop, as https://shop.example.' '' "$address"
  public_url=$(setting PUBLIC_URL)
  [ -n "$public_url" ] || stop 'PUBLIC_URL is needed, the address at which customers find the shop: put it into a file, and name it by --unattended.'
  domain=$(host_of "$public_url")
  case $public_url in https://*) ;; *) domain='' ;; esac
  case $domain in *[!a-z0-9.-]* | '') stop "PUBLIC_URL is $public_url: it has to be https:// and a host name." ;; esac
  ask CONSOLE_URL "The address at which you run it, with a host name of its own (Enter: https://console.$domain)." "https://console.$domain" "$address"
  console_url=$(setting CONSOLE_URL)
  console_domain=$(host_of "$console_url")
  case $console_domain in *[!a-z0-9.-]* | '' | "$domain") stop "CONSOLE_URL is $console_url: it has to be https:// and a host name of its own." ;; esac
  ask BRAND_NAME 'The name of the shop (Enter: Hedgerow).' Hedgerow
  ask BRAND_COMPANY 'The company, by its legal name.'
  ask BRAND_COMPANY_NUMBER 'Its number in the register.'
  ask BRAND_REGISTERED_OFFICE 'Its registered office, as it stands in letters.'
  ask BRAND_VAT_NUMBER 'Its VAT number.'
  ask BRAND_EMAIL 'How customers reach it by email.' '' "$mailbox"
  email=$(setting BRAND_EMAIL)
  ask OPERATOR_EMAIL "Where messages to you go (Enter: $email)." "$email" "$mailbox"
  ask SMTP_URL 'Your mail server, as smtps://USER:PASSWORD@HOST:465 or smtp://USER:PASSWORD@HOST:587. Not shown as you type, like each secret.' '' 'smtps?://.+'
  if [ -z "$(setting STRIPE_KEY)" ]; then
    ask GATE_URL 'The address of your payment gateway, as it gave it to you. (For Stripe alone put STRIPE_KEY into a file for --unattended.)' '' 'https?://.+'
    ask GATE_PROJECT_ID 'The number of your project there.'
    ask GATE_SECRET 'Its secret.'
  else
    ask STRIPE_WEBHOOK_SECRETS "What Stripe shows for the webhook $public_url/api/v1/payment/stripe."
  fi
  if [ -z "$(setting LEGAL_TERMS_FILE)" ] || [ -z "$(setting LEGAL_PRIVACY_FILE)" ]; then
    ask LEGAL_REVIEWED 'The day on which a lawyer reviewed the terms and the privacy policy, as 2026-11-23.' '' '20[0-9]{2}-[0-9]{2}-[0-9]{2}'
  fi
  [ -z "$missing" ] || stop "These settings are needed, and missing:$missing. Put them into a file, NAME=value a line, and name it by --unattended."
  if [ "$is_unattended" = no ] && [ -s "$given" ]; then
    printf 'Is all of it right? Enter goes on, Ctrl-C ends this, and nothing was changed: ' >/dev/tty
    read -r answer </dev/tty || stop 'Nothing was changed.'
  fi
}

write_settings() {
  install -d -m 0755 "$etc"
  install -d -m 0700 -o hedgerow -g hedgerow "$etc/secrets" "$backups"
  # Without a change where it is there: its time says whether the shop has read it.
  (umask 077 && : >>"$settings")
  before=$(sha256sum <"$settings")
  chown root:root "$settings"
  chmod 0600 "$settings"
  [ -s "$settings" ] || say '# Settings of Hedgerow, one NAME="value" a line; .env.example has all there are. systemd and hedgerow-ops read them.' >"$settings"
  settle NODE_ENV production
  settle PUBLIC_URL "$public_url"
  settle CONSOLE_URL "$console_url"
  settle TRUSTED_PROXIES 127.0.0.1,::1
  backup_dir=$(setting BACKUP_DIR)
  settle BACKUP_DIR "${backup_dir:-$backups}"
  settle DATABASE_URL "$database_url"
  settle KEY_ENCRYPTION_KEY "$(setting KEY_ENCRYPTION_KEY)"
  settle KEY_ENCRYPTION_KEY "$(head -c 32 /dev/urandom | base64)"
  brand=$(setting BRAND_NAME)
  sender=$(setting MAIL_FROM)
  settle MAIL_FROM "${sender:-${brand:-Hedgerow} <$email>}"
  # shellcheck disable=SC2013 # names have no blanks
  for name in $(sed -n 's/^[[:space:]]*\([A-Z][A-Z0-9_]*\)=.*/\1/p' "$given" | sort -u); do
    settle "$name" "$(setting "$name")"
  done
  # Also backups of a shop that was uninstalled: its user had another number.
  chown -R hedgerow:hedgerow "$etc/secrets" "$backups"
  chmod -R u=rwX,go= "$etc/secrets"
  if [ "$(sha256sum <"$settings")" = "$before" ]; then
    say "$settings stands as it was."
  else
    must_restart=yes
    say "$settings, and the secrets in $etc/secrets: keep a copy of KEY_ENCRYPTION_KEY apart from the backups."
  fi
}

# Whose shop it is stands in its pages: they are written by the settings, where those are others than before.
write_pages() {
  wanted=$(grep -E '^(PUBLIC_URL|BRAND_[A-Z_]*)=' "$settings" | sort | sha256sum)
  [ "$(cat "$target/.pages" 2>/dev/null)" != "$wanted" ] || return 0
  (
    set -a
    # shellcheck disable=SC1090
    . "$settings"
    cd "$target"
    bin/node apps/storefront/prerender.ts && bin/node apps/console/name-shop.ts
  ) >"$work/pages" 2>&1 || {
    cat "$work/pages" >&2
    stop "The pages could not be written, see above."
  }
  printf '%s\n' "$wanted" >"$target/.pages"
  must_restart=yes
  say "The pages are those of $public_url."
}

# --- The machine ----------------------------------------------------------------------------------------------------------

# Two at once would draw two keys for one database.
one_at_a_time() {
  exec 9>"$lock"
  flock -n 9 || stop 'This script is running already: wait until it has ended.'
}

check_machine() {
  [ "$(id -u)" = 0 ] || stop 'Run this as root.'
  command -v apt-get >/dev/null || stop 'This script is for Debian 12 and 13: apt-get is missing.'
  debian=$(value_in /etc/os-release VERSION_ID)
  case "$(value_in /etc/os-release ID) $debian" in
    'debian 12' | 'debian 13') ;;
    *) stop "This is $(value_in /etc/os-release PRETTY_NAME); the shop is installed on Debian 12 or 13." ;;
  esac
  [ -d /run/systemd/system ] || stop 'This machine was not started by systemd, which runs the shop.'
  case $(uname -m) in
    x86_64) arch=x64 ;;
    aarch64) arch=arm64 ;;
    *) stop "The shop runs on x86_64 and aarch64, and this is $(uname -m)." ;;
  esac
  memory=$(($(sed -n 's/^MemTotal: *\([0-9]*\).*/\1/p' /proc/meminfo) / 1024))
  [ "$memory" -ge 450 ] || stop "The machine has $memory MB of memory; the shop and its database want 512 MB."
  room=$(df -Pm /opt /var | awk 'NR > 1 { if (!least || $4 < least) least = $4 } END { print least }')
  [ "$room" -ge 2000 ] || stop "There are $room MB free; the installation wants 2000 MB in /opt and /var."
  say "Debian $debian on $arch, $memory MB of memory, $room MB free."
}

# Both ports are nginx's, or nobody's. What listens is told by the kernel, without a program that may not be there.
check_ports() {
  systemctl is-active -q nginx && return 0
  for port in 80 443; do
    hex=$(printf ':%04X ' "$port")
    if cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk '$4 == "0A" { print $2 " " }' | grep -q "$hex"; then
      stop "Another program listens on port $port, which nginx needs: ss -ltnp 'sport = $port' names it. End it, and run this again."
    fi
  done
}

check_names() {
  for name in "$domain" "$console_domain"; do
    found=$(getent ahosts "$name" | awk '{ print $1 }' | sort -u | tr '\n' ' ')
    if [ -z "$found" ]; then
      warn "$name has no address yet. Let it lead to this server; until then nobody gets there."
    else
      say "$name is ${found% }."
    fi
  done
}

install_packages() {
  wanted='ca-certificates curl nginx openssl'
  [ "$has_own_database" = no ] || wanted="$wanted postgresql"
  [ -n "$certificate" ] || wanted="$wanted certbot"
  missing=
  for package in $wanted; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)" = installed ] || missing="$missing $package"
  done
  if [ -z "$missing" ]; then
    say "Debian's packages are there."
    return
  fi
  say "Debian's packages:$missing"
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing >"$work/apt.log" 2>&1; } || {
    tail -n 5 "$work/apt.log" 2>/dev/null >&2
    stop 'apt-get failed, see above. Run this again when Debian can be reached.'
  }
}

# --- The release ----------------------------------------------------------------------------------------------------------

fetch() {
  curl -fsSL --proto '=https' --retry 3 -o "$work/$1" "$from/$1" || stop "$from/$1 could not be fetched."
}

# Everything else depends on this: what is not in the signed list is not unpacked.
verify() {
  if [ -n "$release_key" ]; then
    [ -r "$folder/SHA256SUMS.sig" ] || stop "There is no SHA256SUMS.sig in $folder: the release was not signed."
    printf '%s' "$release_key" | base64 -d >"$work/key.der" 2>/dev/null || stop 'The release key is no line of Base64.'
    base64 -d "$folder/SHA256SUMS.sig" >"$work/signature"
    openssl pkeyutl -verify -pubin -keyform DER -inkey "$work/key.der" -rawin -in "$folder/SHA256SUMS" \
      -sigfile "$work/signature" >/dev/null 2>&1 ||
      stop "The signature of $folder/SHA256SUMS is not of that release key. Nothing of it was installed."
    [ $# -eq 0 ] || say 'The signature is right.'
  else
    warn 'The signature was not looked at: --release-key KEY does.'
  fi
  for file in "$@"; do
    line=$(grep -E "^[0-9a-f]{64}  $(printf '%s' "$file" | sed 's/[.]/[.]/g')\$" "$folder/SHA256SUMS") ||
      stop "$folder/SHA256SUMS does not name $file."
    (cd "$folder" && printf '%s\n' "$line" | sha256sum --check --strict --status) ||
      stop "$file is not the one of SHA256SUMS: fetch it again. Nothing of it was installed."
  done
}

find_release() {
  if [ -n "$from" ]; then
    [ -n "$release_key" ] || stop '--from wants --release-key: what is fetched is installed only if its signature is right.'
    case $from in https://*) ;; *) stop '--from wants an address that begins with https://.' ;; esac
    command -v curl >/dev/null && command -v openssl >/dev/null ||
      { apt-get update -qq && apt-get install -y -qq --no-install-recommends ca-certificates curl openssl >/dev/null 2>&1; } ||
      stop 'curl and openssl could not be installed.'
    folder=$work
    fetch SHA256SUMS
    fetch SHA256SUMS.sig
    verify
    shop=$(sed -n 's/^[0-9a-f]*  \(hedgerow-[0-9][^/]*\.tar\.gz\)$/\1/p' "$work/SHA256SUMS")
    [ -n "$shop" ] || stop "$from/SHA256SUMS names no archive of the shop."
  else
    if [ -z "$archive" ]; then
      here=$(dirname "$0")
      for archive in "$here"/hedgerow-[0-9]*.tar.gz; do
        [ "$archive" = "$here/hedgerow-[0-9]*.tar.gz" ] && stop 'There is no archive of the shop beside this file: name it by --archive, or --from.'
      done
    fi
    [ -r "$archive" ] || stop "$archive cannot be read."
    folder=$(cd "$(dirname "$archive")" && pwd)
    shop=$(basename "$archive")
    [ -r "$folder/SHA256SUMS" ] || stop "SHA256SUMS of the release has to lie beside $archive."
    [ -z "$release_key" ] || command -v openssl >/dev/null ||
      { apt-get update -qq && apt-get install -y -qq --no-install-recommends openssl >/dev/null 2>&1; } || stop 'openssl could not be installed.'
  fi
  version=${shop#hedgerow-}
  version=${version%.tar.gz}
  case $version in '' | *[!A-Za-z0-9.-]*) stop "$shop is no archive of the shop." ;; esac
  target=/opt/hedgerow-$version
  agent=hedgerow-agent-$version-linux-$arch.tar.gz
  if [ -n "$from" ]; then
    fetch "$shop"
    fetch "$agent"
  fi
  [ -r "$folder/$agent" ] || stop "$agent has to lie beside $shop: its Node.js is the shop's."
  verify "$shop" "$agent"
}

unpack() {
  if [ -e "$target/bin/node" ] && [ "$(cat "$target/.unpacked" 2>/dev/null)" = "$(sha256sum <"$folder/$shop")" ]; then
    say "$target is there."
    return
  fi
  # Beside its place, so that a folder with that name is whole.
  rm -rf "$target.new"
  install -d -m 0755 "$target.new"
  tar -xzf "$folder/$shop" -C "$target.new" --no-same-owner --strip-components=1
  install -d -m 0755 "$target.new/bin"
  tar -xzOf "$folder/$agent" "${agent%.tar.gz}/node" >"$target.new/bin/node"
  chmod 0755 "$target.new/bin/node"
  "$target.new/bin/node" --version >/dev/null 2>&1 || stop "The release's Node.js does not run on this machine: $("$target.new/bin/node" --version 2>&1 | head -n 1)"
  sha256sum <"$folder/$shop" >"$target.new/.unpacked"
  rm -rf "$target"
  mv "$target.new" "$target"
  say "$target, with Node.js $("$target/bin/node" --version)."
}

# --- Files of the machine -------------------------------------------------------------------------------------------------

# Writes what comes on the standard input to a file, where that is another. A file that was changed by hand since stays, and the
# new one is put beside it.
put() {
  cat >"$work/put"
  new=$(sha256sum <"$work/put" | cut -c 1-64)
  old=
  [ ! -e "$1" ] || old=$(sha256sum <"$1" | cut -c 1-64)
  [ "$new" != "$old" ] || { note_put "$1" "$new"; return 0; }
  ours=$(awk -v file="$1" '$2 == file { print $1 }' "$record" 2>/dev/null | tail -n 1)
  if [ -n "$old" ] && [ -n "$ours" ] && [ "$old" != "$ours" ]; then
    # The same again is no news.
    [ "$new" = "$ours" ] && return 0
    install -m "$2" "$work/put" "$1.new"
    warn "$1 was changed by hand and stays; this release's is $1.new."
    return 0
  fi
  [ -z "$old" ] || [ -n "$ours" ] || cp -p "$1" "$1.before"
  install -m "$2" "$work/put" "$1"
  note_put "$1" "$new"
  changed="$changed $1"
  say "$1"
}
note_put() {
  { [ ! -e "$record" ] || grep -v " $1\$" "$record" || true; } >"$work/record"
  printf '%s %s\n' "$2" "$1" >>"$work/record"
  install -m 0600 "$work/record" "$record"
}
has_changed() { case "$changed " in *" $1"*) ;; *) return 1 ;; esac; }

make_user() {
  id hedgerow >/dev/null 2>&1 || useradd --system --home-dir /nonexistent --shell /usr/sbin/nologin hedgerow
}

as_postgres() { (cd / && runuser -u postgres -- psql -XAtq -v ON_ERROR_STOP=1 "$@"); }

make_database() {
  [ "$has_own_database" = yes ] || { say "The database is where DATABASE_URL says."; return; }
  systemctl enable -q --now postgresql
  tries=30
  until as_postgres -c 'select 1' >/dev/null 2>&1; do
    tries=$((tries - 1))
    # A cluster that failed before counts as started to systemd.
    [ "$tries" -ne 20 ] || systemctl restart postgresql
    [ "$tries" -gt 0 ] || stop 'PostgreSQL does not answer at /var/run/postgresql: see journalctl -u "postgresql*".'
    sleep 1
  done
  # Known by its user of the system: there is no password that could leak.
  [ "$(as_postgres -c "select 1 from pg_roles where rolname = 'hedgerow'")" = 1 ] || as_postgres -c 'create role hedgerow login'
  if [ "$(as_postgres -c "select 1 from pg_database where datname = 'hedgerow'")" = 1 ]; then
    say 'The database hedgerow is there.'
  else
    as_postgres -c "create database hedgerow owner hedgerow encoding 'UTF8' template template0"
    say 'The database hedgerow was made.'
  fi
}

put_tool() {
  put "$tool" 0755 <<'END'
#!/bin/sh
# The operator's tool (npm run ops -- of the documents), with the shop's settings, as the shop's user.
[ "$(id -u)" = 0 ] || { echo 'Run this as root.' >&2; exit 1; }
# A line that is no setting ends it: the shop, which systemd starts, might have it.
set -aeu
HEDGEROW_OPERATOR=${HEDGEROW_OPERATOR:-${SUDO_USER:-root}}
INIT_CWD=$PWD
. /etc/hedgerow/hedgerow.env
cd /opt/hedgerow || exit 1
exec setpriv --reuid hedgerow --regid hedgerow --init-groups -- bin/node apps/api/src/ops.ts "$@"
END
}

ops() { "$tool" "$@"; }

# Of releases up to 1.0: the shop makes the nightly backup itself.
drop_backup_timer() {
  [ -e "$units/hedgerow-backup.timer" ] || return 0
  systemctl disable -q --now hedgerow-backup.timer
  rm -f "$units"/hedgerow-backup.service "$units"/hedgerow-backup.timer
}

put_units() {
  for unit in hedgerow.service hedgerow@.service; do
    put "$units/$unit" 0644 <"$target/deploy/$unit"
  done
  drop_backup_timer
  systemctl daemon-reload
}

# --- nginx ----------------------------------------------------------------------------------------------------------------

names_in() { openssl x509 -noout -checkhost "$2" -in "$1" 2>/dev/null | grep -q 'does match'; }

# nginx takes no site without a certificate, and nobody gets a certificate without a site: one that nobody trusts comes first.
make_certificate() {
  install -d -m 0755 "$tls"
  if [ -n "$certificate" ]; then
    for name in "$domain" "$console_domain"; do
      names_in "$certificate" "$name" || stop "$certificate is not for $name: make one for both names."
    done
    [ "$(openssl x509 -noout -pubkey -in "$certificate")" = "$(openssl pkey -pubout -in "$key" 2>/dev/null)" ] ||
      stop "$key is not the key of $certificate."
    if ! cmp -s "$certificate" "$tls/fullchain.pem" || ! cmp -s "$key" "$tls/privkey.pem"; then
      rm -f "$tls/fullchain.pem" "$tls/privkey.pem" "$tls/untrusted"
      install -m 0644 "$certificate" "$tls/fullchain.pem"
      install -m 0600 "$key" "$tls/privkey.pem"
      changed="$changed $tls/fullchain.pem"
    fi
  elif [ ! -e "$tls/fullchain.pem" ] || [ ! -e "$tls/privkey.pem" ]; then
    (umask 077 && openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj "/CN=$domain" \
      -addext "subjectAltName=DNS:$domain,DNS:$console_domain" -keyout "$tls/privkey.pem" -out "$tls/fullchain.pem" 2>/dev/null)
    : >"$tls/untrusted"
  fi
}

local_site() {
  sed -e 's,/etc/letsencrypt/live/[a-z.]*/,/etc/hedgerow/tls/,' -e "s/shop\\.example/$domain/g" -e "s/console\\.example/$console_domain/g" \
    "$target/deploy/$1"
}

workers() { grep -ls "^PPid:[[:space:]]*$(cat /run/nginx.pid 2>/dev/null)\$" /proc/[0-9]*/status | tr '\n' ' '; }

# A reload that nginx refuses says so in its log alone, and the old workers go on: new ones tell that it was taken.
reload_nginx() {
  nginx -t -q 2>"$work/nginx" || {
    cat "$work/nginx" >&2
    stop "nginx does not take the sites in $sites, see above. The old ones are still in use; correct them and run this again."
  }
  if ! systemctl is-active -q nginx; then
    systemctl enable -q --now nginx
    return
  fi
  before=$(workers)
  systemctl reload nginx
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    for worker in $(workers); do
      case " $before" in *" $worker "*) ;; *) return 0 ;; esac
    done
    sleep 0.5
  done
  warn 'nginx refused to reload, so it is restarted: tail /var/log/nginx/error.log says why.'
  systemctl restart nginx
}

put_sites() {
  install -d -m 0755 "$acme_root"
  # Not by a pipe: what put notes would be lost with its process.
  local_site nginx.conf >"$work/site"
  put "$sites/hedgerow.conf" 0644 <"$work/site"
  local_site nginx-console.conf >"$work/site"
  put "$sites/hedgerow-console.conf" 0644 <"$work/site"
  if has_changed "$sites/" || has_changed "$tls/" || ! systemctl is-active -q nginx; then reload_nginx; fi
}

# Whether names lead to this machine is asked as an authority would ask.
leads_here() {
  token=hedgerow-$(head -c 12 /dev/urandom | od -An -tx1 | tr -d ' \n')
  install -d -m 0755 "$acme_root/.well-known/acme-challenge"
  printf '%s' "$token" >"$acme_root/.well-known/acme-challenge/$token"
  found=$(curl -fsS --max-time 10 "http://$1/.well-known/acme-challenge/$token" 2>/dev/null || true)
  rm -f "$acme_root/.well-known/acme-challenge/$token"
  [ "$found" = "$token" ]
}

get_certificate() {
  if [ -n "$certificate" ] || [ ! -e "$tls/untrusted" ]; then
    say "The certificate: $tls/fullchain.pem."
    return 0
  fi
  for name in "$domain" "$console_domain"; do
    leads_here "$name" || {
      warn "http://$name does not lead to this machine yet, so the certificate is one that no browser trusts. Run this again when it does."
      return 0
    }
  done
  if certbot certonly --non-interactive --agree-tos -m "$(setting OPERATOR_EMAIL)" --webroot -w "$acme_root" --cert-name hedgerow \
    -d "$domain" -d "$console_domain" --deploy-hook 'systemctl reload nginx' ${acme_server:+--server "$acme_server"} >"$work/certbot" 2>&1; then
    ln -sf /etc/letsencrypt/live/hedgerow/fullchain.pem "$tls/fullchain.pem"
    ln -sf /etc/letsencrypt/live/hedgerow/privkey.pem "$tls/privkey.pem"
    rm -f "$tls/untrusted"
    reload_nginx
    say "The certificate is there, and certbot.timer renews it."
  else
    tail -n 5 "$work/certbot" >&2
    warn 'No certificate was given, see above: until then it is one that no browser trusts. Run this again.'
  fi
}

# --- The shop -------------------------------------------------------------------------------------------------------------

shop_units() {
  found=$(systemctl list-units --all --plain --no-legend 'hedgerow@*.service' | awk '{ print $1 }' | tr '\n' ' ')
  [ -n "$found" ] && printf '%s' "$found" || printf 'hedgerow.service'
}

port_of() {
  case $1 in
    hedgerow@*) port=${1#hedgerow@} && printf '%s' "${port%.service}" ;;
    *) found=$(value_in "$settings" PORT) && printf '%s' "${found:-3000}" ;;
  esac
}

is_ready() { curl -fs -o /dev/null --max-time 5 "http://127.0.0.1:$(port_of "$1")/readyz"; }

wait_ready() {
  tries=120
  until is_ready "$1"; do
    tries=$((tries - 1))
    # What settings lack is said once and ends the process: waiting would not mend it.
    if [ "$tries" -le 0 ] || { systemctl is-failed -q "$1" || [ "$(systemctl show -P NRestarts "$1")" -ge 3 ]; }; then
      journalctl -u "$1" -n 8 --no-pager -o cat >&2
      [ -z "$former" ] || [ "$former" = "$target" ] || warn "The way back: ln -sfnT $former /opt/hedgerow && systemctl restart $1"
      stop "$1 did not become ready: its last lines are above. Settings are in $settings; run this again afterwards."
    fi
    sleep 1
  done
}

# The version that /opt/hedgerow points to. What stands in its way is said before units and sites are those of the other.
go_to_version() {
  former=
  [ ! -L /opt/hedgerow ] || former=$(readlink -f /opt/hedgerow)
  [ -L /opt/hedgerow ] || [ ! -e /opt/hedgerow ] || stop '/opt/hedgerow is a folder: move it away, it becomes a link to the version.'
  [ "$former" != "$target" ] || return 0
  must_restart=yes
  if [ -n "$former" ]; then
    # Of a shop that was installed by hand: its Node.js was the machine's.
    [ -e "$former/bin/node" ] || install -D "$target/bin/node" "$former/bin/node"
    say "From ${former#/opt/hedgerow-} to $version; first a backup."
    # shellcheck disable=SC2015 # each of the two ends it
    ops backup --force "$backups/before-$version.backup" && ops restore --check "$backups/before-$version.backup" ||
      stop 'The backup failed, see above. Nothing was changed, the old version goes on.'
  fi
  ln -sfnT "$target" /opt/hedgerow
  # Old processes sell meanwhile.
  if ! ops migrate >"$work/migrate" 2>&1; then
    if [ -n "$former" ]; then ln -sfnT "$former" /opt/hedgerow; else rm /opt/hedgerow; fi
    cat "$work/migrate" >&2
    stop "The database could not be brought up to date, see above.${former:+ Nothing was changed, the old version goes on.}"
  fi
  say 'The database is of this version.'
}

# A run that was broken off may have left an older one, or one whose files were replaced.
runs_target() { [ "$(readlink "/proc/$(systemctl show -P MainPID "$1")/exe")" = "$target/bin/node" ]; }

# Settings are read at a start only.
edited_since() {
  find "$settings" "$etc/secrets" -newermt "$(systemctl show -P ExecMainStartTimestamp "$1")" -print -quit
}

start_shop() {
  for unit in $(shop_units); do
    if ! systemctl is-active -q "$unit"; then
      systemctl enable -q "$unit"
      systemctl restart "$unit"
    elif [ "$must_restart" = yes ] || has_changed "$units/hedgerow" || ! is_ready "$unit" || ! runs_target "$unit"; then
      # One that ended again and again began with what has been corrected since.
      systemctl reset-failed "$unit"
      systemctl restart "$unit"
    elif edited=$(edited_since "$unit") && [ -n "$edited" ]; then
      say "$edited is newer than what $unit has read, so it is started anew."
      systemctl restart "$unit"
    else
      say "$unit runs."
    fi
    wait_ready "$unit"
  done
  # The first at once: whether it works is seen now.
  ls "$backups"/*.backup >/dev/null 2>&1 || ops backup || warn 'The first backup failed, see above.'
}

# As a customer comes, but for the name's address.
wait_customer() {
  for name in "$domain" "$console_domain"; do
    tries=30
    until curl -kfs -H 'Accept: text/html' -o /dev/null --max-time 10 --resolve "$name:443:127.0.0.1" "https://$name/"; do
      tries=$((tries - 1))
      [ "$tries" -gt 0 ] || stop "https://$name does not answer through nginx: tail /var/log/nginx/error.log $sites/hedgerow*.conf, and journalctl -u hedgerow."
      sleep 1
    done
  done
  say "$public_url and $console_url answer through nginx."
}

invite_owner() {
  if [ "$(ops operator list --json | tr -d ' \n')" = '[]' ]; then
    say 'The first owner, at this address, once:'
    ops operator invite --name Owner --role owner
    say 'Open it in a browser: what is left is asked there, step by step.'
  else
    say "Operators are known already: $console_url. A new link: hedgerow-ops operator invite --name NAME --role owner"
  fi
}

uninstall() {
  [ "$(id -u)" = 0 ] || stop 'Run this as root.'
  one_at_a_time
  drop_backup_timer
  for unit in $(shop_units); do
    systemctl disable -q --now "$unit" 2>/dev/null || true
  done
  rm -f "$units"/hedgerow.service "$units"/hedgerow@.service "$sites"/hedgerow.conf "$sites"/hedgerow-console.conf "$tool" "$record"
  systemctl daemon-reload
  systemctl reset-failed 'hedgerow*' 2>/dev/null || true
  systemctl is-active -q nginx && systemctl reload nginx
  rm -rf /opt/hedgerow /opt/hedgerow-[0-9]* /var/cache/hedgerow
  ! id hedgerow >/dev/null 2>&1 || userdel hedgerow
  say "The shop is gone. What stays: the database hedgerow in PostgreSQL, the settings and the key in $etc, the backups in $backups,"
  say 'certificates, and the packages of Debian. Installed again, it goes on from there. To remove the data for good, as root:'
  say "  cd / && runuser -u postgres -- dropdb hedgerow && runuser -u postgres -- dropuser hedgerow && rm -r $etc $backups"
}

main() {
  archive='' from='' release_key=${RELEASE_KEY:-} unattended='' certificate='' key='' acme_server='' is_check=no
  while [ $# -gt 0 ]; do
    case $1 in
      --archive | --from | --release-key | --unattended | --certificate | --key | --acme-server)
        [ $# -ge 2 ] || stop "$1 wants a value."
        case $1 in
          --archive) archive=$2 ;;
          --from) from=${2%/} ;;
          --release-key) release_key=$2 ;;
          --unattended) unattended=$2 ;;
          --certificate) certificate=$2 ;;
          --key) key=$2 ;;
          --acme-server) acme_server=$2 ;;
        esac
        shift 2
        ;;
      --check) is_check=yes && shift ;;
      --uninstall) uninstall && exit ;;
      --help) usage && exit ;;
      *) usage >&2 && exit 2 ;;
    esac
  done
  [ -n "$certificate" ] && [ -n "$key" ] || [ -z "$certificate$key" ] || stop '--certificate and --key belong together.'
  for file in "$certificate" "$key"; do [ -z "$file" ] || [ -r "$file" ] || stop "$file cannot be read."; done
  changed=
  must_restart=no
  umask 022

  step 'The machine'
  check_machine
  one_at_a_time
  check_ports
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'stty echo </dev/tty 2>/dev/null; exit 1' INT TERM HUP
  step 'The release'
  find_release
  step 'Settings'
  read_settings
  database_url=$(setting DATABASE_URL)
  has_own_database=no
  [ -n "$database_url" ] && [ "$database_url" != "$socket_url" ] || has_own_database=yes
  database_url=${database_url:-$socket_url}
  check_names
  [ "$is_check" = no ] || { say 'All is right. Nothing was changed.' && exit; }
  step 'Packages and files'
  install_packages
  unpack
  make_user
  step 'Database'
  make_database
  step 'Settings and units'
  write_settings
  write_pages
  put_tool
  go_to_version
  put_units
  step 'The shop'
  start_shop
  step 'nginx'
  make_certificate
  put_sites
  wait_customer
  get_certificate
  step 'Ready'
  say "Hedgerow $version: $public_url"
  invite_owner
  step 'What is left to do, as hedgerow-ops doctor sees it'
  ops doctor || true
}

# Last, so that half a file does nothing.
main "$@"
