import type { Guide } from '#features/manual/guide.ts'
import { Elsewhere, Page, Paragraphs, Press, Typed } from '#features/manual/words.tsx'

export const macos: Guide = {
  title: 'a Mac',
  writtenFor: 'WireGuard 1.0.16 on macOS 12 or newer',
  needs: [
    <>
      The WireGuard app from the{' '}
      <Elsewhere href="https://apps.apple.com/gb/app/wireguard/id1451685025">Mac App Store</Elsewhere>. It is
      free.
    </>,
    <>
      An active connection, in <Page to="/profile">your profile</Page>.
    </>,
  ],
  steps: [
    {
      title: 'Install the app',
      text: 'Get it from the App Store and open it. It lives in the menu bar, not in the Dock.',
    },
    {
      title: 'Save the file',
      text: (
        <>
          In your profile press <Press>Download</Press> on the connection’s ticket, or save the file attached
          to our email. Its name ends in <Typed>.conf</Typed>. Anyone who has it can use your connection, so
          delete it once it is imported.
        </>
      ),
    },
    {
      title: 'Import it',
      text: (
        <>
          Press <Press>Import tunnel(s) from file</Press> and choose the file. macOS asks whether WireGuard
          may add VPN configurations: press <Press>Allow</Press>.
        </>
      ),
      picture: {
        frame: 'window',
        title: 'Manage WireGuard Tunnels',
        alt: 'The window Manage WireGuard Tunnels, with the button Import tunnel(s) from file to press',
        lines: [{ as: 'button', text: 'Import tunnel(s) from file', press: true }],
      },
    },
    {
      title: 'Turn it on',
      text: (
        <>
          Choose the tunnel and press <Press>Activate</Press>. “Latest handshake” appears within seconds.
          After that you can use the icon in the menu bar.
        </>
      ),
      picture: {
        frame: 'window',
        title: 'Manage WireGuard Tunnels',
        alt: 'The details of a tunnel: its status, and the button Activate to press',
        lines: [
          { as: 'row', text: 'Status:', value: 'Inactive' },
          { as: 'button', text: 'Activate', press: true },
          { as: 'row', text: 'Latest handshake:', value: '3 seconds ago' },
        ],
      },
    },
  ],
  killSwitch: (
    <Paragraphs>
      <p>
        Choose the tunnel, press <Press>Edit</Press>, tick <Press>Ethernet</Press> and <Press>Wi-Fi</Press>{' '}
        beside On-Demand, and press <Press>Save</Press>. macOS then brings the tunnel up whenever there is a
        network, and again if it ends.
      </p>
      <p>
        While the tunnel is up, everything goes through it, even when the server cannot be reached: pages then
        do not open. On-Demand does not guarantee that, though. After you join a new network, a program may
        get past it for a moment before the tunnel is up.
      </p>
    </Paragraphs>
  ),
  killSwitchPicture: {
    frame: 'window',
    title: 'Edit configuration',
    alt: 'The boxes Ethernet and Wi-Fi beside On-Demand, both ticked',
    lines: [
      { as: 'row', text: 'On-Demand:' },
      { as: 'box', text: 'Ethernet', isOn: true, press: true },
      { as: 'box', text: 'Wi-Fi', isOn: true, press: true },
    ],
  },
  dns: (
    <>
      While the tunnel is up, macOS asks our resolver for every name. A browser that has “secure DNS” or “DNS
      over HTTPS” switched on asks another one, through the tunnel: switch that off in the browser.
    </>
  ),
  atStart: (
    <>
      With On-Demand the tunnel comes back by itself after a restart. Without it, press{' '}
      <Press>Activate</Press> each time.
    </>
  ),
  troubles: [
    {
      title: 'The App Store cannot update WireGuard',
      text: 'An update waits while a tunnel is active. Untick On-Demand, press Deactivate, and update again.',
    },
  ],
  remove: (
    <>
      Untick On-Demand, press <Press>Deactivate</Press>, then the minus sign below the list. To remove the app
      as well, quit it from the menu bar and move it from Applications to the Bin.
    </>
  ),
}
