#!/bin/sh
# Turns a bare Debian server (12 or newer) into a node of a shop. Run it as root, in the folder that the archive unpacks to:
#   AGENT_TOKEN=… AGENT_RELEASE_KEY=… ./install-agent.sh https://shop.example
# Run again, it brings the agent up to date and leaves its keys and settings as they are; an address, an AGENT_TOKEN or an
# AGENT_RELEASE_KEY replaces the old one. AGENT_TAKE_KEY=/etc/wireguard/wg0.conf takes over the server of that file, before the
# agent's first start. Without AGENT_RELEASE_KEY the agent installs no version by itself.
#   ./install-agent.sh --uninstall          takes all of it away, the node's keys too
#   ./install-agent.sh --uninstall --keep   leaves keys and settings: installed again, it is the same node
#   ./install-agent.sh --uninstall --tunnel leaves the tunnel to the server that had it before (AGENT_TAKE_KEY)
set -eu

say() { printf '%s\n' "$*"; }
stop() { say "$*" >&2; exit 1; }

[ "$(id -u)" = 0 ] || stop 'Run this as root.'
command -v apt-get >/dev/null || stop 'This script is for Debian: apt-get is missing.'
cd "$(dirname "$0")"
target=/opt/hedgerow-agent
settings=/etc/hedgerow-agent/agent.env

# As systemd reads it: quotes around a value are no part of it.
set_in_file() {
  [ ! -e "$settings" ] || sed -n "s/^$1=//p" "$settings" | tail -n 1 | sed -e 's/[[:space:]]*$//' -e "s/^\([\"']\)\(.*\)\1\$/\2/"
}

# The tunnel goes first: nothing of a customer's passes while the rules go.
uninstall() {
  user=hedgerow-agent
  state=$(set_in_file AGENT_STATE_DIR)
  state=${state:-/var/lib/hedgerow-agent}
  interface=$(set_in_file AGENT_INTERFACE)
  interface=${interface:-wg0}
  if [ -d /run/systemd/system ]; then
    for unit in hedgerow-agent.service hedgerow-agent-lists.timer hedgerow-agent-lists.service; do
      [ ! -e "/etc/systemd/system/$unit" ] || systemctl disable -q --now "$unit" 2>/dev/null || systemctl stop "$unit"
    done
  fi
  # What outlives the agent: wireguard-go, the resolver, the nft that holds the guard's table.
  if id "$user" >/dev/null 2>&1; then
    uid=$(id -u "$user")
    tries=50
    while [ "$tries" -gt 0 ] && [ -n "$(processes_of "$uid")" ]; do
      [ "$tries" -gt 40 ] && signal=TERM || signal=KILL
      # shellcheck disable=SC2046
      kill -s "$signal" $(processes_of "$uid") 2>/dev/null || true
      sleep 0.2
      tries=$((tries - 1))
    done
  fi
  # The agent wrote down what it works with. The kernel's tunnel is deleted, and the queue of each uplink.
  claimed=''
  [ -L "$state/interfaces" ] || [ ! -f "$state/interfaces" ] || claimed=$(cat "$state/interfaces")
  if printf '%s\n' "$claimed" | grep -qxF "$interface"; then
    [ "$1" = tunnel ] || ip link delete "$interface" 2>/dev/null || true
    table=hedgerow_$(printf %s "$interface" | tr -c 'A-Za-z0-9_' _)
    for name in "$table" "${table}_guard"; do nft delete table inet "$name" 2>/dev/null || true; done
  elif [ -e "/sys/class/net/$interface" ]; then
    unclaimed="the interface $interface, which this agent has not made, "
  fi
  printf '%s\n' "$claimed" | while read -r device; do
    case $(tc qdisc show dev "$device" root 2>/dev/null) in
      'qdisc htb 1: '*) tc qdisc delete dev "$device" root ;;
    esac
  done
  # Of networks that nobody routes: the resolver's addresses.
  ip -o addr show dev lo | awk '$4 ~ /^198\.18\.[01]\./ || $4 ~ /^fd68:6564:6765:/ { print $4 }' |
    while read -r address; do ip addr delete "$address" dev lo; done

  rm -f /etc/systemd/system/hedgerow-agent.service /etc/systemd/system/hedgerow-agent-lists.service \
    /etc/systemd/system/hedgerow-agent-lists.timer
  [ ! -d /run/systemd/system ] || systemctl daemon-reload
  rm -rf "$target"
  left="${unclaimed:-}the packages that it needed, and net.* settings of the kernel until the next start"
  if [ "$1" = keep ]; then
    left="$settings and $state (its keys), the user $user, $left"
  else
    [ "$1" != tunnel ] || left="the tunnel $interface, $left"
    rm -rf /etc/hedgerow-agent
    # Root's setting names it, and may name a folder that others use.
    if [ "$(stat -c %U "$state" 2>/dev/null)" = "$user" ]; then rm -rf "$state"; fi
    [ ! -e "$state" ] || left="$state, which is not $user's, $left"
    if id "$user" >/dev/null 2>&1; then userdel "$user"; fi
  fi
  say "The agent is gone from this server. Left: $left."
  say 'In the shop: node drain NAME and node remove NAME --move, if that is not done yet.'
}

# By the number in /proc: a bare server may lack pgrep.
processes_of() { awk -v uid="$1" '$1 == "Uid:" && $2 == uid { split(FILENAME, part, "/"); print part[3] }' /proc/[0-9]*/status 2>/dev/null || true; }

case "${1:-}" in
  --uninstall)
    case "${2:-}" in
      '') uninstall all ;;
      --keep) uninstall keep ;;
      --tunnel) uninstall tunnel ;;
      *) stop "Usage: $0 --uninstall [--keep | --tunnel]" ;;
    esac
    exit 0
    ;;
  -*) stop "Usage: AGENT_TOKEN=… $0 https://shop.example, or $0 --uninstall [--keep | --tunnel]" ;;
