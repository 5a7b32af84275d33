import type { Guide } from '#features/manual/guide.ts'
import { Elsewhere, Press, RouterConnection, Typed } from '#features/manual/words.tsx'

export const asusMerlin: Guide = {
  title: 'ASUS routers with Merlin',
  writtenFor: 'Asuswrt-Merlin 3006.102; ASUS’s own firmware has different pages',
  needs: [
    <>
      An ASUS router with <Elsewhere href="https://www.asuswrt-merlin.net/download">Asuswrt-Merlin</Elsewhere>
      , and its pages at <Typed>192.168.50.1</Typed> or <Typed>www.asusrouter.com</Typed>.
    </>,
    <RouterConnection />,
  ],
  steps: [
    {
      title: 'Save the file',
      text: (
        <>
          Press <Press>Download</Press> on the connection’s ticket, on a computer that is connected to the
          router.
        </>
      ),
    },
    {
      title: 'Import it',
      text: (
        <>
          Open <Press>VPN</Press>, <Press>VPN Client</Press>, and switch to <Press>Wireguard</Press>. Choose
          an empty client instance, choose the file beside <Press>Import config</Press>, and press{' '}
          <Press>Upload</Press>. The page fills itself in. Give it a description: it must have one.
        </>
      ),
      picture: {
        frame: 'window',
        title: 'VPN - WireGuard Client',
        alt: 'The page WireGuard Client, with the file beside Import config and the button Upload to press',
        lines: [
          { as: 'row', text: 'Select client instance', value: '1: My VPN' },
          { as: 'row', text: 'Import config', value: 'connection-1.conf' },
          { as: 'button', text: 'Upload', press: true },
        ],
      },
    },
    {
      title: 'Turn it on',
      text: (
        <>
          Beside <Press>Enable WireGuard</Press> choose <Press>Yes</Press>, leave NAT on Yes and Inbound
          Firewall on <Press>Block</Press>, and press <Press>Apply</Press>. Status says “Connected”.
        </>
      ),
      picture: {
        frame: 'window',
        title: 'VPN - WireGuard Client',
        alt: 'The page WireGuard Client: Enable WireGuard is Yes, the status is Connected, and the button Apply',
        lines: [
          { as: 'row', text: 'Enable WireGuard', value: 'Yes' },
          { as: 'row', text: 'Status', value: 'Connected' },
          { as: 'button', text: 'Apply', press: true },
        ],
      },
    },
    {
      title: 'Choose who uses it',
      text: (
        <>
          Nobody uses it until there is a rule. Open <Press>VPN</Press>, <Press>VPN Director</Press>, add a
          rule with your network as Local IP, such as <Typed>192.168.50.0/24</Typed>, nothing as Remote IP,
          and <Press>WGC1</Press> as the interface. Apply. A rule can also name a single device.
        </>
      ),
      picture: {
        frame: 'window',
        title: 'VPN Director',
        alt: 'A rule of the VPN Director: the local network goes through WGC1',
        lines: [
          { as: 'row', text: 'Local IP', value: '192.168.50.0/24' },
          { as: 'row', text: 'Remote IP', value: 'any' },
          { as: 'row', text: 'Iface', value: 'WGC1', press: true },
        ],
      },
    },
    {
      title: 'Turn your provider’s IPv6 off',
      text: (
        <>
          VPN Director rules cover IPv4 only, so IPv6 would go past the tunnel. Open <Press>IPv6</Press>, and
          choose <Press>Disable</Press> as the connection type.
        </>
      ),
    },
  ],
  killSwitch: (
    <>
      On the WireGuard client’s page choose <Press>Yes</Press> beside{' '}
      <Press>Killswitch - Block routed clients if tunnel goes down</Press>, and apply. It covers the devices
      that a VPN Director rule sends through the tunnel, while the client is enabled.
    </>
  ),
  killSwitchPicture: {
    frame: 'window',
    title: 'VPN - WireGuard Client',
    alt: 'The row Killswitch on the WireGuard client’s page, set to Yes',
    lines: [
      { as: 'row', text: 'Inbound Firewall', value: 'Block' },
      { as: 'row', text: 'Killswitch', value: 'Yes', press: true },
    ],
  },
  dns: (
    <>
      Devices that a rule sends through the tunnel use the resolver in the client’s DNS Server field, which
      the import fills in. If DNS Director is on, it takes precedence: exempt these devices there.
    </>
  ),
  atStart: <>An enabled client starts whenever the router has internet. There is nothing to set.</>,
  troubles: [
    {
      title: 'It says “Connected”, and your address is your provider’s',
      text: 'The rule in the VPN Director is missing, is switched off, or names another network than yours. Compare it with LAN, LAN IP.',
    },
  ],
  remove: (
    <>
      Choose <Press>No</Press> beside Enable WireGuard and beside Killswitch, and apply. Delete the rule in
      the VPN Director. The left button at the foot of the client’s page clears the client. Turn IPv6 on again
      if you had it.
    </>
  ),
}
