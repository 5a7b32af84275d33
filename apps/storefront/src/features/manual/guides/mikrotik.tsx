import { routerOsRemoval } from '@hedgerow/wireguard/routeros'
import type { Guide } from '#features/manual/guide.ts'
import {
  Elsewhere,
  Lines,
  Page,
  Paragraphs,
  Press,
  RouterConnection,
  Typed,
} from '#features/manual/words.tsx'

export const mikrotik: Guide = {
  title: 'MikroTik routers',
  writtenFor: 'RouterOS 7, from MikroTik’s documentation',
  needs: [
    <>
      A MikroTik router with a current RouterOS 7, and WinBox or its web pages at <Typed>192.168.88.1</Typed>.
      MikroTik’s own manual is at{' '}
      <Elsewhere href="https://manual.mikrotik.com/docs/introduction/">manual.mikrotik.com</Elsewhere>.
    </>,
    <>
      A backup of its settings: type <Typed>/system/backup/save name=before-vpn</Typed> in its terminal.
    </>,
    <RouterConnection />,
  ],
  steps: [
    {
      title: 'Download the commands',
      text: (
        <>
          On the connection’s ticket open <Press>File options</Press>, tick{' '}
          <Press>As commands for a MikroTik router</Press>, and press <Press>Download</Press>. The file’s name
          ends in <Typed>.rsc</Typed>. It is text, and you can read what it does before you run it.
        </>
      ),
      picture: {
        frame: 'window',
        title: 'File options',
        alt: 'The file options of a connection, with the box As commands for a MikroTik router ticked',
        lines: [
          { as: 'box', text: 'Small packets', isOn: false },
          { as: 'box', text: 'As commands for a MikroTik router', isOn: true, press: true },
          { as: 'button', text: 'Download' },
        ],
      },
    },
    {
      title: 'Say which network uses it',
      text: (
        <>
          The commands are for devices behind the interface <Typed>bridge</Typed>, as MikroTik’s home routers
          call it. If yours has another name, open the file in a text editor and change it in the line{' '}
          <Typed>:local lan "bridge"</Typed>.
        </>
      ),
    },
    {
      title: 'Copy the file to the router',
      text: (
        <>
          Open <Press>Files</Press> in WinBox or on the router’s web pages, and upload the file.
        </>
      ),
    },
    {
      title: 'Run it',
      text: (
        <>
          Open a terminal in WinBox, on the web pages or with SSH, and type these lines with the name of your
          file. The second deletes the file, because your keys are in it.
          <Lines label="Commands that import the file and delete it">
            {`
/import file-name=phone-0001.rsc
/file/remove phone-0001.rsc
`}
          </Lines>
          Importing a connection’s file once more replaces what it added before. Do so when it has new keys or
          another location.
        </>
      ),
      picture: {
        frame: 'terminal',
        title: 'Terminal',
        alt: 'The router’s terminal after the file was imported, with the comment that everything from it has',
        lines: [
          { as: 'typed', text: '> /import file-name=phone-0001.rsc' },
          { as: 'typed', text: '> /interface/wireguard/print' },
          { as: 'typed', text: ';;; VPN phone-0001' },
          { as: 'typed', text: 'name="phone-0001" mtu=1420' },
        ],
      },
    },
  ],
  killSwitch: (
    <Paragraphs>
      <p>
        It is part of the commands. Devices behind the interface find the way to the internet in the tunnel’s
        own routing table and nowhere else. While the tunnel is down, they have no internet. Your other
        networks stay in reach, and so does the router.
      </p>
      <p>
        The router itself goes past the tunnel, for its updates and its clock. With <Press>IPv4 only</Press>{' '}
        under File options, IPv6 is left as it is and goes past the tunnel, too.
      </p>
    </Paragraphs>
  ),
  dns: (
    <>
      The commands send every question on port 53 from your devices to our resolver, whichever resolver a
      device has set. Names that only your router knows are not found meanwhile.
    </>
  ),
  atStart: (
    <>
      RouterOS keeps what was imported, and the tunnel comes back by itself. The router needs the right time
      first, which it gets by NTP.
    </>
  ),
  troubles: [
    {
      title: '“There is no interface of that name”',
      text: (
        <>
          Your network’s interface is not called <Typed>bridge</Typed>. <Typed>/interface/print</Typed> lists
          them all. Change the line in the file and import it again.
        </>
      ),
    },
    {
      title: 'There is a handshake, and devices have no internet',
      text: (
        <>
          <Typed>/interface/wireguard/peers/print detail</Typed> shows the last handshake. If there is one, a
          firewall rule of your own drops what goes from your network to the new interface. Accept it above
          that rule.
        </>
      ),
    },
    {
      title: 'Some pages never finish loading',
      text: (
        <>
          Tick <Press>Small packets</Press> under <Press>File options</Press> on the ticket as well, and
          import the file again.
        </>
      ),
    },
    {
      title: 'Guests are not in the tunnel',
      text: (
        <>
          Only devices behind one interface are. For a second network import the file of{' '}
          <Page to="/products">another connection</Page> with the name of that interface in it.
        </>
      ),
    },
    {
      title: 'The connection has another name now',
      text: 'What was imported under the old name stays. Remove it by that name before you import the new file.',
    },
  ],
  remove: (
    <>
      Type these lines in the router’s terminal, with the name of your connection’s file for{' '}
      <Typed>phone-0001</Typed>. They stand in the file, too. Everything that the file added has this comment,
      and nothing else of the router was changed.
      <Lines label="Commands that remove the connection">{routerOsRemoval('phone-0001')}</Lines>
    </>
  ),
}
