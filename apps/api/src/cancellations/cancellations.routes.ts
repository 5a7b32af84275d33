import * as cancellations from '@hedgerow/contract/cancellations'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller } from '#accounts/ask-again.ts'
import { cancelPayment, previewCancellation } from '#cancellations/cancellations.service.ts'
import { declareCancellation } from '#cancellations/statements.service.ts'
import type { Dependencies } from '#dependencies.ts'
import { implement } from '#http/implement.ts'
import { bearerOf } from '#http/session.ts'

const callerOf = (request: Pick<FastifyRequest, 'headers'> & { customerId: string }): Caller => ({
  customerId: request.customerId,
  sessionToken: bearerOf(request) ?? '',
})

export const cancellationsRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  implement(app, cancellations.previewCancellation, (request) =>
    previewCancellation(deps, callerOf(request), request.params.paymentId),
  )

  implement(app, cancellations.cancelPayment, (request) =>
    cancelPayment(deps, callerOf(request), request.params.paymentId, request.body),
  )

  implement(app, cancellations.declareCancellation, ({ body }) => declareCancellation(deps, body))
}
