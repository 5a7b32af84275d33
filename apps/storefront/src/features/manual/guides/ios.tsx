import type { Guide } from '#features/manual/guide.ts'
import { Elsewhere, Page, Paragraphs, Press } from '#features/manual/words.tsx'

export const ios: Guide = {
  title: 'iPhone and iPad',
  writtenFor: 'WireGuard 1.0.16 on iOS and iPadOS 15 or newer',
  needs: [
    <>
      The WireGuard app from the{' '}
      <Elsewhere href="https://apps.apple.com/gb/app/wireguard/id1441195209">App Store</Elsewhere>. It is
      free.
    </>,
    <>
      An active connection, in <Page to="/profile">your profile</Page>.
    </>,
  ],
  steps: [
    { title: 'Install the app', text: 'Get it from the App Store. You need not open it yet.' },
    {
      title: 'Reading this on the iPhone or iPad: take the file',
      text: (
        <>
          On the connection’s ticket in your profile press <Press>Add to this phone</Press>. If iOS asks what
          to do with the file, choose WireGuard. If it was saved instead, open WireGuard, press the plus sign,
          choose <Press>Create from file or archive</Press>, and look in Downloads.
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
          <Press>Create from QR code</Press>, hold the camera over it, and give the tunnel a name.
        </>
      ),
      picture: {
        frame: 'phone',
        title: 'Add a new WireGuard tunnel',
        alt: 'The menu Add a new WireGuard tunnel, with Create from QR code to press',
        lines: [
          { as: 'row', text: 'Create from file or archive' },
          { as: 'row', text: 'Create from QR code', press: true },
          { as: 'row', text: 'Create from scratch' },
        ],
      },
    },
    {
      title: 'Allow it, and turn it on',
      text: (
        <>
          iOS asks whether WireGuard may add VPN configurations: press <Press>Allow</Press> and type your
          passcode. Then turn the tunnel’s switch on.
        </>
      ),
      picture: {
        frame: 'phone',
        title: 'WireGuard',
        alt: 'The list of tunnels, with one whose switch is on',
        lines: [{ as: 'switch', text: 'Connection 1', isOn: true, press: true }],
      },
    },
  ],
  killSwitch: (
    <Paragraphs>
      <p>
        Open the tunnel, press <Press>Edit</Press>, turn on <Press>Cellular</Press> and <Press>Wi-Fi</Press>{' '}
        under On-Demand Activation, and press <Press>Save</Press>. iOS then brings the tunnel up whenever
        there is a network, and again if it ends.
      </p>
      <p>
        While the tunnel is up, apps go through it, even when the server cannot be reached: pages then do not
        open. On-Demand does not guarantee that, though. In the moment before the tunnel is up an app may get
        past it, and so may some of Apple’s own services.
      </p>
    </Paragraphs>
  ),
  killSwitchPicture: {
    frame: 'phone',
    title: 'On-Demand Activation',
    alt: 'The switches Cellular and Wi-Fi under On-Demand Activation, both on',
    lines: [
      { as: 'switch', text: 'Cellular', isOn: true, press: true },
      { as: 'switch', text: 'Wi-Fi', isOn: true, press: true },
    ],
  },
  dns: (
    <>
      While the tunnel is up, iOS asks our resolver for names. An app or a profile with its own resolver uses
      that one, through the tunnel. Look in Settings under General, VPN &amp; Device Management, DNS.
    </>
  ),
  atStart: (
    <>
      With On-Demand Activation the tunnel comes back after a restart, once you have unlocked the device.
      Without it, turn the switch on in WireGuard, or in Settings under VPN.
    </>
  ),
  troubles: [
    {
      title: 'The switch turns itself on again',
      text: 'On-Demand does that. Turn On-Demand off in the tunnel first; then the switch stays off.',
    },
    {
      title: 'The App Store has stopped loading since an update began',
      text: 'Updating WireGuard closes its tunnel, and On-Demand holds the network until it is back. Turn On-Demand off, let the update finish, and turn it on again.',
    },
  ],
  remove: (
    <>
      Open the tunnel, press <Press>Delete tunnel</Press> at the foot, and confirm. To remove the app as well,
      hold its icon and choose Remove App; its tunnels go with it.
    </>
  ),
}
