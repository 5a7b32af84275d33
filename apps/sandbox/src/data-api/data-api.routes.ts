import { isSignedBy } from '@hedgerow/gate/signature'
import type { FastifyError, FastifyInstance } from 'fastify'
import { DataRefusal } from '#data-api/data-call.ts'
import { DATA_CALLS } from '#data-api/data-calls.ts'
import type { Gateway } from '#gateway/gateway.ts'

/** The gateway's reporting interface: JSON with a user's token, signed with a key of its own. It only reads. */
export const dataApiRoutes = (gateway: Gateway) => async (app: FastifyInstance) => {
  const { dataToken, dataSecret, secret } = gateway.settings

  app.setErrorHandler<FastifyError | DataRefusal>((error, _request, reply) => {
    if (error instanceof DataRefusal) return reply.code(400).send({ status: 'error', message: error.message })
    const status = error.statusCode ?? 500
    if (status >= 500) console.error('sandbox: the Data API failed', error)
    return reply.code(status).send({ status: 'error', message: error.message })
  })

  for (const { path, handle } of DATA_CALLS)
    app.post(`/${path}`, async (request, reply) => {
      const body = request.body as Record<string, unknown> | null
      if (typeof body !== 'object' || body === null) throw new DataRefusal('The body is no object.')
      if (body.token !== dataToken || !isSignedBy(body, dataSecret ?? secret))
        return reply.code(403).send({ status: 'error', message: 'Token or signature is wrong.' })
      return handle(body, gateway)
    })
}
