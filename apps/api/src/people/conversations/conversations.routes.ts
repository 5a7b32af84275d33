import * as conversations from '@hedgerow/contract/conversations'
import type { FastifyInstance } from 'fastify'
import {
  addMessage,
  listConversations,
  startConversation,
} from '#people/conversations/conversations.service.ts'
import { askQuestion, readQuestion, writeByLink } from '#people/conversations/questions.service.ts'
import type { Dependencies } from '#platform/dependencies.ts'
import { implement } from '#platform/http/implement.ts'

export const conversationsRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  implement(app, conversations.applyForWhiteLabel, ({ customerId, body }) => {
    const { id, name, commentary } = body
    return startConversation(deps, {
      id,
      kind: 'application',
      customer_id: customerId,
      name,
      text: commentary,
    })
  })

  implement(app, conversations.contactSupport, ({ customerId, body }) => {
    const { id, name, problem } = body
    return startConversation(deps, {
      id,
      kind: 'support',
      customer_id: customerId,
      name,
      text: problem,
    })
  })

  implement(app, conversations.listConversations, ({ customerId }) => listConversations(deps, customerId))

  implement(app, conversations.addMessage, ({ customerId, params, body }) => {
    const { id, text } = body
    return addMessage(deps, {
      conversationId: params.id,
      customerId,
      id,
      text,
    })
  })

  implement(app, conversations.askQuestion, ({ body }) => askQuestion(deps, body))

  implement(app, conversations.readQuestion, ({ body }) => readQuestion(deps, body.token))

  implement(app, conversations.writeByLink, ({ body }) => writeByLink(deps, body))
}
