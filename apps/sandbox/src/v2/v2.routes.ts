import { randomUUID } from 'node:crypto'
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import { faultOfCall } from '#faults/call-fault.ts'
import type { Gateway } from '#gateway/gateway.ts'
import { GateError, presentGateError } from '#payments/gate-error.ts'
import type { GateCall } from '#v2/gate-call.ts'
import { checkRequest } from '#v2/request-checks.ts'

/** The id, as far as a body that was not checked yet has one. */
const paymentIdIn = (body: unknown): string => {
  const id = (body as { general?: { payment_id?: unknown } } | null)?.general?.payment_id
  return typeof id === 'string' ? id : ''
}

const drop = (reply: FastifyReply): undefined => {
  reply.hijack()
  reply.raw.destroy()
}

const answer = (call: GateCall, body: unknown, gateway: Gateway, reply: FastifyReply): object | undefined => {
  const fault = faultOfCall(gateway.faults, call, paymentIdIn(body))
  if (fault === '500') throw new GateError(500, '501')
  if (fault === 'hang') return void reply.hijack()
  if (fault === 'drop-before-accept') return drop(reply)
  const checked = checkRequest(body, call, gateway.settings)
  const requestId = randomUUID()
  const result = call.handle(checked as never, gateway, requestId)
  if (fault === 'drop-after-accept') return drop(reply)
  const { project_id, payment_id } = checked.general
  return result ?? { status: 'success', request_id: requestId, project_id, payment_id }
}

export const gatewayRoutes =
  (gateway: Gateway, calls: readonly GateCall[]) => async (app: FastifyInstance) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => {
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

    for (const call of calls) {
      app.post(call.path, (request, reply) => answer(call, request.body, gateway, reply))
    }
  }
