import { randomBytes, randomInt } from 'node:crypto'
import type { Obfuscation } from './amneziawg.ts'
import { typesOf } from './obfuscation.ts'

/** WireGuard's messages (whitepaper, section 5.4), and AmneziaWG's, which begin otherwise. */
export type Kind = 'initiation' | 'response' | 'cookie' | 'data'

const TYPE_BYTES = 4

type Form = { kind: Kind; from: number; to: number; padding: number; bytes: number; isExact: boolean }

const PLAIN: readonly Form[] = (
  [
    ['initiation', 148],
    ['response', 92],
    ['cookie', 64],
    ['data', 32],
  ] as const
).map(([kind, bytes], i) => ({
  kind,
  from: i + 1,
  to: i + 1,
  padding: 0,
  bytes,
  isExact: kind !== 'data',
}))

const formsOf = (obfuscation: Obfuscation | undefined): readonly Form[] => {
  if (!obfuscation) return PLAIN
  const { s1, s2, s3, s4, h1, h2, h3, h4 } = obfuscation
  const paddings = [s1, s2, s3, s4]
  const ranges = [h1, h2, h3, h4].map(typesOf)
  return PLAIN.map((form, i) => ({ ...form, padding: paddings[i] ?? 0, ...ranges[i] }))
}

/**
 * How messages of a node look on the wire: WireGuard's own, or with random bytes before them and types out of the node's
 * ranges. The codes at the end of a message are made over its type as it is sent.
 */
export const createWire = (obfuscation?: Obfuscation) => {
  const forms = formsOf(obfuscation)
  const formOf = (kind: Kind) => forms.find((form) => form.kind === kind) as Form
  return {
    /** What a message begins with. */
    type: (kind: Kind): Buffer => {
      const { from, to } = formOf(kind)
      const type = Buffer.alloc(TYPE_BYTES)
      type.writeUInt32LE(from === to ? from : randomInt(from, to + 1))
      return type
    },
    /** What is sent of a message. */
    wrap: (kind: Kind, message: Buffer): Buffer => {
      const { padding } = formOf(kind)
      return padding === 0 ? message : Buffer.concat([randomBytes(padding), message])
    },
    /** A message, with its type as it was sent. Undefined: it is none of this node's. */
    unwrap: (sent: Buffer): { kind: Kind; message: Buffer } | undefined => {
      for (const { kind, from, to, padding, bytes, isExact } of forms) {
        const isLong = isExact ? sent.length === padding + bytes : sent.length >= padding + bytes
        if (!isLong) continue
        const type = sent.readUInt32LE(padding)
        if (type >= from && type <= to) return { kind, message: sent.subarray(padding) }
      }
      return undefined
    },
  }
}

export type Wire = ReturnType<typeof createWire>
