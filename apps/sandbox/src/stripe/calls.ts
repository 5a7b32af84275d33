import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { faultOfCall } from '#faults/call-fault.ts'
import { checkParams } from '#stripe/check-params.ts'
import { type Params, parseForm } from '#stripe/form.ts'
import { expanded, present } from '#stripe/present.ts'
import type { StripeAccount } from '#stripe/stripe-account.ts'
import { presentStripeError, StripeError } from '#stripe/stripe-error.ts'

type Call = FastifyRequest<{ Params: { id?: string } }>
type Shape = z.ZodMiniType<{ expand?: string[] | undefined }>
type Work<Given extends Shape> = (params: z.output<Given>, id: string) => object

const LONGEST_KEY = 255

const paramsOf = (request: Call): Params => {
  if (request.method === 'POST') return parseForm(typeof request.body === 'string' ? request.body : '')
  const [, query = ''] = request.url.split(/\?(.*)/s, 2)
  return parseForm(query)
}

const textOf = (body: object): string => `${JSON.stringify(body, null, 2)}\n`

const send = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  reply.code(status).type('application/json; charset=utf-8').send(text)

const keyOf = ({ method, headers }: Call): string | undefined => {
  const key = headers['idempotency-key']
  if (method !== 'POST' || typeof key !== 'string' || key === '') return undefined
  if (key.length > LONGEST_KEY)
    throw new StripeError(
      400,
      `Idempotency keys have up to ${LONGEST_KEY} characters.`,
      {},
      'idempotency_error',
    )
  return key
}

const drop = (reply: FastifyReply): FastifyReply => {
  reply.hijack()
  reply.raw.destroy()
  return reply
}

/** How every call is met: parameters, faults, idempotency, and what unfolds in the answer. */
export const createCalls = (account: StripeAccount) => {
  const { replies } = account.books
  /** Keys of calls that hang. */
  const underWay = new Set<string>()

  const replayed = (reply: FastifyReply, key: string, asked: string): FastifyReply | undefined => {
    if (underWay.has(key))
      throw new StripeError(
        409,
        'There is currently another in-progress request using this Idempotent Key. Please try again later.',
        { code: 'idempotency_key_in_use' },
        'idempotency_error',
      )
    const kept = replies.find(key)
    if (!kept) return undefined
    if (kept.asked !== asked)
      throw new StripeError(
        400,
        'Keys for idempotent requests can only be used with the same parameters they were first used with.',
        {},
        'idempotency_error',
      )
    return send(reply.header('idempotent-replayed', 'true'), kept.status, kept.body)
  }

  const hang = (reply: FastifyReply, key: string | undefined): FastifyReply => {
    if (key) {
      underWay.add(key)
      reply.raw.once('close', () => underWay.delete(key))
    }
    return reply.hijack()
  }

  /** The answer, or the refusal, once the work has begun: both are kept for the key. */
  const outcomeOf = (work: () => object): { status: number; body: string } => {
    try {
      return { status: 200, body: textOf(work()) }
    } catch (error) {
      if (!(error instanceof StripeError)) throw error
      return { status: error.httpStatus, body: textOf(presentStripeError(error)) }
    }
  }

  return <Given extends Shape>(shape: Given, work: Work<Given>) =>
    async (request: Call, reply: FastifyReply): Promise<FastifyReply> => {
      const { id = '' } = request.params
      const [path = ''] = request.url.split('?', 1)
      const key = keyOf(request)
      const asked = hash('sha256', `${path}\n${String(request.body)}`)
      const before = key && replayed(reply, key, asked)
      if (before) return before

      const isSale = request.method === 'POST' && path === '/v1/checkout/sessions'
      const fault = faultOfCall(
        account.faults,
        { path, isSale, isQuestion: request.method === 'GET' },
        key ?? id,
      )
      // At Stripe's door: nothing has begun, and nothing is kept for the key.
      if (fault === '500') throw new StripeError(500, 'An unknown error occurred')
      if (fault === 'hang') return hang(reply, key)
      if (fault === 'drop-before-accept') return drop(reply)

      const params = checkParams(shape, paramsOf(request))
      const outcome = outcomeOf(() => expanded(account.books, present(work(params, id)), params.expand))
      if (key) replies.put({ id: key, asked, ...outcome })
      return fault === 'drop-after-accept' ? drop(reply) : send(reply, outcome.status, outcome.body)
    }
}
