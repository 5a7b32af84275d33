import type { Endpoint } from '@hedgerow/contract/endpoint'
import type { FastifyReply } from 'fastify'

/** Customers' lists answer so many at once. */
export const LISTED_AT_ONCE = 100

/** A page of a list, and the cursor that leads to the following one; null at the end. */
export type Page<Row> = { rows: Row[]; next: string | null }

/** Answers a page as the plain array that it is, with the address of the next in the header Link (RFC 8288). */
export const sendPage = <Row>(
  reply: FastifyReply,
  { url }: Pick<Endpoint, 'url'>,
  { rows, next }: Page<Row>,
): Row[] => {
  if (next !== null) reply.header('link', `<${url}?after=${encodeURIComponent(next)}>; rel="next"`)
  return rows
}
