import type { Guide } from '#features/manual/guide.ts'
import { Elsewhere, Page, Paragraphs, Press } from '#features/manual/words.tsx'

export const android: Guide = {
  title: 'Android',
  writtenFor: 'WireGuard 1.0.20260315 on Android 7 or newer; the kill switch needs Android 8',
  needs: [
    <>
      The WireGuard app from{' '}
      <Elsewhere href="https://play.google.com/store/apps/details?id=com.wireguard.android">
        Google Play
      </Elsewhere>{' '}
      or <Elsewhere href="https://f-droid.org/packages/com.wireguard.android/">F-Droid</Elsewhere>. It is
      free.
    </>,
    <>
      An active connection, in <Page to="/profile">your profile</Page>.
    </>,
  ],
  steps: [
    { title: 'Install the app', text: 'Get it from Google Play or F-Droid. You need not open it yet.' },
    {
      title: 'Reading this on the phone: take the file',
      text: (
        <>
          On the connection’s ticket in your profile press <Press>Add to this phone</Press>; the file goes to
          Downloads. In WireGuard press the plus sign, choose <Press>Import from file or archive</Press>, and
          choose it there. Opening the file itself does not start WireGuard, so begin in the app.
        </>
      ),
      picture: {
        frame: 'phone',
        title: 'Your ticket',
        alt: 'A ticket in your profile, with the button Add to this phone to press',
        lines: [
          { as: 'row', text: 'Connection 1', value: '30 days' },
          { as: 'button', text: 'Add to this phone', press: true },
        ],
      },
    },
    {
      title: 'Reading this on another screen: scan the code',
      text: (
        <>
          Show the ticket’s QR code on that screen. In WireGuard press the plus sign, choose{' '}
          <Press>Scan from QR code</Press>, hold the camera over it, and give the tunnel a name.
        </>
      ),
      picture: {
        frame: 'phone',
        title: 'WireGuard',
        alt: 'The menu behind the plus sign, with Scan from QR code to press',
        lines: [
          { as: 'row', text: 'Import from file or archive' },
          { as: 'row', text: 'Scan from QR code', press: true },
          { as: 'row', text: 'Create from scratch' },
        ],
      },
    },
    {
      title: 'Turn it on, and allow it',
      text: (
        <>
          Turn the tunnel’s switch on. Android asks once whether WireGuard may set up a VPN: press{' '}
          <Press>OK</Press>. A key appears beside the clock.
        </>
      ),
      picture: {
        frame: 'phone',
        title: 'WireGuard',
        alt: 'The list of tunnels, with one whose switch is on',
        lines: [{ as: 'switch', text: 'connection-1', isOn: true, press: true }],
      },
    },
  ],
  killSwitch: (
    <Paragraphs>
      <p>
        Android has one of its own. Open Settings, Network &amp; internet, VPN (on a Samsung: Connections,
        More connection settings, VPN), press the cog beside WireGuard, and turn on{' '}
        <Press>Always-on VPN</Press> and <Press>Block connections without VPN</Press>.
      </p>
      <p>
        Nothing then leaves the phone while the tunnel is down. Android’s own check for Wi-Fi login pages is
        exempt. To log in to such a Wi-Fi, turn the blocking off for a minute.
      </p>
    </Paragraphs>
  ),
  killSwitchPicture: {
    frame: 'phone',
    title: 'WireGuard',
    alt: 'The settings of Android for WireGuard: Always-on VPN and Block connections without VPN, both on',
    lines: [
      { as: 'switch', text: 'Always-on VPN', isOn: true, press: true },
      { as: 'switch', text: 'Block without VPN', isOn: true, press: true },
    ],
  },
  dns: (
    <>
      While the tunnel is up, Android asks our resolver for names, unless Private DNS names another: open
      Settings, Network &amp; internet, Private DNS, and choose <Press>Automatic</Press> or <Press>Off</Press>
      . If a provider is named there, your filters have no effect.
    </>
  ),
  atStart: (
    <>
      With Always-on VPN the tunnel comes back after a restart. Without it, turn the switch on in WireGuard,
      or add the app’s tile to the quick settings.
    </>
  ),
  troubles: [
    {
      title: 'It stops after a while with the screen off',
      text: 'The phone closes apps to save battery. Open Settings, Apps, WireGuard, Battery, and choose Unrestricted.',
    },
  ],
  remove: (
    <>
      In WireGuard hold the tunnel’s name, then press the bin. Turn Always-on VPN off before you remove the
      app, or the phone stays offline.
    </>
  ),
}
