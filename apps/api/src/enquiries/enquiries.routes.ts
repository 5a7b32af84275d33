import * as enquiries from '@hedgerow/contract/enquiries'
import type { FastifyInstance } from 'fastify'
import type { Dependencies } from '#dependencies.ts'
import { implement } from '#implement.ts'
import { limited, limitedByCustomer } from '#plugins/rate-limits.ts'
import { customerOf } from '#plugins/session.ts'
import { listConversations, sendEnquiry, writeOn } from './enquiries.service.ts'

export const enquiriesRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  const { rateLimitScale } = deps.settings
  // A person reads these.
  const limits = () => ({
    ...limited(rateLimitScale, 30, 10),
    preHandler: limitedByCustomer(app, rateLimitScale, 10, 60),
  })

  implement(
    app,
    enquiries.applyForWhiteLabel,
    (request) => {
      const { id, name, commentary } = request.body
      return sendEnquiry(deps, {
        id,
        kind: 'application',
        customer_id: customerOf(request),
        name,
        text: commentary,
      })
    },
    limits(),
  )

  implement(
    app,
    enquiries.askSupport,
    (request) => {
      const { id, name, problem } = request.body
      return sendEnquiry(deps, { id, kind: 'support', customer_id: customerOf(request), name, text: problem })
    },
    limits(),
  )

  implement(app, enquiries.listConversations, (request) => listConversations(deps, customerOf(request)))

  implement(
    app,
    enquiries.writeOn,
    (request) => {
      const { id, text } = request.body
      return writeOn(deps, { enquiryId: request.params.id, customerId: customerOf(request), id, text })
    },
    limits(),
  )
}
