import * as cancellations from '@hedgerow/contract/cancellations'
import type { FastifyInstance } from 'fastify'
import { cancelPayment, previewCancellation } from '#cancellations/cancellations.service.ts'
import { declareCancellation } from '#cancellations/statements.service.ts'
import type { Dependencies } from '#dependencies.ts'
import { implement } from '#http/implement.ts'
import { callerOf } from '#http/session.ts'

export const cancellationsRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  implement(app, cancellations.previewCancellation, (request) =>
    previewCancellation(deps, callerOf(request), request.params.paymentId),
  )

  implement(app, cancellations.cancelPayment, (request) =>
    cancelPayment(deps, callerOf(request), request.params.paymentId, request.body),
  )

  implement(app, cancellations.declareCancellation, ({ body }) => declareCancellation(deps, body))
}
