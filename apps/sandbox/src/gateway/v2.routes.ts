import { randomUUID } from 'node:crypto'
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import { card3dsResult } from '#gateway/card-3ds-result.ts'
import { cardRefund } from '#gateway/card-refund.ts'
import { cardSale } from '#gateway/card-sale.ts'
import { faultOfSale } from '#gateway/faults.ts'
import type { GateCall } from '#gateway/gate-call.ts'
import { GateError, presentGateError } from '#gateway/gate-error.ts'
import type { Gateway } from '#gateway/gateway.ts'
import { paymentStatus } from '#gateway/payment-status.ts'
import { checkRequest } from '#gateway/request-checks.ts'

const CALLS: readonly GateCall[] = [cardSale, card3dsResult, cardRefund, paymentStatus] as GateCall[]

const BODY_LIMIT = 256 * 1_024

const answer = (call: GateCall, body: unknown, gateway: Gateway, reply: FastifyReply): object | undefined => {
  const fault = call.isSale ? faultOfSale(gateway.faults) : 'none'
  if (fault === '500') throw new GateError(500, '501')
  if (fault === 'hang') return void reply.hijack()
  const checked = checkRequest(body, call.fields, gateway.settings)
  const requestId = randomUUID()
  const result = call.handle(checked as never, gateway, requestId)
  if (fault === 'drop-after-accept') {
    reply.hijack()
    reply.raw.destroy()
    return undefined
  }
  const { project_id, payment_id } = checked.general
  return result ?? { status: 'success', request_id: requestId, project_id, payment_id }
}

export const gatewayRoutes = (gateway: Gateway) => async (app: FastifyInstance) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_LIMIT }, (_request, text, done) => {
    try {
      done(null, JSON.parse(String(text)))
    } catch {
      done(new GateError(422, '2003'))
    }
  })

  app.setErrorHandler<FastifyError | GateError>((error, _request, reply) => {
    if (error instanceof GateError) return reply.code(error.httpStatus).send(presentGateError(error))
    const status = error.statusCode ?? 500
    if (status >= 500) console.error('sandbox: the gateway failed', error)
    return reply.code(status).send({ status: 'error', code: '501', message: error.message })
  })

  app.setNotFoundHandler((request, reply) =>
    reply
      .code(404)
      .send({ status: 'error', code: '310', message: `No call at ${request.method} ${request.url}` }),
  )

  for (const call of CALLS) {
    app.post(call.path, (request, reply) => answer(call, request.body, gateway, reply))
  }
}
