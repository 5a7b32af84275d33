import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** What everybody is answered alike, written out once for all who ask. */
export type WrittenOnce<T> = Readonly<{ value: T; json: string; etag: string }>

export const writeOnce = <T>(value: T): WrittenOnce<T> => {
  const json = JSON.stringify(value)
  const hash = createHash('sha256').update(json).digest('base64url')
  return { value, json, etag: `"${hash.slice(0, 27)}"` }
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

/** Answers without writing it out again; to be returned by a handler. */
export const answerWritten = <T>(
  request: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  { value, json, etag }: WrittenOnce<T>,
  cacheControl: string,
): T => {
  const text = isKept(request, reply, etag, cacheControl) ? '' : json
  reply.type('application/json; charset=utf-8').serializer(() => text)
  return value
}
