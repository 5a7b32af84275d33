import type { Guide } from '#features/manual/guide.ts'
import { Elsewhere, Page, Press, RouterConnection, Typed } from '#features/manual/words.tsx'

export const fritzbox: Guide = {
  title: 'a FRITZ!Box',
  writtenFor: 'FRITZ!OS 7.50 and later, from reports of people who use it with other providers',
  needs: [
    <>
      A FRITZ!Box with FRITZ!OS 7.50 or later, and its pages at <Typed>fritz.box</Typed>. Its maker has{' '}
      <Elsewhere href="https://en.avm.de/service/vpn/connecting-the-fritzbox-to-a-vpn-provider-via-wireguard/">
        a page of its own
      </Elsewhere>{' '}
      on providers like us.
    </>,
    'No WireGuard connection on it yet. A FRITZ!Box has one key for all of them, and refuses a file with another.',
    <>
      A use for which its limits are fine: only IPv4 goes through the tunnel, there is no kill switch, and
      what a device looks up may go past it. If they are not, put a router with{' '}
      <Page to="/manual/openwrt">OpenWrt</Page> or from <Page to="/manual/gl-inet">GL.iNet</Page> behind the
      FRITZ!Box.
    </>,
    <RouterConnection />,
  ],
  steps: [
    {
      title: 'Download the file',
      text: (
        <>
          On the connection’s ticket open <Press>File options</Press>, tick <Press>IPv4 only</Press>, and
          press <Press>Download</Press>, on a computer that is connected to the FRITZ!Box.
        </>
      ),
    },
    {
      title: 'Add a connection',
      text: (
        <>
          Open <Press>Internet</Press>, <Press>Permit Access</Press>, <Press>VPN (WireGuard)</Press>, and
          press <Press>Add Connection</Press>. Choose{' '}
          <Press>Connect networks or establish special connections</Press>, and answer <Press>Yes</Press> to
          the question whether the connection has already been set up at the other end.
        </>
      ),
      picture: {
        frame: 'window',
        title: 'VPN (WireGuard)',
        alt: 'The page VPN (WireGuard) of a FRITZ!Box, with the button Add Connection to press',
        lines: [
          { as: 'row', text: 'Internet', value: 'Permit Access' },
          { as: 'button', text: 'Add Connection', press: true },
        ],
      },
    },
    {
      title: 'Import the file',
      text: (
        <>
          Give it a name, choose the file, and tick{' '}
          <Press>Send all IPv4 network traffic via the VPN connection</Press>. Without it the FRITZ!Box shows
          an error. You can restrict it to certain devices here. Finish, and confirm with a button or the
          telephone as the FRITZ!Box asks.
        </>
      ),
      picture: {
        frame: 'window',
        title: 'Add Connection',
        alt: 'The form of a WireGuard connection, with the box that sends all IPv4 network traffic through it ticked',
        lines: [
          { as: 'row', text: 'Name', value: 'VPN' },
          { as: 'row', text: 'File', value: 'phone-0001.conf' },
          { as: 'box', text: 'Send all IPv4 network traffic', isOn: true, press: true },
        ],
      },
    },
    {
      title: 'Turn your provider’s IPv6 off',
      text: (
        <>
          IPv6 does not go through this connection, so websites would see your own address. Turn IPv6 support
          off under <Press>Internet</Press>, <Press>Account Information</Press>, and let devices join again.
        </>
      ),
    },
  ],
  killSwitch: (
    <>
      FRITZ!OS has none that we know of. When the connection is deleted or switched off, devices go out as
      before. If nobody may see your own address, use a kill switch on the device itself, or another router.
    </>
  ),
  dns: (
    <>
      Devices ask the FRITZ!Box, which may ask your provider’s resolver. If the check says that ours is not
      answering, type the address in the file’s line <Typed>DNS</Typed> as the DNS server under{' '}
      <Press>Internet</Press>, <Press>Account Information</Press>, <Press>DNS Server</Press>, or on each
      device. Your filters work only through our resolver.
    </>
  ),
  atStart: <>A connection that is on comes back when the FRITZ!Box restarts. There is nothing to set.</>,
  troubles: [
    {
      title: 'The FRITZ!Box refuses the file',
      text: 'Another WireGuard connection is there already, or the box that sends all IPv4 network traffic is not ticked, or the file is not the one for IPv4 only.',
    },
    {
      title: 'It asks for MyFRITZ! or a dynamic name first',
      text: 'Some FRITZ!Boxes allow a VPN only once they can be reached by a name. Register yours with MyFRITZ!, or set up a dynamic DNS name. Our connection does not use it.',
    },
    {
      title: 'Telephony or television of your provider fails',
      text: 'They may need your provider’s own network. Restrict the connection to certain devices.',
    },
    {
      title: 'Some pages never finish loading',
      text: (
        <>
          Tick <Press>Small packets</Press> under <Press>File options</Press>, delete the connection on the
          FRITZ!Box, and import the new file.
        </>
      ),
    },
  ],
  remove: (
    <>
      Delete the connection under <Press>Internet</Press>, <Press>Permit Access</Press>,{' '}
      <Press>VPN (WireGuard)</Press>. Turn IPv6 on again, and restore the DNS server if you changed it.
    </>
  ),
}
