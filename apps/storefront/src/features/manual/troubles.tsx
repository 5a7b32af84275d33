import type { Trouble } from '#features/manual/guide.ts'
import { Page, Press, Typed } from '#features/manual/words.tsx'

/** What goes wrong on any system, most likely first. */
export const TROUBLES: readonly Trouble[] = [
  {
    title: 'It used to work and has stopped',
    text: (
      <>
        Look at the ticket in <Page to="/profile">your profile</Page>. If its days are over, every page shows
        a note that says so for a few days, and after that nothing opens. <Press>Buy more</Press> keeps the
        same file working. If the ticket says that it has new keys or another location, import its file again.
      </>
    ),
  },
  {
    title: 'There is no handshake',
    text: (
      <>
        The app shows “Latest handshake” only after the server has answered. If it never does, this network
        may be blocking WireGuard, as some hotels and offices do. Open <Press>File options</Press> on the
        ticket, tick <Press>Through the other port</Press> if it is there, and import the file again. If that
        does not help, tick <Press>For networks that block WireGuard</Press>: that file is for another app,{' '}
        <Page to="/manual/amneziawg">AmneziaWG</Page>. Or try another network, such as your phone’s hotspot.
        If it works there, ask the person who runs the first network to allow UDP to the port after the colon
        in the file’s Endpoint line.
      </>
    ),
  },
  {
    title: 'The clock is behind',
    text: 'A server refuses a handshake that is older than the last one. After a flat battery, or on a router that has just started, set the date and time, or let them be set by the network.',
  },
  {
    title: 'There is a handshake, and pages do not open or stop half-way',
    text: (
      <>
        Packets are too large for something on the way, often on mobile internet or PPPoE. Open{' '}
        <Press>File options</Press> on the ticket, tick <Press>Small packets</Press>, and import the file
        again. Or edit the tunnel in the app and set <Press>MTU</Press> to <Typed>1280</Typed>.
      </>
    ),
  },
  {
    title: 'It comes and goes every few seconds',
    text: (
      <>
        Two devices use the same connection, and the server answers whichever spoke last. A connection is for
        one device at a time: turn it off on one of them, or{' '}
        <Page to="/products">buy another connection</Page>.
      </>
    ),
  },
  {
    title: 'The Wi-Fi wants a login first',
    text: 'This happens on trains and in hotels and cafés. Turn the tunnel off, and the kill switch if there is one, open any page, log in, and turn both on again.',
  },
  {
    title: 'One site does not open, others do',
    text: (
      <>
        One of your filters may have its name on the list. Switch them off on the ticket, one by one; it takes
        effect within seconds. Some sites refuse visitors from any VPN; nothing on your side changes that.
      </>
    ),
  },
  {
    title: 'Pages open, but slowly at first',
    text: 'IPv6 goes through the tunnel like IPv4. Where a server has no IPv6 of its own, your device tries it, gives up and uses IPv4. It never goes past the tunnel. There is nothing to change.',
  },
  {
    title: 'Email won’t send, or a game can’t find other players',
    text: 'Our servers block email on port 25, so choose port 465 or 587 in your email program. Games and calls that connect devices directly have to use their relays.',
  },
]
