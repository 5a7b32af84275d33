import * as emailChange from '@hedgerow/contract/email-change'
import type { FastifyInstance } from 'fastify'
import {
  askForEmailChange,
  confirmEmailChange,
  getEmailChange,
  undoEmailChange,
  withdrawEmailChange,
} from '#people/accounts/email-change.service.ts'
import type { Dependencies } from '#platform/dependencies.ts'
import { implement } from '#platform/http/implement.ts'
import { callerOf } from '#platform/http/session.ts'

export const emailChangeRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  implement(app, emailChange.getEmailChange, ({ customerId }) => getEmailChange(deps, customerId))

  implement(app, emailChange.askForEmailChange, async (request) => {
    await askForEmailChange(deps, callerOf(request), request.body.email)
    return {}
  })

  implement(app, emailChange.withdrawEmailChange, async ({ customerId }) => {
    await withdrawEmailChange(deps, customerId)
    return {}
  })

  // As after a new password by a mailed link: the owner of the mailbox gets past what strangers do to the account's limits;
  // not to those of its second step.
  implement(app, emailChange.confirmEmailChange, async (request, reply) => {
    const { email, hasSecondStep } = await confirmEmailChange(deps, request.body.token)
    if (!hasSecondStep) await deps.knownBrowsers.remember(request, reply, email)
    return { email }
  })

  implement(app, emailChange.undoEmailChange, async (request, reply) => {
    const { token, password } = request.body
    const { email, hasSecondStep } = await undoEmailChange(deps, token, password)
    if (!hasSecondStep) await deps.knownBrowsers.remember(request, reply, email)
    return { email }
  })
}
