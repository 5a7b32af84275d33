import type { Guide } from '#features/manual/guide.ts'
import { Elsewhere, Fields, Paragraphs, Press, RouterConnection, Typed } from '#features/manual/words.tsx'

export const opnsense: Guide = {
  title: 'OPNsense',
  writtenFor: 'OPNsense 25.7, from its documentation and source',
  needs: [
    <>
      A firewall with OPNsense, and its web interface at <Typed>192.168.1.1</Typed> or the address that you
      gave it. WireGuard is part of it. OPNsense’s own guide is at{' '}
      <Elsewhere href="https://docs.opnsense.org/manual/how-tos/wireguard-selective-routing.html">
        docs.opnsense.org
      </Elsewhere>
      .
    </>,
    'A backup of its settings: System, Configuration, Backups.',
    <RouterConnection />,
  ],
  steps: [
    {
      title: 'Download the file',
      text: (
        <>
          On the connection’s ticket open <Press>File options</Press>, tick <Press>IPv4 only</Press>, and
          press <Press>Download</Press>. Open the file in a text editor. OPNsense does not import it: you copy
          its lines into the fields below, without the name and the equals sign.
        </>
      ),
    },
    {
      title: 'Create the instance',
      text: (
        <>
          Open <Press>VPN</Press>, <Press>WireGuard</Press>, <Press>Instances</Press>, press the plus sign,
          and turn on the advanced mode. Leave every other field as it is.
          <Fields
            rows={[
              ['Name', 'vpn, or any other without blanks'],
              [
                'Private key',
                <>
                  the line <Typed>PrivateKey</Typed>
                </>,
              ],
              [
                'Tunnel address',
                <>
                  the line <Typed>Address</Typed>, with its /32
                </>,
              ],
              [
                'MTU',
                <>
                  the line <Typed>MTU</Typed> if there is one
                </>,
              ],
              ['Disable routes', 'ticked'],
              [
                'Gateway',
                <>
                  the line <Typed>DNS</Typed>: the server’s address in the tunnel
                </>,
              ],
            ]}
          />
          Leave DNS servers empty, because it would replace the firewall’s own. Save.
        </>
      ),
    },
    {
      title: 'Create the peer',
      text: (
        <>
          On <Press>Peers</Press> press the plus sign.
          <Fields
            rows={[
              ['Name', 'any'],
              [
                'Public key',
                <>
                  the line <Typed>PublicKey</Typed>
                </>,
              ],
              [
                'Pre-shared key',
                <>
                  the line <Typed>PresharedKey</Typed>
                </>,
              ],
              [
                'Allowed IPs',
                <>
                  the networks in the line <Typed>AllowedIPs</Typed>
                </>,
              ],
              [
                'Endpoint address',
                <>
                  the line <Typed>Endpoint</Typed> up to the colon
                </>,
              ],
              ['Endpoint port', 'the number after the colon'],
              ['Instances', 'the one from the step before'],
              [
                'Keepalive interval',
                <>
                  the line <Typed>PersistentKeepalive</Typed>
                </>,
              ],
            ]}
          />
          Save, enable WireGuard on the same pages, and apply.
        </>
      ),
      picture: {
        frame: 'window',
        title: 'VPN: WireGuard: Peers',
        alt: 'The form of a peer in OPNsense, with the instance chosen',
        lines: [
          { as: 'row', text: 'Public key', value: 'PublicKey' },
          { as: 'row', text: 'Pre-shared key', value: 'PresharedKey' },
          { as: 'row', text: 'Allowed IPs', value: '0.0.0.0/0' },
          { as: 'row', text: 'Instances', value: 'vpn', press: true },
        ],
      },
    },
    {
      title: 'Make it an interface',
      text: (
        <>
          Open <Press>Interfaces</Press>, <Press>Assignments</Press>, choose the new WireGuard device, such as{' '}
          <Typed>wg0</Typed>, describe it as <Typed>VPN</Typed>, and add it. Open the new interface, enable
          it, leave both of its IP configuration types on <Press>None</Press>, save and apply.
        </>
      ),
    },
    {
      title: 'Create the gateway',
      text: (
        <>
          Open <Press>System</Press>, <Press>Gateways</Press>, <Press>Configuration</Press> and add one.
          <Fields
            rows={[
              ['Name', 'VPN_GW'],
              ['Interface', 'VPN'],
              ['Address Family', 'IPv4'],
              [
                'IP address',
                <>
                  the line <Typed>DNS</Typed>
                </>,
              ],
              ['Far Gateway', 'ticked'],
              ['Disable Gateway Monitoring', 'ticked'],
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
          Open <Press>Firewall</Press>, <Press>Rules</Press>, <Press>LAN</Press>, and add a rule above
          “Default allow LAN to any rule”: pass, quick, source LAN net, <Press>Destination / Invert</Press>{' '}
          ticked, LAN net as the destination, and <Typed>VPN_GW</Typed> as the <Press>Gateway</Press>. If you
          have more networks, make an alias of all of them and choose that. Disable “Default allow LAN IPv6 to
          any rule”, save and apply.
        </>
      ),
      picture: {
        frame: 'window',
        title: 'Firewall: Rules: LAN',
        alt: 'The new rule of the LAN in OPNsense: to everything but LAN net, through the gateway VPN_GW',
        lines: [
          { as: 'box', text: 'Destination / Invert', isOn: true, press: true },
          { as: 'row', text: 'Destination', value: 'LAN net' },
          { as: 'row', text: 'Gateway', value: 'VPN_GW', press: true },
        ],
      },
    },
    {
      title: 'Translate addresses',
      text: (
        <>
          Open <Press>Firewall</Press>, <Press>NAT</Press>, <Press>Outbound</Press>, choose{' '}
          <Press>Hybrid outbound NAT rule generation</Press>, save, and add a rule: interface VPN, source LAN
          net, and <Press>Interface address</Press> as the translation. Save and apply.
        </>
      ),
    },
  ],
  killSwitch: (
    <Paragraphs>
      <p>
        Without monitoring, OPNsense takes the gateway to be up at all times: what the new rule sends goes
        into the tunnel or nowhere.{' '}
      </p>
      <p>
        To be certain when the interface itself is off, set the tag <Typed>NO_WAN_EGRESS</Typed> in{' '}
        <Press>Set local tag</Press> among the advanced options of that rule. Then add a rule under{' '}
        <Press>Floating</Press>: <Press>Block</Press>, quick, interface WAN, direction out, and the same tag
        in <Press>Match local tag</Press>.
      </p>
    </Paragraphs>
  ),
  dns: (
    <>
      Let DHCP for the LAN give your devices the address in the line <Typed>DNS</Typed> as their only DNS
      server, and let them join again. They then ask our resolver through the tunnel. A device that still asks
      the firewall is answered by the firewall’s resolver, which goes past the tunnel.
    </>
  ),
  atStart: <>WireGuard starts with OPNsense once it is enabled. There is nothing to set.</>,
  troubles: [
    {
      title: 'There is a handshake, and devices have no internet',
      text: 'The rule of outbound NAT is missing, or the rule of the LAN names another gateway. VPN, WireGuard, Status shows the handshake.',
    },
    {
      title: 'Some pages never finish loading',
      text: (
        <>
          Under <Press>Firewall</Press>, <Press>Settings</Press>, <Press>Normalization</Press> add a rule for
          the interface VPN with <Press>Max MSS</Press> <Typed>1380</Typed>. If that is not enough, tick Small
          packets under File options as well, type <Typed>1280</Typed> as the MTU and <Typed>1240</Typed>{' '}
          here.
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
      Delete the new rule of the LAN, and enable the one for IPv6 again. Then delete the rule of outbound NAT
      and the floating rule, the gateway, the interface, the peer and the instance, and restore what you
      changed for DHCP.
    </>
  ),
}
