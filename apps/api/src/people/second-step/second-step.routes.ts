import * as secondStep from '@hedgerow/contract/second-step'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { beginTotp, confirmTotp, removeTotp } from '#people/second-step/authenticator-app.ts'
import { getSecurity } from '#people/second-step/get-security.ts'
import { findHolder } from '#people/second-step/second-step.queries.ts'
import { newRecoveryCodes, switchSecondStep } from '#people/second-step/second-step.service.ts'
import { askForWayBack, keepSecondStep, stopWayBackByLink } from '#people/second-step/way-back.ts'
import type { Dependencies } from '#platform/dependencies.ts'
import { implement } from '#platform/http/implement.ts'
import { callerOf } from '#platform/http/session.ts'

export const secondStepRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  /** What a browser is known by ends when the second step comes or goes; the owner's own goes on. */
  const rememberBrowser = async (
    request: Pick<FastifyRequest, 'cookies'>,
    reply: FastifyReply,
    customerId: string,
  ): Promise<void> => {
    const holder = await findHolder(deps.db, customerId)
    if (holder) await deps.knownBrowsers.remember(request, reply, holder.email)
  }

  implement(app, secondStep.askForWayBack, async ({ body }) => ({
    until: (await askForWayBack(deps, body.ticket)).toISOString(),
  }))

  implement(app, secondStep.stopWayBack, async ({ body }) => {
    await stopWayBackByLink(deps, body.token)
    return {}
  })

  implement(app, secondStep.getSecurity, ({ customerId }) => getSecurity(deps, customerId))

  implement(app, secondStep.beginTotp, (request) => beginTotp(deps, callerOf(request)))

  implement(app, secondStep.confirmTotp, async (request, reply) => {
    const made = await confirmTotp(deps, callerOf(request), request.body.code)
    await rememberBrowser(request, reply, request.customerId)
    return made
  })

  implement(app, secondStep.removeTotp, async (request, reply) => {
    await removeTotp(deps, callerOf(request))
    await rememberBrowser(request, reply, request.customerId)
    return {}
  })

  implement(app, secondStep.switchSecondStep, async (request, reply) => {
    const made = await switchSecondStep(deps, callerOf(request), request.body.isOn)
    await rememberBrowser(request, reply, request.customerId)
    return made
  })

  implement(app, secondStep.newRecoveryCodes, (request) => newRecoveryCodes(deps, callerOf(request)))

  implement(app, secondStep.keepSecondStep, async ({ customerId }) => {
    await keepSecondStep(deps, customerId)
    return {}
  })
}
