import type { Guide } from '#features/manual/guide.ts'
import { Elsewhere, Lines, Page, Paragraphs, Press, Typed } from '#features/manual/words.tsx'

const GUARD = `
table inet vpn_guard {
  chain output {
    type filter hook output priority filter; policy drop;
    oifname { "lo", "vpn" } accept
    meta mark 0xca6c accept
    udp dport { 67, 547 } accept
    icmpv6 type { nd-router-solicit, nd-neighbor-solicit, nd-neighbor-advert } accept
    reject
  }
}`

export const linux: Guide = {
  title: 'Linux',
  writtenFor: 'wireguard-tools 1.0.20210914 or newer, Linux 5.6 or newer, and NetworkManager 1.16 or newer',
  needs: [
    <>
      The package <Typed>wireguard-tools</Typed> of your distribution; WireGuard itself is part of the kernel.
      The makers list every distribution at{' '}
      <Elsewhere href="https://www.wireguard.com/install/">wireguard.com/install</Elsewhere>.
    </>,
    'An account that can use sudo.',
    <>
      An active connection, in <Page to="/profile">your profile</Page>.
    </>,
  ],
  steps: [
    {
      title: 'Install the tools',
      text: (
        <>
          Run the line for your distribution. It installs <Typed>wg-quick</Typed> and, where it is missing, a
          program called resolvconf, with which <Typed>wg-quick</Typed> sets the resolver.
          <Lines label="To install the tools">
            {`sudo apt install wireguard-tools             # Ubuntu, Mint
sudo apt install wireguard-tools openresolv  # Debian
sudo dnf install wireguard-tools             # Fedora
sudo pacman -S wireguard-tools openresolv    # Arch`}
          </Lines>
        </>
      ),
    },
    {
      title: 'Put the file in its place',
      text: (
        <>
          Press <Press>Download</Press> on the connection’s ticket, then put the file where only root can read
          it. The name before <Typed>.conf</Typed> becomes the interface’s name, here vpn. Your file will have
          a different name.
          <Lines label="To move the file into its place">
            {`cd ~/Downloads
sudo install -m 600 connection-1.conf /etc/wireguard/vpn.conf
rm connection-1.conf`}
          </Lines>
        </>
      ),
    },
    {
      title: 'Turn it on',
      text: (
        <>
          <Lines label="To turn it on">sudo wg-quick up vpn</Lines>
          <Typed>sudo wg show vpn</Typed> shows a latest handshake once it is connected. To turn it off:
          <Lines label="To turn it off">sudo wg-quick down vpn</Lines>
        </>
      ),
      picture: {
        frame: 'terminal',
        title: 'Terminal',
        alt: 'A terminal after sudo wg show vpn: the last lines name the endpoint and a handshake 3 seconds ago',
        lines: [
          { as: 'typed', text: '$ sudo wg show vpn' },
          { as: 'typed', text: 'interface: vpn' },
          { as: 'typed', text: '  fwmark: 0xca6c' },
          { as: 'typed', text: 'peer: kq9b…Jx0=' },
          { as: 'typed', text: '  endpoint: 203.0.113.7:51820' },
          { as: 'typed', text: '  allowed ips: 0.0.0.0/0, ::/0, 10.64.0.1/32' },
          { as: 'typed', text: '  latest handshake: 3 seconds ago' },
        ],
      },
    },
    {
      title: 'Or: with NetworkManager',
      text: (
        <>
          On a desktop this replaces the two steps before. The connection then appears beside your Wi-Fi in
          the network menu, and uses no other resolver.
          <Lines label="To import into NetworkManager">
            {`cd ~/Downloads
mv connection-1.conf vpn.conf
nmcli connection import type wireguard file vpn.conf
rm vpn.conf
nmcli connection modify vpn ipv4.dns-priority -50
nmcli connection up vpn`}
          </Lines>
          To turn it off: <Typed>nmcli connection down vpn</Typed>.
        </>
      ),
    },
  ],
  killSwitch: (
    <Paragraphs>
      <p>
        With <Typed>wg-quick</Typed> the routes stay on the tunnel until you take it down, so nothing goes
        past it when the server is away. These rules for nftables also stop programs that choose their own way
        out. Save them as <Typed>/etc/wireguard/vpn-guard.nft</Typed>:
      </p>
      <Lines label="Rules for nftables">{GUARD}</Lines>
      <p>
        Then add two lines to <Typed>/etc/wireguard/vpn.conf</Typed>, below DNS:
      </p>
      <Lines label="Two lines for the configuration">
        {`PostUp = nft -f /etc/wireguard/vpn-guard.nft
PostDown = nft delete table inet vpn_guard`}
      </Lines>
      <p>
        <Typed>0xca6c</Typed> is the mark that <Typed>wg-quick</Typed> gives to WireGuard’s own packets;
        compare it with “fwmark” in <Typed>sudo wg show vpn</Typed>. To reach printers and drives on your own
        network, add a line such as <Typed>ip daddr 192.168.0.0/16 accept</Typed> above <Typed>reject</Typed>.
      </p>
    </Paragraphs>
  ),
  dns: (
    <>
      <Typed>wg-quick</Typed> makes our resolver the only one while the tunnel is up.{' '}
      <Typed>resolvectl status vpn</Typed>, or <Typed>cat /etc/resolv.conf</Typed> where systemd-resolved does
      not run, shows the address on the DNS line of your file. With NetworkManager the line with dns-priority
      above does the same.
    </>
  ),
  atStart: (
    <>
      <Lines label="To start it with the computer">sudo systemctl enable --now wg-quick@vpn</Lines>
      Take it down first if it is up, because two cannot share a name. To stop that:{' '}
      <Typed>sudo systemctl disable --now wg-quick@vpn</Typed>. NetworkManager starts what it has imported by
      itself; <Typed>nmcli connection modify vpn connection.autoconnect no</Typed> stops that.
    </>
  ),
  troubles: [
    {
      title: '“resolvconf: command not found”',
      text: (
        <>
          The file names a resolver, and <Typed>wg-quick</Typed> has no program to set it, so it takes the
          tunnel down again. Where <Typed>systemctl is-active systemd-resolved</Typed> says “active”, use what
          comes with it: <Typed>sudo ln -s /usr/bin/resolvectl /usr/local/bin/resolvconf</Typed>, on Arch{' '}
          <Typed>sudo pacman -S systemd-resolvconf</Typed>. Elsewhere install <Typed>openresolv</Typed>. Do
          not install both.
        </>
      ),
    },
    {
      title: '“IPv6 is disabled on this device” or “Permission denied”',
      text: (
        <>
          The device has no IPv6, as in many containers and NAS, so <Typed>wg-quick</Typed> takes the tunnel
          down again. Tick <Press>IPv4 only</Press> under <Press>File options</Press> on the connection’s
          ticket, and press <Press>Download</Press> again. The keys stay the same.
        </>
      ),
    },
    {
      title: '“Unknown device type” or “Operation not supported”',
      text: 'The kernel has no WireGuard: it is older than 5.6, or was updated and not restarted. Restart the computer first.',
    },
    {
      title: 'It works with wg-quick, but names do not resolve with NetworkManager',
      text: 'Both are up. Use one of the two: take the other down and disable it.',
    },
  ],
  remove: (
    <>
      <Lines label="To remove it">
        {`sudo systemctl disable --now wg-quick@vpn
sudo rm /etc/wireguard/vpn.conf /etc/wireguard/vpn-guard.nft`}
      </Lines>
      With NetworkManager: <Typed>nmcli connection delete vpn</Typed>.
    </>
  ),
}
