import { createHash, createHmac, randomBytes } from 'node:crypto'

/** 256 random bits as text that is safe in an address. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** A token for something that may be done twice: the same both times, and none that can be guessed without the key. */
export const tokenFor = (key: Buffer, what: string): string =>
  createHmac('sha256', key).update(what).digest('base64url')

/** An id for somebody who does not exist, always the same for one name. It looks like those that do. */
export const idOfNobody = (key: Buffer, name: string): string => {
  const hex = createHmac('sha256', key).update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** What the database keeps of a token. A plain hash will do: nobody can guess 256 bits. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

const PROMOCODE_ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
const PROMOCODE_LENGTH = 10

/** A code that a person can read out: no letter or digit that looks like another. About 49 bits. */
export const newPromocode = (): string =>
  Array.from(
    randomBytes(PROMOCODE_LENGTH),
    (byte) => PROMOCODE_ALPHABET[byte % PROMOCODE_ALPHABET.length],
  ).join('')
