import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** An answer that is given more than once, with its text. */
export type SerialisedReply<T> = Readonly<{ value: T; json: string }>

export const serialise = <T>(value: T): SerialisedReply<T> => ({ value, json: JSON.stringify(value) })

/** Answers without writing it out again; to be returned by a handler. */
export const sendSerialised = <T>(reply: FastifyReply, { value, json }: SerialisedReply<T>): T => {
  reply.type('application/json; charset=utf-8').serializer(() => json)
  return value
}

/** What everyone is answered alike, and may keep. */
export type CachedReply<T> = SerialisedReply<T> & Readonly<{ etag: string }>

export const cacheReply = <T>(value: T): CachedReply<T> => {
  const serialised = serialise(value)
  const hash = createHash('sha256').update(serialised.json).digest('base64url')
  return { ...serialised, etag: `"${hash.slice(0, 27)}"` }
}

const LONGEST_HEADER = 1_000

/** Whether a caller has it already. A weak one does: a proxy that compresses makes them so. */
const names = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  header.length <= LONGEST_HEADER &&
  header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)

/** Whether the caller has it already, and gets 304 for that. */
export const isKept = (
  { headers }: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  etag: string,
  cacheControl: string,
): boolean => {
  reply.headers({ 'cache-control': cacheControl, etag })
  const isKnown = names(headers['if-none-match'], etag)
  if (isKnown) reply.code(304)
  return isKnown
}

/** The same for what may be kept. */
export const answerCached = <T>(
  request: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  { value, json, etag }: CachedReply<T>,
  cacheControl: string,
): T => {
  const isKnown = isKept(request, reply, etag, cacheControl)
  return sendSerialised(reply, { value, json: isKnown ? '' : json })
}
