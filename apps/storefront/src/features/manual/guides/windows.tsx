import type { Guide } from '#features/manual/guide.ts'
import { Elsewhere, Page, Press, Typed } from '#features/manual/words.tsx'

export const windows: Guide = {
  title: 'Windows',
  writtenFor: 'WireGuard 1.1 on Windows 10 and 11',
  needs: [
    <>
      The WireGuard app, from its makers:{' '}
      <Elsewhere href="https://download.wireguard.com/windows-client/wireguard-installer.exe">
        wireguard-installer.exe
      </Elsewhere>
      . Other versions are on{' '}
      <Elsewhere href="https://www.wireguard.com/install/">wireguard.com/install</Elsewhere>.
    </>,
    'An account on the computer that can install programs.',
    <>
      An active connection, in <Page to="/profile">your profile</Page>.
    </>,
  ],
  steps: [
    {
      title: 'Install the app',
      text: (
        <>
          Open the file and answer <Press>Yes</Press> when Windows asks. The installer fetches the newest
          version and opens it.
        </>
      ),
    },
    {
      title: 'Save the file',
      text: (
        <>
          In your profile press <Press>Download</Press> on the connection’s ticket, or save the file attached
          to our email. It is named after the connection and ends in <Typed>.conf</Typed>. Anyone who has it
          can use your connection, so delete it once it is imported.
        </>
      ),
    },
    {
      title: 'Import it',
      text: (
        <>
          In WireGuard press <Press>Import tunnel(s) from file</Press> and choose the file.
        </>
      ),
      picture: {
        frame: 'window',
        title: 'WireGuard',
        alt: 'The window of WireGuard, with the button Import tunnel(s) from file to press',
        lines: [
          { as: 'row', text: 'Tunnels', value: 'Log' },
          { as: 'button', text: 'Import tunnel(s) from file', press: true },
        ],
      },
    },
    {
      title: 'Turn it on',
      text: (
        <>
          Choose the tunnel on the left and press <Press>Activate</Press>. Under Peer, “Latest handshake”
          shows a few seconds: it is connected.
        </>
      ),
      picture: {
        frame: 'window',
        title: 'WireGuard',
        alt: 'The details of a tunnel: its status, the latest handshake, and the button Activate to press',
        lines: [
          { as: 'row', text: 'Status:', value: 'Inactive' },
          { as: 'button', text: 'Activate', press: true },
          { as: 'row', text: 'Latest handshake:', value: '3 seconds ago' },
        ],
      },
    },
  ],
  killSwitch: (
    <>
      It is on already. The app blocks everything outside the tunnel whenever the tunnel carries all
      addresses, as ours does. To see it, choose the tunnel, press <Press>Edit</Press>, and look for{' '}
      <Press>Block untunneled traffic (kill-switch)</Press>. It holds while the tunnel is active; after{' '}
      <Press>Deactivate</Press> you browse without it. It also blocks printers and drives on your own network.
      Untick it if you need those.
    </>
  ),
  killSwitchPicture: {
    frame: 'window',
    title: 'Edit tunnel',
    alt: 'The foot of the window Edit tunnel, with the box Block untunneled traffic ticked',
    lines: [
      { as: 'box', text: 'Block untunneled traffic (kill-switch)', isOn: true, press: true },
      { as: 'button', text: 'Save' },
    ],
  },
  dns: (
    <>
      Windows may ask several resolvers at once. While the kill switch is ticked, it can reach only ours, so
      leave it on if this matters to you.
    </>
  ),
  atStart: (
    <>
      A tunnel that was active when you shut Windows down comes back when it starts, before anybody logs in.
      One that was not stays off.
    </>
  ),
  troubles: [
    {
      title: '“Import” or “Activate” is missing',
      text: 'The app shows them to administrators only. Log in as one, or ask the person who looks after the computer.',
    },
  ],
  remove: (
    <>
      Press <Press>Deactivate</Press>, then <Press>Remove selected tunnel(s)</Press> below the list. To remove
      the app as well, go to Settings, Apps, and uninstall WireGuard.
    </>
  ),
}
