import type { Guide } from '#features/manual/guide.ts'
import { Elsewhere, Paragraphs, Press, RouterConnection, Typed } from '#features/manual/words.tsx'

export const glInet: Guide = {
  title: 'GL.iNet routers',
  writtenFor: 'GL.iNet firmware 4.8 and 4.9',
  needs: [
    <>
      A GL.iNet router with firmware 4.8 or newer, and its Admin Panel at <Typed>192.168.8.1</Typed>.
      GL.iNet’s own guides are at{' '}
      <Elsewhere href="https://docs.gl-inet.com/router/en/4/interface_guide/wireguard_client/">
        docs.gl-inet.com
      </Elsewhere>
      .
    </>,
    <RouterConnection />,
  ],
  steps: [
    {
      title: 'Save the file',
      text: (
        <>
          Press <Press>Download</Press> on the connection’s ticket, on a computer or phone that is connected
          to the router.
        </>
      ),
    },
    {
      title: 'Create a group',
      text: (
        <>
          In the Admin Panel open <Press>VPN</Press>, <Press>WireGuard Client</Press> (with 4.9{' '}
          <Press>VPN Client Profile</Press>), press <Press>Add Manually</Press>, and give the group a name.
        </>
      ),
    },
    {
      title: 'Upload the file',
      text: (
        <>
          Press the upload area, choose the file, and press <Press>Apply</Press>.
        </>
      ),
      picture: {
        frame: 'window',
        title: 'WireGuard Client',
        alt: 'A group of the WireGuard Client, with the uploaded file and the button Apply to press',
        lines: [
          { as: 'row', text: 'My VPN' },
          { as: 'row', text: 'connection-1.conf', value: 'uploaded' },
          { as: 'button', text: 'Apply', press: true },
        ],
      },
    },
    {
      title: 'Turn it on',
      text: (
        <>
          Press the three dots beside the file and start it. With 4.9 open the <Press>VPN Dashboard</Press>,
          press <Press>Add VPN Tunnel</Press>, choose the profile, All Clients and All Targets, and turn the
          tunnel’s switch on. The VPN Dashboard shows the address and how much data has passed.
        </>
      ),
      picture: {
        frame: 'window',
        title: 'VPN Dashboard',
        alt: 'The VPN Dashboard, with the tunnel’s switch on',
        lines: [
          { as: 'switch', text: 'connection-1', isOn: true, press: true },
          { as: 'row', text: 'All Clients', value: 'All Targets' },
        ],
      },
    },
  ],
  killSwitch: (
    <Paragraphs>
      <p>
        Firmware 4.9: on the <Press>VPN Dashboard</Press> press the cog of the tunnel, choose{' '}
        <Press>Options</Press>, and turn on <Press>Kill Switch</Press>. To be stricter, turn{' '}
        <Press>All Other Traffic</Press> off at the foot of the page: then only what goes through a tunnel
        reaches the internet.
      </p>
      <p>
        Firmware 4.8: the cog on the <Press>VPN Dashboard</Press> leads to the same switch. All Other Traffic
        is there in Policy Mode.
      </p>
    </Paragraphs>
  ),
  killSwitchPicture: {
    frame: 'window',
    title: 'Tunnel Options',
    alt: 'The options of a tunnel in firmware 4.9, with the switch Kill Switch on',
    lines: [
      { as: 'switch', text: 'Kill Switch', isOn: true, press: true },
      { as: 'switch', text: 'IP Masquerading', isOn: true },
    ],
  },
  dns: (
    <>
      With the tunnel up, the router uses the resolver in the file. Under <Press>Network</Press>,{' '}
      <Press>DNS</Press> leave the mode on <Press>Automatic</Press>: a resolver you choose there is used
      instead, and your filters then have no effect.
    </>
  ),
  atStart: <>A tunnel that is on comes back when the router restarts. There is nothing to set.</>,
  troubles: [
    {
      title: 'A hotel’s Wi-Fi wants a login, and its page does not open',
      text: 'Turn the tunnel and its kill switch off, log in from a device behind the router, and turn both on again.',
    },
    {
      title: 'Your own IPv6 address shows in the check',
      text: 'Open Network, IPv6, and turn IPv6 off; then only IPv4 is used, through the tunnel.',
    },
  ],
  remove: (
    <>
      Turn the tunnel off on the <Press>VPN Dashboard</Press>, then delete the file, or its group, under{' '}
      <Press>WireGuard Client</Press>.
    </>
  ),
}
