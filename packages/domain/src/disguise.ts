/**
 * What an AmneziaWG app sends before a handshake, so that the start does not look like WireGuard's: a packet of some other
 * kind (`i1`), then so many of random bytes. A node takes all of it for noise, so both ends need not agree.
 */
export type Disguise = { jc: number; jmin: number; jmax: number; i1?: string | undefined }

const JUNK = { jc: 4, jmin: 40, jmax: 70 }

/** By the name that an operator chooses. Each is short enough for a QR code. */
export const DISGUISES = {
  junk: JUNK,
  /** A STUN request for the own address, as calls begin (RFC 8489). */
  stun: { ...JUNK, i1: '<b 0x000100002112a442><r 12>' },
  /** The head of a first QUIC packet, and the 1,200 bytes that it is filled up to (RFC 9000). */
  quic: { ...JUNK, i1: '<b 0xc30000000108><r 8><b 0x0000449e><r 1000><r 182>' },
} as const satisfies Readonly<Record<string, Disguise>>

type DisguiseName = keyof typeof DISGUISES

/** Unless an operator sets another. */
export const USUAL_DISGUISE: DisguiseName = 'stun'

const NO_DISGUISE = 'off'

/** What every IPv6 network carries (RFC 8200). A packet in parts stands out. */
const SMALLEST_MTU = 1280

/** Bytes. The largest UDP packet that is sent whole there. */
const LARGEST_PACKET = SMALLEST_MTU - 48
const MOST_JUNK = 128

/** Characters: what an operator types has room beside it. */
const LONGEST_I1 = 800

const TAG = /<(?:b 0x(?<hex>(?:[\da-fA-F]{2})+)|(?:r|rc|rd) (?<count>[1-9]\d{0,2}|1000)|t)>/g
const TIME_BYTES = 4

/** How long the packet is that these tags describe. Undefined: they are none, or say something else, too. */
const lengthOf = (i1: string): number | undefined => {
  if (i1 === '' || i1.replaceAll(TAG, '') !== '') return undefined
  return [...i1.matchAll(TAG)].reduce(
    (sum, { groups }) => sum + (groups?.hex ? groups.hex.length / 2 : Number(groups?.count ?? TIME_BYTES)),
    0,
  )
}

type Read = { disguise: Disguise | null } | { fault: string }

const check = (disguise: Disguise): Read => {
  const { jc, jmin, jmax, i1 } = disguise
  if (jc < 1 || jc > MOST_JUNK) return { fault: `Jc is from 1 to ${MOST_JUNK}.` }
  if (jmin < 1 || jmin > jmax) return { fault: 'Jmin is 1 or more, and at most Jmax.' }
  if (jmax > LARGEST_PACKET)
    return { fault: `Jmax is at most ${LARGEST_PACKET}, so that packets go in one piece.` }
  if (i1 === undefined) return { disguise }
  const length = i1.length > LONGEST_I1 ? undefined : lengthOf(i1)
  if (length === undefined)
    return {
      fault: `I1 is made of <b 0x…>, <r n>, <rc n>, <rd n> and <t>, in at most ${LONGEST_I1} characters; n is from 1 to 1000.`,
    }
  return length > LARGEST_PACKET
    ? { fault: `I1 makes ${length} bytes; at most ${LARGEST_PACKET} go in one piece.` }
    : { disguise }
}

const OWN = /^jc *= *(\d{1,4}) *, *jmin *= *(\d{1,4}) *, *jmax *= *(\d{1,4})(?: *, *i1 *= *(.*))?$/i

/** As an operator types it: a name, 'off' (null), or settings as a file has them, with commas between. */
export const readDisguise = (typed: string): Read => {
  const name = typed.toLowerCase()
  if (name === NO_DISGUISE) return { disguise: null }
  if (Object.hasOwn(DISGUISES, name)) return { disguise: DISGUISES[name as DisguiseName] }
  const own = OWN.exec(typed)
  if (!own)
    return {
      fault: `One of ${Object.keys(DISGUISES).join(', ')}, ${NO_DISGUISE}, or like: Jc = 4, Jmin = 40, Jmax = 70, I1 = <r 40>`,
    }
  const [jc = 0, jmin = 0, jmax = 0] = own.slice(1, 4).map(Number)
  return check({ jc, jmin, jmax, ...(own[4] === undefined ? {} : { i1: own[4] }) })
}
