import { randomInt } from 'node:crypto'
import { Duplex } from 'node:stream'
import { packetOf, segmentOf, TCP } from '#probe/packets.ts'
import type { Tunnel } from '#probe/tunnel.ts'

/** One end of a TCP connection through a tunnel. */
export type Ends = { from: string; to: string; port: number; largestSegment?: number }

const FIN = 1
const SYN = 2
const RST = 4
const ACK = 16
/** What it sends fits every path that a tunnel may have. */
export const SMALL_SEGMENT = 1_200
/** What it takes is as large as customers' devices get: the node's firewall lowers this to what fits into the tunnel. */
const LARGEST_SEGMENT = 1_460
const WINDOW = 65_535
const HEADER_BYTES = 20
const AGAIN_MS = 700
const TRIES = 5
const FIRST_PORT = 49_152
const PORTS = 65_536

/** Sequence numbers begin anew after 2^32. */
const plus = (sequence: number, count: number): number => (sequence + count) >>> 0
const isBefore = (one: number, other: number): boolean => one !== other && (other - one) >>> 0 < 2 ** 31

type Unanswered = { sequence: number; flags: number; payload: Buffer }

/**
 * A TCP client over a tunnel: enough for one request, over a path that loses little. What comes out of turn is dropped, and
 * sent again by the other end. It ends by a reset, so that nothing of it stays in the node's table.
 */
export class TcpStream extends Duplex {
  readonly #ends: Ends
  readonly #tunnel: Tunnel
  readonly #ownPort = randomInt(FIRST_PORT, PORTS)
  #next = randomInt(2 ** 31)
  #expected = 0
  #isOpen = false
  #tries = 0
  #unanswered: Unanswered[] = []
  readonly #stopHearing: () => void
  readonly #timer: NodeJS.Timeout

  constructor(tunnel: Tunnel, ends: Ends) {
    super()
    this.#tunnel = tunnel
    this.#ends = ends
    this.#stopHearing = tunnel.listen((packet) => this.#hear(packet))
    this.#timer = setInterval(() => this.#again(), AGAIN_MS)
    this.#queue(SYN, Buffer.alloc(0))
  }

  #send(flags: number, sequence: number, payload: Buffer): void {
    // A first one says how large segments may be (option 2).
    const { largestSegment: most = LARGEST_SEGMENT } = this.#ends
    const options = flags === SYN ? Buffer.from([2, 4, most >> 8, most & 255]) : Buffer.alloc(0)
    const header = Buffer.alloc(HEADER_BYTES)
    header.writeUInt16BE(this.#ownPort, 0)
    header.writeUInt16BE(this.#ends.port, 2)
    header.writeUInt32BE(sequence, 4)
    header.writeUInt32BE(flags & ACK ? this.#expected : 0, 8)
    header[12] = ((HEADER_BYTES + options.length) / 4) << 4
    header[13] = flags
    header.writeUInt16BE(WINDOW, 14)
    const { from, to } = this.#ends
    this.#tunnel.send(packetOf({ from, to, protocol: TCP, body: Buffer.concat([header, options, payload]) }))
  }

  #queue(flags: number, payload: Buffer): void {
    const sequence = this.#next
    this.#unanswered.push({ sequence, flags, payload })
    this.#next = plus(sequence, payload.length + (flags & SYN ? 1 : 0))
    this.#send(flags, sequence, payload)
  }

  #again(): void {
    const [first] = this.#unanswered
    if (!first) return
    if (++this.#tries >= TRIES) this.destroy(new Error('no answer'))
    else this.#send(first.flags, first.sequence, first.payload)
  }

  #hear(packet: Buffer): void {
    const segment = segmentOf(packet)
    const { from, to, port } = this.#ends
    if (segment?.protocol !== TCP || segment.from !== to || segment.to !== from) return
    const { body } = segment
    if (body.length < HEADER_BYTES || body.readUInt16BE(0) !== port || body.readUInt16BE(2) !== this.#ownPort)
      return
    const flags = body[13] ?? 0
    if (flags & RST) return void this.destroy(new Error('refused'))
    if (flags & ACK) this.#answered(body.readUInt32BE(8))
    const sequence = body.readUInt32BE(4)
    if (flags & SYN) {
      this.#expected = plus(sequence, 1)
      if (!this.#isOpen) this.emit('connect')
      this.#isOpen = true
      this.#send(ACK, this.#next, Buffer.alloc(0))
      return
    }
    const payload = body.subarray(((body[12] ?? 0) >> 4) * 4)
    if (payload.length > 0 || flags & FIN) this.#take(sequence, payload, (flags & FIN) !== 0)
  }

  #answered(sequence: number): void {
    const before = this.#unanswered.length
    this.#unanswered = this.#unanswered.filter(
      (one) =>
        !isBefore(one.sequence, sequence) || isBefore(sequence, plus(one.sequence, one.payload.length)),
    )
    if (this.#unanswered.length < before) this.#tries = 0
  }

  #take(sequence: number, payload: Buffer, isLast: boolean): void {
    if (sequence === this.#expected) {
      this.#expected = plus(sequence, payload.length + (isLast ? 1 : 0))
      if (payload.length > 0) this.push(Buffer.from(payload))
      if (isLast) this.push(null)
    }
    this.#send(ACK, this.#next, Buffer.alloc(0))
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    const write = () => {
      for (let i = 0; i < chunk.length; i += SMALL_SEGMENT)
        this.#queue(ACK, chunk.subarray(i, i + SMALL_SEGMENT))
      done()
    }
    if (this.#isOpen) write()
    else this.once('connect', write)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearInterval(this.#timer)
    this.#stopHearing()
    if (this.#isOpen) this.#send(RST | ACK, this.#next, Buffer.alloc(0))
    done(error)
  }
}
