import type { Guide } from '#features/manual/guide.ts'
import { Elsewhere, Page, Paragraphs, Press, Typed } from '#features/manual/words.tsx'

export const amneziawg: Guide = {
  title: 'networks that block it',
  writtenFor: 'AmneziaWG 2.0.0 or newer on Android, iOS, macOS and Windows, or AmneziaVPN 4.8.12.9 or newer',
  needs: [
    'A network on which the WireGuard app never shows a handshake. On any other, stay with WireGuard: it is what our other guides are for.',
    <>
      The app AmneziaWG, free software by another project, which sends other packets before WireGuard’s:{' '}
      <Elsewhere href="https://play.google.com/store/apps/details?id=org.amnezia.awg">Android</Elsewhere>,{' '}
      <Elsewhere href="https://apps.apple.com/app/amneziawg/id6478942365">iPhone, iPad and Mac</Elsewhere>,{' '}
      <Elsewhere href="https://github.com/amnezia-vpn/amneziawg-windows-client/releases">Windows</Elsewhere>.
      On Linux,{' '}
      <Elsewhere href="https://github.com/amnezia-vpn/amneziawg-linux-kernel-module">
        its kernel module and tools
      </Elsewhere>{' '}
      or AmneziaVPN.
    </>,
    'The least version above, or a newer one. An older one may import the file, leave out what it does not know, and never connect.',
    <>
      An active connection, in <Page to="/profile">your profile</Page>. It stays the same: so do its days, its
      location and its filters.
    </>,
  ],
  steps: [
    {
      title: 'Choose the file',
      text: (
        <>
          On the connection’s ticket open <Press>File options</Press> and tick{' '}
          <Press>For networks that block WireGuard</Press>. If <Press>Through the other port</Press> is there,
          tick it as well: many networks leave that port alone.
        </>
      ),
      picture: {
        frame: 'window',
        title: 'Your ticket',
        alt: 'The file options of a ticket, with the box For networks that block WireGuard ticked',
        lines: [
          { as: 'row', text: 'File options' },
          { as: 'box', text: 'For networks that block WireGuard', isOn: true, press: true },
        ],
      },
    },
    {
      title: 'Install the app',
      text: 'Do it on a network that is not blocked, if the store does not open on this one. AmneziaWG looks like the WireGuard app, and may be installed beside it.',
    },
    {
      title: 'Add the connection',
      text: (
        <Paragraphs>
          <p>
            On a phone or tablet press the plus sign, and scan the ticket’s code from another screen, or
            choose <Press>Import from file or archive</Press> and the file that you have downloaded. If the
            file is too long for a code, the ticket says so.
          </p>
          <p>
            On Windows and a Mac press <Press>Import tunnel(s) from file</Press>. AmneziaVPN takes the file as
            well, or the text that the ticket copies: press the plus sign there, and paste it.
          </p>
        </Paragraphs>
      ),
      picture: {
        frame: 'phone',
        title: 'AmneziaWG',
        alt: 'The menu of the plus sign in AmneziaWG, with Import from file or archive to press',
        lines: [
          { as: 'button', text: 'Import from file or archive', press: true },
          { as: 'row', text: 'Scan from QR code' },
        ],
      },
    },
    {
      title: 'Turn it on',
      text: (
        <>
          Turn WireGuard off first, on every device that has this connection. Then turn the tunnel on in
          AmneziaWG. “Latest handshake” shows a few seconds: it is connected.
        </>
      ),
    },
    {
      title: 'On Linux',
      text: (
        <>
          With module and tools installed, put the file into <Typed>/etc/amnezia/amneziawg</Typed>, readable
          by root alone, and use <Typed>awg-quick</Typed> and <Typed>awg</Typed> where our guide for{' '}
          <Page to="/manual/linux">Linux</Page> has <Typed>wg-quick</Typed> and <Typed>wg</Typed>.
        </>
      ),
    },
  ],
  killSwitch: (
    <>
      It is the one of your system, as our guides for <Page to="/manual/android">Android</Page>,{' '}
      <Page to="/manual/ios">iPhone and iPad</Page>, <Page to="/manual/macos">macOS</Page> and{' '}
      <Page to="/manual/windows">Windows</Page> describe it. Choose AmneziaWG where they choose WireGuard.
    </>
  ),
  dns: (
    <>
      AmneziaWG sets our resolver as WireGuard does. AmneziaVPN may set its own: look into its settings under
      connection, DNS servers.
    </>
  ),
  atStart: (
    <>
      As with the WireGuard app of your system: Always-on VPN on Android, On-Demand Activation on an iPhone,
      iPad or Mac. On Windows a tunnel that was active comes back when it starts.
    </>
  ),
  troubles: [
    {
      title: 'It doesn’t connect here either',
      text: (
        <>
          Tick <Press>Small packets</Press> as well, and <Press>Through the other port</Press> if it is there,
          and import the file again. Some networks block every VPN, and change what they block. If yours does,
          you can <Page to="/cancel">cancel</Page> within 14 days.
        </>
      ),
    },
    {
      title: 'The WireGuard app refuses the file',
      text: (
        <>
          It knows none of the lines <Typed>Jc</Typed> to <Typed>I1</Typed>. Import the file into AmneziaWG,
          or untick the option and download the ordinary file again.
        </>
      ),
    },
  ],
  remove: (
    <>
      Delete the tunnel in AmneziaWG, and untick <Press>For networks that block WireGuard</Press> on the
      ticket. The ordinary file has the same keys, so WireGuard works at once.
    </>
  ),
}
