import { createHmac, timingSafeEqual } from 'node:crypto'

type Leaf = [path: string, value: string]

/** Not part of what is signed: the signature itself, and a Payment Page switch that the official SDKs leave out too. */
const UNSIGNED_KEYS = new Set(['signature', 'frame_mode'])

const leafText = (value: unknown): string => {
  if (value === true) return '1'
  if (value === false) return '0'
  return value === null ? '' : String(value)
}

/** Empty arrays and objects leave no line; a colon inside a key is doubled, inside a value it is not. */
const collectLeaves = (value: unknown, path: string, into: Leaf[]): void => {
  if (typeof value !== 'object' || value === null) {
    into.push([path, leafText(value)])
    return
  }
  for (const [key, child] of Object.entries(value)) {
    if (child === undefined || UNSIGNED_KEYS.has(key)) continue
    const name = key.replaceAll(':', '::')
    collectLeaves(child, path === '' ? name : `${path}:${name}`, into)
  }
}

const DIGIT_RUNS = /(\d+)/

/** Natural order: code units, but runs of digits compare as numbers. Never localeCompare: it fails a published vector. */
const compareNaturally = (a: string, b: string): number => {
  const left = a.split(DIGIT_RUNS)
  const right = b.split(DIGIT_RUNS)
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const l = left[i] as string
    const r = right[i] as string
    if (l === r) continue
    if (i % 2 === 1) {
      const difference = BigInt(l) - BigInt(r)
      if (difference !== 0n) return difference < 0n ? -1 : 1
      continue
    }
    // A text run that ends early is followed by digits in its own string: compare what stands there.
    if (l.startsWith(r) || r.startsWith(l)) return compareFrom(left, right, i)
    return l < r ? -1 : 1
  }
  return left.length - right.length
}

const compareFrom = (left: string[], right: string[], index: number): number => {
  const l = left.slice(index).join('')
  const r = right.slice(index).join('')
  return l < r ? -1 : 1
}

/** The text that is signed: every leaf as path:value, in natural order of the paths, joined by semicolons. */
export const stringToSign = (body: unknown): string => {
  const leaves: Leaf[] = []
  collectLeaves(body, '', leaves)
  leaves.sort(([a], [b]) => compareNaturally(a, b))
  return leaves.map(([path, value]) => `${path}:${value}`).join(';')
}

/** Base64 HMAC-SHA512 over the body without its signatures (ECOMMPAY Gate, «Signature»). */
export const signatureOf = (body: unknown, secret: string): string =>
  createHmac('sha512', secret).update(stringToSign(body), 'utf8').digest('base64')

type Signed = { signature?: unknown; general?: { signature?: unknown } | null }

/** Whether the body carries, at its root or in `general`, the signature that the secret makes. Constant time. */
export const isSignedBy = (body: unknown, secret: string): boolean => {
  if (typeof body !== 'object' || body === null) return false
  const { signature, general } = body as Signed
  const given = signature ?? general?.signature
  if (typeof given !== 'string') return false
  const expected = Buffer.from(signatureOf(body, secret))
  const actual = Buffer.from(given)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}
