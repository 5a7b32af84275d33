import type { Guide } from '#features/manual/guide.ts'
import { Elsewhere, Fields, Paragraphs, Press, RouterConnection, Typed } from '#features/manual/words.tsx'

export const pfsense: Guide = {
  title: 'pfSense',
  writtenFor: 'pfSense CE 2.8 with its package WireGuard, from their documentation and source',
  needs: [
    <>
      A firewall with pfSense, and its web interface at <Typed>192.168.1.1</Typed> or the address that you
      gave it. Its manual on WireGuard is at{' '}
      <Elsewhere href="https://docs.netgate.com/pfsense/en/latest/vpn/wireguard/index.html">
        docs.netgate.com
      </Elsewhere>
      .
    </>,
    'A backup of its settings: Diagnostics, Backup & Restore.',
    <RouterConnection />,
  ],
  steps: [
    {
      title: 'Download the file',
      text: (
        <>
          On the connection’s ticket open <Press>File options</Press>, tick <Press>IPv4 only</Press>, and
          press <Press>Download</Press>. Open the file in a text editor. pfSense does not import it: you copy
          its lines into the fields below, without the name and the equals sign.
        </>
      ),
    },
    {
      title: 'Install WireGuard',
      text: (
        <>
          Open <Press>System</Press>, <Press>Package Manager</Press>, <Press>Available Packages</Press>, and
          install <Press>WireGuard</Press>. Then enable it under <Press>VPN</Press>, <Press>WireGuard</Press>,{' '}
          <Press>Settings</Press>.
        </>
      ),
    },
    {
      title: 'Add the tunnel',
      text: (
        <>
          On <Press>Tunnels</Press> add a tunnel.
          <Fields
            rows={[
              ['Description', 'VPN'],
              ['Listen Port', 'as it is suggested'],
              [
                'Private Key',
                <>
                  the line <Typed>PrivateKey</Typed>, from which the public key follows
                </>,
              ],
            ]}
          />
          Press <Press>Save Tunnel</Press>. Its address comes in a later step.
        </>
      ),
    },
    {
      title: 'Add the peer',
      text: (
        <>
          On <Press>Peers</Press> press <Press>Add Peer</Press>.
          <Fields
            rows={[
              ['Tunnel', 'the one from the step before'],
              ['Dynamic Endpoint', 'not ticked'],
              [
                'Endpoint',
                <>
                  the line <Typed>Endpoint</Typed> up to the colon
                </>,
              ],
              ['Endpoint Port', 'the number after the colon'],
              [
                'Keep Alive',
                <>
                  the line <Typed>PersistentKeepalive</Typed>
                </>,
              ],
              [
                'Public Key',
                <>
                  the line <Typed>PublicKey</Typed>
                </>,
              ],
              [
                'Pre-shared Key',
                <>
                  the line <Typed>PresharedKey</Typed>
                </>,
              ],
              [
                'Allowed IPs',
                <>
                  the networks in the line <Typed>AllowedIPs</Typed>, each with its number after the slash as
                  the mask
                </>,
              ],
            ]}
          />
          Press <Press>Save Peer</Press>, and apply.
        </>
      ),
      picture: {
        frame: 'window',
        title: 'VPN / WireGuard / Peers / Edit',
        alt: 'The form of a peer in pfSense, with Dynamic Endpoint not ticked',
        lines: [
          { as: 'box', text: 'Dynamic Endpoint', isOn: false, press: true },
          { as: 'row', text: 'Public Key', value: 'PublicKey' },
          { as: 'row', text: 'Pre-shared Key', value: 'PresharedKey' },
          { as: 'row', text: 'Allowed IPs', value: '0.0.0.0 / 0' },
        ],
      },
    },
    {
      title: 'Make it an interface',
      text: (
        <>
          Open <Press>Interfaces</Press>, <Press>Assignments</Press>, add <Typed>tun_wg0</Typed>, and open the
          new interface.
          <Fields
            rows={[
              ['Enable', 'ticked'],
              ['Description', 'VPN'],
              ['IPv4 Configuration Type', 'Static IPv4'],
              ['MTU and MSS', '1420 in both'],
              [
                'IPv4 Address',
                <>
                  the line <Typed>Address</Typed>, with 32 as the mask
                </>,
              ],
            ]}
          />
          Save and apply.
        </>
      ),
    },
    {
      title: 'Create the gateway',
      text: (
        <>
          Open <Press>System</Press>, <Press>Routing</Press>, <Press>Gateways</Press> and add one.
          <Fields
            rows={[
              ['Interface', 'VPN'],
              ['Name', 'VPN_GW'],
              [
                'Gateway',
                <>
                  the line <Typed>DNS</Typed>: the server’s address in the tunnel
                </>,
              ],
              ['Disable Gateway Monitoring', 'ticked'],
              ['Use non-local gateway', 'ticked, among the advanced options'],
            ]}
          />
          Save and apply.
        </>
      ),
    },
    {
      title: 'Send your network through it',
      text: (
        <>
          Open <Press>Firewall</Press>, <Press>Rules</Press>, <Press>LAN</Press>, edit the rule “Default allow
          LAN to any rule”, show its advanced options, and choose <Typed>VPN_GW</Typed> as the{' '}
          <Press>Gateway</Press>. Disable “Default allow LAN IPv6 to any rule”. Save and apply.
        </>
      ),
      picture: {
        frame: 'window',
        title: 'Firewall / Rules / Edit',
        alt: 'The rule of the LAN in pfSense, with the gateway VPN_GW',
        lines: [
          { as: 'row', text: 'Source', value: 'LAN subnets' },
          { as: 'row', text: 'Destination', value: 'any' },
          { as: 'row', text: 'Gateway', value: 'VPN_GW', press: true },
        ],
      },
    },
    {
      title: 'Translate addresses',
      text: (
        <>
          Open <Press>Firewall</Press>, <Press>NAT</Press>, <Press>Outbound</Press>, choose{' '}
          <Press>Hybrid Outbound NAT rule generation</Press>, save, and add a mapping: interface VPN, your
          network as the source, and the interface’s own address as the translation. Save and apply.
        </>
      ),
    },
  ],
  killSwitch: (
    <Paragraphs>
      <p>
        Without monitoring, pfSense takes the gateway to be up at all times: what the rule of the LAN sends
        goes into the tunnel or nowhere.
      </p>
      <p>
        For the case that the interface itself is off, open <Press>System</Press>, <Press>Advanced</Press>,{' '}
        <Press>Miscellaneous</Press>, and beside <Press>Skip rules when gateway is down</Press> tick{' '}
        <Press>Do not create rules when gateway is down</Press>. Without it, the rule would then use your
        provider’s gateway. No other rule of the LAN may let devices out.
      </p>
    </Paragraphs>
  ),
  killSwitchPicture: {
    frame: 'window',
    title: 'System / Advanced',
    alt: 'The box Do not create rules when gateway is down, ticked',
    lines: [
      { as: 'row', text: 'Skip rules when gateway is down' },
      { as: 'box', text: 'Do not create rules when gateway is down', isOn: true, press: true },
    ],
  },
  dns: (
    <>
      In <Press>Services</Press>, <Press>DHCP Server</Press>, type the address in the line <Typed>DNS</Typed>{' '}
      as the LAN’s only DNS server, save, and let devices join again. They then ask our resolver through the
      tunnel. A device that still asks the firewall is answered by the firewall’s resolver, which goes past
      the tunnel.
    </>
  ),
  atStart: <>WireGuard starts with pfSense once it is enabled. There is nothing to set.</>,
  troubles: [
    {
      title: 'There is a handshake, and devices have no internet',
      text: 'The mapping of outbound NAT is missing, or the rule of the LAN names another gateway. VPN, WireGuard, Status shows the handshake.',
    },
    {
      title: 'Some pages never finish loading',
      text: (
        <>
          Type <Typed>1280</Typed> as the MTU and the MSS of the interface VPN, as a file with Small packets
          says.
        </>
      ),
    },
    {
      title: 'Your own IPv6 address shows in the check',
      text: 'The rule that lets IPv6 out of the LAN is still enabled. These steps are for IPv4 alone.',
    },
  ],
  remove: (
    <>
      Choose the default gateway in the LAN’s rule again, and enable the rule for IPv6. Then delete the
      mapping of outbound NAT, the gateway, the interface, the peer and the tunnel, and restore what you
      changed for DHCP and under Advanced.
    </>
  ),
}
