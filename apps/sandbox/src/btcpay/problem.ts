import type { FastifyReply } from 'fastify'
import type * as z from 'zod/mini'

type Wrong = { path: string; message: string }

/** What BTCPay Server answers instead of what was asked for: what is wrong where, or a code. */
export class BtcpayProblem extends Error {
  readonly status: number
  readonly body: Wrong[] | { code: string; message: string }

  constructor(status: number, body: Wrong[] | { code: string; message: string }) {
    super('BTCPay Server refuses')
    this.status = status
    this.body = body
  }
}

export const invalid = (path: string, message: string): BtcpayProblem =>
  new BtcpayProblem(422, [{ path, message }])

export const noSuch = (what: string): BtcpayProblem =>
  new BtcpayProblem(404, { code: `${what.replace(' ', '')}-not-found`, message: `The ${what} was not found` })

export const sendProblem = (reply: FastifyReply, { status, body }: BtcpayProblem): FastifyReply =>
  reply.code(status).send(body)

/** The body as the call needs it; what else is in it counts for nothing, as with the real server. */
export const checked = <Shape extends z.ZodMiniType>(shape: Shape, body: unknown): z.output<Shape> => {
  const result = shape.safeParse(body ?? {})
  if (result.success) return result.data
  throw new BtcpayProblem(
    422,
    result.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
  )
}
