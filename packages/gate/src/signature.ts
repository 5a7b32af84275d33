import { createHmac, timingSafeEqual } from 'node:crypto'

/** A place in a message and what stands there. `order` sorts as the paths do. */
type Leaf = { path: string; order: string; text: string }

/** Not part of what is signed: the signature itself, and a Payment Page switch that the official SDKs leave out too. */
const UNSIGNED_KEYS = new Set(['signature', 'frame_mode'])

/**
 * What a message may be made of, so that no stranger's costs much to look at. In brackets is the most of what the gateway
 * is known to send (gate.md §7, and a status answer that tells of a sale and its refunds): it has room to grow.
 */
const MOST = {
  /** Steps to a leaf (5). */
  depth: 16,
  /** Values; those that hold others count, too (91 that hold none). */
  values: 4_000,
  /** Characters of a key (28). */
  key: 256,
  /** Characters of all paths together (1,911). */
  paths: 262_144,
} as const

const leafText = (value: unknown): string => {
  if (value === true) return '1'
  if (value === false) return '0'
  return value === null ? '' : String(value)
}

const DIGIT_RUNS = /0*(\d+)/g

/**
 * Returns a text whose code units sort as the key does in natural order: by code units, but runs of digits as numbers. A
 * longer number is the greater one, so its length comes first; the zero before it keeps its place among other characters.
 * Never localeCompare: it fails a published vector.
 */
const orderOf = (key: string): string =>
  key.replace(DIGIT_RUNS, (_, digits: string) => `0${String.fromCharCode(digits.length)}${digits}`)

class Overfull extends Error {}

/** Returns the leaves in their order. Empty arrays and objects leave none; a colon inside a key is doubled, inside a value it is not. */
const leavesOf = (body: unknown): Leaf[] => {
  const leaves: Leaf[] = []
  let [values, characters] = [0, 0]
  const collect = (value: unknown, path: string, order: string, depth: number): void => {
    values++
    if (values > MOST.values || depth > MOST.depth) throw new Overfull()
    if (typeof value !== 'object' || value === null) {
      characters += path.length
      if (characters > MOST.paths) throw new Overfull()
      leaves.push({ path, order, text: leafText(value) })
      return
    }
    for (const [key, child] of Object.entries(value)) {
      if (child === undefined || UNSIGNED_KEYS.has(key)) continue
      if (key.length > MOST.key) throw new Overfull()
      const before = path === '' ? '' : ':'
      const name = key.replaceAll(':', '::')
      collect(child, path + before + name, order + before + orderOf(name), depth + 1)
    }
  }
  collect(body, '', '', 0)
  return leaves.sort((a, b) => byCodeUnits(a.order, b.order) || byCodeUnits(a.path, b.path))
}

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/** The text that is signed: every leaf as path:value, in natural order of the paths, joined by semicolons. */
export const stringToSign = (body: unknown): string =>
  leavesOf(body)
    .map(({ path, text }) => `${path}:${text}`)
    .join(';')

/** Base64 HMAC-SHA512 over the body without its signatures (ECOMMPAY Gate, «Signature»). Throws for more than MOST. */
export const signatureOf = (body: unknown, secret: string): string =>
  createHmac('sha512', secret).update(stringToSign(body), 'utf8').digest('base64')

type Signed = { signature?: unknown; general?: { signature?: unknown } | null }

/** 64 bytes in Base64. */
const SIGNATURE = /^[a-z0-9+/]{86}==$/i

/**
 * Whether the body carries, at its root or in `general`, the signature that the secret makes. Constant time for whatever
 * has the form of one; the rest, and what is no message of the gateway's by its size, is not looked at further.
 */
export const isSignedBy = (body: unknown, secret: string): boolean => {
  if (typeof body !== 'object' || body === null) return false
  const { signature, general } = body as Signed
  const given = signature ?? general?.signature
  if (typeof given !== 'string' || !SIGNATURE.test(given)) return false
  try {
    return timingSafeEqual(Buffer.from(given), Buffer.from(signatureOf(body, secret)))
  } catch (error) {
    if (error instanceof Overfull) return false
    throw error
  }
}
