import formbody from '@fastify/formbody'
import * as payments from '@hedgerow/contract/payments'
import { isSignedBy } from '@hedgerow/gate/signature'
import type { FastifyInstance } from 'fastify'
import type { Dependencies } from '#dependencies.ts'
import { implement } from '#implement.ts'
import { limited } from '#plugins/rate-limits.ts'
import { customerOf } from '#plugins/session.ts'
import { Problem } from '#problems.ts'
import { applyNews } from './apply-news.ts'
import { takeChallengeResult } from './challenge.ts'
import { readGateNews } from './gate-news.ts'
import { listPayments } from './list-payments.ts'
import { payByCard } from './pay-by-card.ts'
import { payElsewhere } from './pay-elsewhere.ts'
import { CARD_BODY_BYTES, payerOf } from './payer.ts'

export const paymentsRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  const { settings, statuses, log } = deps

  implement(
    app,
    payments.payByCard,
    async (request) => {
      const { params, body } = request
      return { paymentId: await payByCard(deps, customerOf(request), params.id, body, payerOf(request)) }
    },
    { ...limited(settings.rateLimitScale, 30, 10), bodyLimit: CARD_BODY_BYTES },
  )

  const likeCards = { ...limited(settings.rateLimitScale, 30, 10), bodyLimit: CARD_BODY_BYTES }
  implement(
    app,
    payments.payByOpenBanking,
    async (request) => ({
      paymentId: await payElsewhere(
        deps,
        customerOf(request),
        request.params.id,
        'open_banking',
        request.body,
      ),
    }),
    likeCards,
  )
  implement(
    app,
    payments.payByBlik,
    async (request) => ({
      paymentId: await payElsewhere(deps, customerOf(request), request.params.id, 'blik', request.body),
    }),
    likeCards,
  )

  implement(app, payments.paymentHistory, (request) => listPayments(deps, customerOf(request)))

  implement(app, payments.paymentStatus, async ({ params }) => {
    const status = await statuses.get(params.paymentId)
    if (!status) throw new Problem('payment-not-found')
    return status
  })

  void app.register(async (forms) => {
    // The one call that a browser's form makes; everything else is JSON.
    await forms.register(formbody)
    implement(forms, payments.paymentChallenge, async ({ params, body }, reply) => {
      await takeChallengeResult(deps, params.paymentId, body)
      return reply.redirect(`${settings.publicUrl}/payment/result/${params.paymentId}`, 303)
    })
  })

  implement(app, payments.gateCallback, async ({ body }) => {
    // The signature first: of a body that the gateway did not sign nothing is believed.
    if (!isSignedBy(body, settings.gate.secret)) throw new Problem('callback-refused')
    const news = readGateNews(body)
    if (!news || news.projectId !== settings.gate.projectId) throw new Problem('callback-refused')
    const outcome = await applyNews(deps, news)
    if (outcome === 'unknown-payment') throw new Problem('payment-not-found')
    if (outcome === 'does-not-match') {
      log.error({ paymentId: news.paymentId }, 'a signed callback does not match its payment')
      throw new Problem('callback-refused')
    }
    return {}
  })
}
