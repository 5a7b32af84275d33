import type { Guide } from '#features/manual/guide.ts'
import { Elsewhere, Press, RouterConnection, Typed } from '#features/manual/words.tsx'

export const keenetic: Guide = {
  title: 'Keenetic routers',
  writtenFor: 'KeeneticOS 4.2 to 5.0, from Keenetic’s documentation and reports of its users',
  needs: [
    <>
      A Keenetic router with a current KeeneticOS, and its pages at <Typed>my.keenetic.net</Typed> or{' '}
      <Typed>192.168.1.1</Typed>. Keenetic’s own guide is at{' '}
      <Elsewhere href="https://help.keenetic.com/hc/en-us/articles/360010592379-WireGuard-VPN">
        help.keenetic.com
      </Elsewhere>
      .
    </>,
    <RouterConnection />,
  ],
  steps: [
    {
      title: 'Download the file',
      text: (
        <>
          On the connection’s ticket open <Press>File options</Press>, tick <Press>IPv4 only</Press>, and
          press <Press>Download</Press>, on a computer that is connected to the router.
        </>
      ),
    },
    {
      title: 'Install WireGuard',
      text: (
        <>
          Open <Press>System settings</Press>, press <Press>Component options</Press>, and see that{' '}
          <Press>WireGuard VPN</Press> is installed. The router restarts after a change.
        </>
      ),
    },
    {
      title: 'Import the file',
      text: (
        <>
          Open <Press>Other connections</Press>, and in the part <Press>WireGuard</Press> press{' '}
          <Press>Import from a file</Press>, which older versions call Upload from a file. Choose the file.
        </>
      ),
      picture: {
        frame: 'window',
        title: 'Other connections',
        alt: 'The page Other connections of a Keenetic router, with the button Import from a file in the part WireGuard',
        lines: [
          { as: 'row', text: 'WireGuard' },
          { as: 'button', text: 'Import from a file', press: true },
        ],
      },
    },
    {
      title: 'Use it for the internet',
      text: (
        <>
          Open the new connection, tick <Press>Use for accessing the Internet</Press>, save, and turn its
          switch on.
        </>
      ),
      picture: {
        frame: 'window',
        title: 'phone-0001',
        alt: 'The settings of the connection, with the box Use for accessing the Internet ticked',
        lines: [{ as: 'box', text: 'Use for accessing the Internet', isOn: true, press: true }],
      },
    },
    {
      title: 'Choose who uses it',
      text: (
        <>
          Open <Press>Connection policies</Press>. Create a policy in which only this connection is ticked,
          and drag your home network, or the devices that you want, onto it. In the default policy, the
          connection at the top of the list is used, and the others if it fails.
        </>
      ),
      picture: {
        frame: 'window',
        title: 'Connection policies',
        alt: 'A policy with the WireGuard connection alone, and not the provider’s',
        lines: [
          { as: 'box', text: 'phone-0001', isOn: true, press: true },
          { as: 'box', text: 'Provider', isOn: false },
        ],
      },
    },
    {
      title: 'Turn your provider’s IPv6 off',
      text: (
        <>
          The file is for IPv4 alone, and IPv6 would go past the tunnel. Turn IPv6 off in the settings of your
          provider’s connection, and let devices join again.
        </>
      ),
    },
  ],
  killSwitch: (
    <>
      The policy is one, as long as your provider’s connection is not ticked in it: devices go through the
      tunnel or not at all. Devices that are left in the default policy go out through your provider when the
      tunnel is down.
    </>
  ),
  dns: (
    <>
      Devices ask the router, and the router asks the resolvers it knows. If the check says that ours is not
      among them, open <Press>Internet Safety</Press>, <Press>DNS Configuration</Press>, and add the address
      in the file’s line <Typed>DNS</Typed> as a server. Content filters of the router take precedence: turn
      them off for these devices.
    </>
  ),
  atStart: <>A connection that is on comes back when the router restarts. There is nothing to set.</>,
  troubles: [
    {
      title: 'There is a handshake, and your address is your provider’s',
      text: 'Use for accessing the Internet is not ticked, or the device is still in the default policy, below your provider’s connection.',
    },
    {
      title: 'Some pages never finish loading',
      text: (
        <>
          Tick <Press>Small packets</Press> under <Press>File options</Press> as well, delete the connection
          on the router, and import the new file.
        </>
      ),
    },
  ],
  remove: (
    <>
      Drag your devices back to the default policy under <Press>Connection policies</Press>, and delete the
      policy. Then delete the connection under <Press>Other connections</Press>, turn IPv6 on again, and
      remove the DNS server if you added it.
    </>
  ),
}
