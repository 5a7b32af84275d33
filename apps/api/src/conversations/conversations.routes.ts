import * as conversations from '@hedgerow/contract/conversations'
import type { FastifyInstance } from 'fastify'
import { addMessage, listConversations, startConversation } from '#conversations/conversations.service.ts'
import type { Dependencies } from '#dependencies.ts'
import { implement } from '#http/implement.ts'
import { customerOf } from '#http/session.ts'

export const conversationsRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  implement(app, conversations.applyForWhiteLabel, (request) => {
    const { id, name, commentary } = request.body
    return startConversation(deps, {
      id,
      kind: 'application',
      customer_id: customerOf(request),
      name,
      text: commentary,
    })
  })

  implement(app, conversations.contactSupport, (request) => {
    const { id, name, problem } = request.body
    return startConversation(deps, {
      id,
      kind: 'support',
      customer_id: customerOf(request),
      name,
      text: problem,
    })
  })

  implement(app, conversations.listConversations, (request) => listConversations(deps, customerOf(request)))

  implement(app, conversations.addMessage, (request) => {
    const { id, text } = request.body
    return addMessage(deps, {
      conversationId: request.params.id,
      customerId: customerOf(request),
      id,
      text,
    })
  })
}
