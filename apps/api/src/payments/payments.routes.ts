import formbody from '@fastify/formbody'
import * as hosted from '@hedgerow/contract/hosted-card'
import * as steps from '@hedgerow/contract/payment-actions'
import * as payments from '@hedgerow/contract/payments'
import { isSignedBy } from '@hedgerow/gate/signature'
import type { FastifyInstance } from 'fastify'
import type { Dependencies } from '#dependencies.ts'
import { implement } from '#implement.ts'
import { limited } from '#plugins/rate-limits.ts'
import { customerOf } from '#plugins/session.ts'
import { Problem } from '#problems.ts'
import { applyUpdate } from './apply-update.ts'
import { takeChallengeResult, takeMethodDone } from './challenge.ts'
import { listMethods } from './list-methods.ts'
import { listPayments } from './list-payments.ts'
import { payByBank } from './pay-by-bank.ts'
import { payByBlik } from './pay-by-blik.ts'
import { payByCard } from './pay-by-card.ts'
import { payByHostedCard } from './pay-by-hosted-card.ts'
import { CARD_BODY_BYTES, payerOf } from './payer.ts'
import { authorisePayment, clarifyPayment } from './payment-actions.ts'
import { isOfToken, readPaymentUpdate } from './payment-update.ts'
import { markNotified } from './payments.queries.ts'

export const paymentsRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  const { settings, db, statuses, meters, log } = deps

  const likeCards = { ...limited(settings.rateLimitScale, 30, 10), bodyLimit: CARD_BODY_BYTES }
  if (settings.cardForm === 'hosted') {
    implement(
      app,
      hosted.payByHostedCard,
      async (request) => ({
        paymentId: await payByHostedCard(deps, customerOf(request), request.params.id, request.body),
      }),
      likeCards,
    )
  } else {
    implement(
      app,
      payments.payByCard,
      async (request) => {
        const { params, body } = request
        return { paymentId: await payByCard(deps, customerOf(request), params.id, body, payerOf(request)) }
      },
      likeCards,
    )
  }
  implement(
    app,
    payments.payByOpenBanking,
    async (request) => {
      const { params, body } = request
      return { paymentId: await payByBank(deps, customerOf(request), params.id, body, payerOf(request)) }
    },
    likeCards,
  )
  implement(
    app,
    payments.payByBlik,
    async (request) => {
      const { params, body } = request
      return { paymentId: await payByBlik(deps, customerOf(request), params.id, body, payerOf(request)) }
    },
    likeCards,
  )
  implement(app, steps.paymentMethods, () => listMethods(deps))
  implement(app, steps.listBanks, () => deps.banks.list())

  // The page asks at once what comes next: it is not told the old while the database's own notice is on its way.
  const guessable = limited(settings.rateLimitScale, 30, 10)
  implement(
    app,
    steps.clarifyPayment,
    async ({ params, body }) => {
      await clarifyPayment(deps, params.paymentId, body)
      statuses.forget(params.paymentId)
      return {}
    },
    guessable,
  )
  implement(
    app,
    steps.authorisePayment,
    async ({ params, body }) => {
      await authorisePayment(deps, params.paymentId, body)
      statuses.forget(params.paymentId)
      return {}
    },
    guessable,
  )

  implement(app, payments.paymentHistory, (request) => listPayments(deps, customerOf(request)))

  implement(app, payments.paymentStatus, async ({ params }) => {
    const known = await statuses.get(params.paymentId)
    if (!known) throw new Problem('payment-not-found')
    // Once: whoever is told here need not be told by mail.
    if (known.isUnnotified) await markNotified(db, params.paymentId)
    return known.reply
  })

  void app.register(async (forms) => {
    // The one call that a browser's form makes; everything else is JSON.
    await forms.register(formbody)
    implement(forms, payments.paymentChallenge, async ({ params, body }, reply) => {
      await takeChallengeResult(deps, params.paymentId, body)
      statuses.forget(params.paymentId)
      return reply.redirect(`${settings.publicUrl}/payment/result/${params.paymentId}`, 303)
    })
    implement(forms, steps.threeDsMethodDone, async ({ params }, reply) => {
      await takeMethodDone(deps, params.paymentId)
      return reply.code(204).send()
    })
  })

  const refuseCallback = () => {
    meters.calledBack('refused')
    return new Problem('callback-refused')
  }
  implement(app, payments.gateCallback, async ({ body }) => {
    // The signature first: of a body that the gateway did not sign nothing is believed.
    if (!isSignedBy(body, settings.gate.secret)) throw refuseCallback()
    if (isOfToken(body, settings.gate.projectId)) return {}
    const update = readPaymentUpdate(body)
    if (!update || update.projectId !== settings.gate.projectId) throw refuseCallback()
    const outcome = await applyUpdate(deps, update)
    meters.calledBack(outcome)
    if (outcome === 'applied') statuses.forget(update.paymentId)
    if (outcome === 'unknown-payment') throw new Problem('payment-not-found')
    // The gateway tells again what is not answered with 200.
    if (outcome === 'too-early') throw new Problem('unavailable')
    if (outcome === 'does-not-match') {
      log.error({ paymentId: update.paymentId }, 'a signed callback does not match its payment')
      throw new Problem('callback-refused')
    }
    return {}
  })
}
