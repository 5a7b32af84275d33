import { createHash, randomBytes, randomInt } from 'node:crypto'

/** 256 random bits as text that is safe in an address. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** What the database keeps of a token. A plain hash will do: 256 bits cannot be guessed. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

const READABLE = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
const PROMOCODE_LENGTH = 10

/** For people to read out and type: no letter or digit that looks like another. About 4.9 bits each. */
export const newReadableCode = (length: number): string =>
  Array.from({ length }, () => READABLE[randomInt(READABLE.length)]).join('')

export const newPromocode = (): string => newReadableCode(PROMOCODE_LENGTH)
