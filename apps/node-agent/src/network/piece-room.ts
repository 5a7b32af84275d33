import { raiseLimit } from '#network/kernel-settings.ts'

/** The memories in which pieces of packets wait for the rest, over IPv4 and IPv6; one each for all customers and strangers. */
const MEMORIES = ['ipv4/ipfrag_high_thresh', 'netfilter/nf_conntrack_frag6_high_thresh'] as const
const BYTES = 64 * 2 ** 20

/** A video call or a tunnel inside of the tunnel sends hundreds of datagrams a second that do not fit into one packet. */
const WITH_ROOM = 2_000
/** So few that several who never send the rest do not fill the 4 MB that kernels begin with. */
const WITHOUT_ROOM = 50

/** Raises both where that may be done (not in a container); returns the smaller one, in bytes. */
export const ensurePieceRoom = async (): Promise<number> => {
  const found: number[] = []
  for (const path of MEMORIES) found.push((await raiseLimit(path, BYTES)) ?? 0)
  return Math.min(...found)
}

/** Returns how many pieces a customer may send. */
export const piecesASecond = (roomBytes: number): number => (roomBytes >= BYTES ? WITH_ROOM : WITHOUT_ROOM)