esac

api_url=${1:-}
# Other settings may have been put there before.
if ! grep -qs '^AGENT_API_URL=.' "$settings"; then
  [ -n "$api_url" ] || stop "Usage: AGENT_TOKEN=… $0 https://shop.example"
  [ -n "${AGENT_TOKEN:-}" ] || stop 'AGENT_TOKEN is not set. Use the token that "ops node add" printed.'
fi

[ -z "${AGENT_TAKE_KEY:-}" ] || [ -r "$AGENT_TAKE_KEY" ] || stop "AGENT_TAKE_KEY: $AGENT_TAKE_KEY cannot be read."

case "${AGENT_RELEASE_KEY:-}" in
  *[!A-Za-z0-9+/=]*) stop 'AGENT_RELEASE_KEY is not a public key: it is one line of Base64.' ;;
esac

# Before anything is replaced.
case $(uname -m) in
  x86_64) arch=x64 ;;
  aarch64) arch=arm64 ;;
  *) stop "There is no agent for $(uname -m), only for x86_64 and aarch64." ;;
esac
./node --version >/dev/null 2>&1 ||
  stop "This archive does not run on this server. It is $(uname -m): take the archive that ends in linux-$arch.tar.gz."

# The kernel has WireGuard, or wireguard-go does its work.
has_wireguard() { modprobe -q wireguard 2>/dev/null || [ -d /sys/module/wireguard ]; }
packages='ca-certificates conntrack dns-root-data iproute2 nftables pdns-recursor wireguard-tools'
has_wireguard || packages="$packages wireguard-go"
export DEBIAN_FRONTEND=noninteractive
# One that was there has another purpose; the service that comes with the package would serve nobody.
recursor_before=$(dpkg-query -W -f='${db:Status-Status}' pdns-recursor 2>/dev/null || true)
apt-get update -qq
# shellcheck disable=SC2086
said=$(apt-get install -y -qq --no-install-recommends $packages 2>&1) || {
  printf '%s\n' "$said" | tail -n 5 >&2
  stop 'apt-get failed, see above. Run this again when Debian can be reached.'
}
has_systemd=no
[ -d /run/systemd/system ] && has_systemd=yes
if [ "$recursor_before" != installed ] && command -v systemctl >/dev/null; then
  systemctl disable -q pdns-recursor
  [ "$has_systemd" = no ] || systemctl stop pdns-recursor
fi

id hedgerow-agent >/dev/null 2>&1 ||
  useradd --system --home-dir /nonexistent --shell /usr/sbin/nologin hedgerow-agent
install -d -m 0755 "$target"
install -d -m 0700 /etc/hedgerow-agent
install -d -m 0700 -o hedgerow-agent -g hedgerow-agent /var/lib/hedgerow-agent
# By the agent itself: within what is its own, root would follow a link that it has put there, and give away where that leads.
setpriv --reuid hedgerow-agent --regid hedgerow-agent --clear-groups -- mkdir -p -m 0700 /var/lib/hedgerow-agent/lists
# A program that runs is replaced, not written to.
for file in node agent.mjs launcher.mjs trial-guard.mjs release.json; do
  install -m 0755 "$file" "$target/$file.new"
  mv "$target/$file.new" "$target/$file"
done
umask 077
[ -e "$settings" ] || : >"$settings"
set_to() {
  [ -n "$2" ] || return 0
  grep -v "^$1=" "$settings" >"$settings.new" || true
  say "$1=$2" >>"$settings.new"
  mv "$settings.new" "$settings"
}
set_to AGENT_API_URL "$api_url"
set_to AGENT_TOKEN "${AGENT_TOKEN:-}"
set_to AGENT_RELEASE_KEY "${AGENT_RELEASE_KEY:-}"
umask 022

# What is installed here runs, and not a version that the agent fetched before.
state=$(set_in_file AGENT_STATE_DIR)
rm -rf "${state:-/var/lib/hedgerow-agent}/versions"

# The key stays on this server. The agent reads it from its standard input, and needs no right to the file.
if [ -n "${AGENT_TAKE_KEY:-}" ]; then
  AGENT_STATE_DIR=${state:-/var/lib/hedgerow-agent} setpriv --reuid hedgerow-agent --regid hedgerow-agent --clear-groups -- \
    "$target/node" "$target/agent.mjs" take-key <"$AGENT_TAKE_KEY"
fi

if [ "$has_systemd" = no ]; then
  say 'This server has no systemd. Start the agent as hedgerow-agent.service does.'
  exit 0
fi
for unit in hedgerow-agent.service hedgerow-agent-lists.service hedgerow-agent-lists.timer; do
  install -m 0644 "$unit" "/etc/systemd/system/$unit"
done
systemctl daemon-reload
systemctl enable --now hedgerow-agent-lists.timer
systemctl enable hedgerow-agent
systemctl restart hedgerow-agent

port=$(set_in_file AGENT_METRICS_PORT)
tries=60
until answer=$("$target/node" -e "fetch('http://127.0.0.1:${port:-9465}/healthz').then(async r => { console.log(await r.text()); process.exit(r.ok ? 0 : 1) }, () => process.exit(1))"); do
  tries=$((tries - 1))
  if [ "$tries" -le 0 ]; then
    journalctl -u hedgerow-agent -n 5 --no-pager -o cat >&2
    stop "The agent is not healthy: ${answer:-it does not answer}. See above, and: journalctl -u hedgerow-agent"
  fi
  sleep 1
done
say "The node is up: $answer"
