import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits as text that is safe in an address. */
export const newToken = (): string => randomBytes(32).toString('base64url')

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
