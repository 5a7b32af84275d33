import * as cancellations from '@hedgerow/contract/cancellations'
import type { FastifyInstance } from 'fastify'
import { cancelPayment, previewCancellation } from '#money/cancellations/cancellations.service.ts'
import { declareCancellation } from '#money/cancellations/statements.service.ts'
import type { Dependencies } from '#platform/dependencies.ts'
import { implement } from '#platform/http/implement.ts'
import { callerOf } from '#platform/http/session.ts'

export const cancellationsRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  implement(app, cancellations.previewCancellation, (request) =>
    previewCancellation(deps, callerOf(request), request.params.paymentId),
  )

  implement(app, cancellations.cancelPayment, (request) =>
    cancelPayment(deps, callerOf(request), request.params.paymentId, request.body),
  )

  implement(app, cancellations.declareCancellation, ({ body }) => declareCancellation(deps, body))
}
