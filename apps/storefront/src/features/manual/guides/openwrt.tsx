import type { Guide } from '#features/manual/guide.ts'
import { Elsewhere, Paragraphs, Press, RouterConnection, Typed } from '#features/manual/words.tsx'

export const openwrt: Guide = {
  title: 'OpenWrt',
  writtenFor: 'OpenWrt 24.10 with its web interface LuCI; the import has been there since 22.03',
  needs: [
    <>
      A router that runs OpenWrt, and its web interface at <Typed>192.168.1.1</Typed> or the address that you
      gave it. Supported routers are in the{' '}
      <Elsewhere href="https://openwrt.org/toh/start">table of hardware</Elsewhere>.
    </>,
    'A backup of its settings: System, Backup / Flash Firmware, Generate archive.',
    <RouterConnection />,
  ],
  steps: [
    {
      title: 'Install WireGuard',
      text: (
        <>
          Open <Press>System</Press>, <Press>Software</Press>, press <Press>Update lists…</Press>, and install{' '}
          <Typed>luci-proto-wireguard</Typed>. Restart the router, so that LuCI offers the new protocol.
        </>
      ),
    },
    {
      title: 'Create an interface',
      text: (
        <>
          Open <Press>Network</Press>, <Press>Interfaces</Press>, press <Press>Add new interface…</Press>,
          call it <Typed>vpn</Typed>, choose the protocol <Press>WireGuard VPN</Press>, and press{' '}
          <Press>Create interface</Press>.
        </>
      ),
    },
    {
      title: 'Import the file',
      text: (
        <>
          Beside Import configuration press <Press>Load configuration…</Press>, drag the file from your
          connection’s ticket into the field, or paste its text, and press <Press>Import settings</Press>.
        </>
      ),
      picture: {
        frame: 'window',
        title: 'Interfaces » vpn',
        alt: 'The settings of the interface vpn in LuCI, with the button Load configuration to press',
        lines: [
          { as: 'row', text: 'Protocol', value: 'WireGuard VPN' },
          { as: 'row', text: 'Private Key', value: '••••••••' },
          { as: 'button', text: 'Load configuration…', press: true },
        ],
      },
    },
    {
      title: 'Send everything through it',
      text: (
        <>
          On the tab <Press>Peers</Press> press <Press>Edit</Press>, tick <Press>Route Allowed IPs</Press>,
          and save. The import leaves this box empty, and nothing would use the tunnel.
        </>
      ),
      picture: {
        frame: 'window',
        title: 'Edit peer',
        alt: 'The settings of the peer, with the box Route Allowed IPs ticked',
        lines: [
          { as: 'row', text: 'Allowed IPs', value: '0.0.0.0/0  ::/0  10.64.0.1/32' },
          { as: 'box', text: 'Route Allowed IPs', isOn: true, press: true },
        ],
      },
    },
    {
      title: 'Give it a firewall zone',
      text: (
        <>
          On the tab <Press>Firewall Settings</Press> type <Typed>vpn</Typed> as a new zone, press{' '}
          <Press>Save</Press>, then <Press>Save &amp; Apply</Press>. Open <Press>Network</Press>,{' '}
          <Press>Firewall</Press>, edit the zone <Typed>vpn</Typed>: Input and Intra zone forward{' '}
          <Press>reject</Press>, Output <Press>accept</Press>, tick <Press>Masquerading</Press> (for IPv6,
          too, on the tab Advanced Settings: <Press>IPv6 Masquerading</Press>) and <Press>MSS clamping</Press>
          , and choose <Typed>lan</Typed> under Allow forward from source zones. Save and apply.
        </>
      ),
    },
  ],
  killSwitch: (
    <>
      In <Press>Network</Press>, <Press>Firewall</Press>, edit the zone <Typed>lan</Typed> and take{' '}
      <Typed>wan</Typed> out of <Press>Allow forward to destination zones</Press>, so that only{' '}
      <Typed>vpn</Typed> is left. Devices then reach the internet through the tunnel or not at all. The router
      itself still can, as the tunnel needs it to.
    </>
  ),
  killSwitchPicture: {
    frame: 'window',
    title: 'Firewall – Zone lan',
    alt: 'The zone lan in LuCI: forwarding to vpn is ticked, to wan it is not',
    lines: [
      { as: 'row', text: 'Allow forward to destination zones' },
      { as: 'box', text: 'vpn', isOn: true },
      { as: 'box', text: 'wan', isOn: false, press: true },
    ],
  },
  dns: (
    <Paragraphs>
      <p>
        Devices ask the router, and the router asks the resolvers it knows: ours and your provider’s. To keep
        only ours, open <Press>Network</Press>, <Press>Interfaces</Press>, edit <Typed>wan</Typed> and{' '}
        <Typed>wan6</Typed>, and on <Press>Advanced Settings</Press> untick{' '}
        <Press>Use DNS servers advertised by peer</Press>.
      </p>
      <p>
        If the connection’s Endpoint is a name, the router then has no way to look it up before the tunnel is
        up. Type one resolver of your choice for <Typed>wan</Typed> there, or use the Endpoint’s address.
      </p>
    </Paragraphs>
  ),
  atStart: (
    <>
      The interface comes up with the router: <Press>Bring up on boot</Press> is ticked unless you untick it.
      The router needs the right time first, which it gets by NTP.
    </>
  ),
  troubles: [
    {
      title: 'Some pages never finish loading',
      text: (
        <>
          The import may leave the file’s <Typed>MTU</Typed> out. Edit the interface, and type{' '}
          <Typed>1280</Typed> as <Press>MTU</Press> under <Press>Advanced Settings</Press>.
        </>
      ),
    },
    {
      title: 'The tunnel is up, and devices have no internet',
      text: 'Route Allowed IPs, Masquerading or the forwarding from lan is missing. Status, WireGuard shows whether there was a handshake.',
    },
    {
      title: 'Devices have your provider’s IPv6',
      text: 'They were given addresses before the tunnel was there, and these do not go through it. Edit lan, DHCP Server, IPv6 Settings, disable RA-Service and DHCPv6-Service, and let the devices join again.',
    },
  ],
  remove: (
    <>
      First let <Typed>lan</Typed> forward to <Typed>wan</Typed> again. Then delete the interface{' '}
      <Typed>vpn</Typed> under <Press>Network</Press>, <Press>Interfaces</Press>, and the zone under{' '}
      <Press>Firewall</Press>, and restore what you changed for DNS.
    </>
  ),
}
