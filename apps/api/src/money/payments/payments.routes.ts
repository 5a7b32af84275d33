import formbody from '@fastify/formbody'
import * as hosted from '@hedgerow/contract/hosted-card'
import * as actions from '@hedgerow/contract/payment-actions'
import * as payments from '@hedgerow/contract/payments'
import type { FastifyInstance } from 'fastify'
import { payerOf } from '#money/gateway/payer.ts'
import { buyPlan, buyPlanOnPage } from '#money/payments/attempts/buy-plan.ts'
import { isCardOnPage, listMethods } from '#money/payments/attempts/list-methods.ts'
import { payByBank } from '#money/payments/attempts/pay-by-bank.ts'
import { payByBlik } from '#money/payments/attempts/pay-by-blik.ts'
import { payByCard } from '#money/payments/attempts/pay-by-card.ts'
import { payByCrypto } from '#money/payments/attempts/pay-by-crypto.ts'
import { payByHostedCard } from '#money/payments/attempts/pay-by-hosted-card.ts'
import { takeChallengeResult, takeMethodDone } from '#money/payments/next-actions/challenge.ts'
import { authorisePayment, clarifyPayment } from '#money/payments/next-actions/payment-actions.ts'
import type { PaymentDependencies } from '#money/payments/payment-statuses.ts'
import { markNotified } from '#money/payments/payments.queries.ts'
import { listPayments } from '#money/payments/payments.service.ts'
import { takeCallback } from '#money/payments/updates/take-callback.ts'
import { takeEvent } from '#money/payments/updates/take-event.ts'
import type { Dependencies } from '#platform/dependencies.ts'
import { sendSerialised } from '#platform/http/cached-reply.ts'
import { implement, type RequestOf } from '#platform/http/implement.ts'
import { sendPage } from '#platform/http/list-page.ts'
import { Problem } from '#platform/http/problems.ts'

type Deps = Dependencies & PaymentDependencies
type ConstraintHandler = NonNullable<
  ReturnType<ReturnType<Parameters<FastifyInstance['addConstraintStrategy']>[0]['storage']>['get']>
>

/** Cards are typed on our own page, or on one of a gateway's: of each pair the setting decides, which may change at any time. */
const cardRoutes = (app: FastifyInstance, deps: Deps): void => {
  app.addConstraintStrategy({
    name: 'cardForm',
    storage: () => {
      const handlers = new Map<unknown, ConstraintHandler>()
      return {
        get: (form) => handlers.get(form) ?? null,
        set: (form, handler) => void handlers.set(form, handler),
      }
    },
    deriveConstraint: () => (isCardOnPage(deps.settings) ? 'hosted' : 'own'),
    validate: () => true,
  })
  const [own, onPage] = (['own', 'hosted'] as const).map((cardForm) => ({ constraints: { cardForm } }))
  const payOrder = async (request: RequestOf<typeof payments.payByCard>) => {
    const { customerId, params, body } = request
    const payer = payerOf(request, deps.settings)
    return { paymentId: await payByCard(deps, { customerId, orderId: params.id, request: body, payer }) }
  }
  const payOrderOnPage = async (request: RequestOf<typeof hosted.payByHostedCard>) => {
    const { customerId, params, body } = request
    const payer = payerOf(request, deps.settings)
    return {
      paymentId: await payByHostedCard(deps, { customerId, orderId: params.id, request: body, payer }),
    }
  }
  const payPlan = async (request: RequestOf<typeof payments.payPlanByCard>) => ({
    _id: await buyPlan(deps, request.customerId, request.body, payerOf(request, deps.settings)),
  })
  const payPlanOnPage = async (request: RequestOf<typeof hosted.payPlanByHostedCard>) => ({
    _id: await buyPlanOnPage(deps, request.customerId, request.body, payerOf(request, deps.settings)),
  })
  const addOwn = () => {
    implement(app, payments.payByCard, payOrder, own)
    implement(app, payments.payPlanByCard, payPlan, own)
  }
  const addOnPage = () => {
    implement(app, hosted.payByHostedCard, payOrderOnPage, onPage)
    implement(app, hosted.payPlanByHostedCard, payPlanOnPage, onPage)
  }
  // The API's document describes what is added last: the form that the shop starts with.
  for (const add of isCardOnPage(deps.settings) ? [addOwn, addOnPage] : [addOnPage, addOwn]) add()
}

const otherRoutes = (app: FastifyInstance, deps: Deps): void => {
  implement(app, payments.payByOpenBanking, async (request) => {
    const { customerId, params, body } = request
    return { paymentId: await payByBank(deps, customerId, params.id, body, payerOf(request, deps.settings)) }
  })
  implement(app, payments.payByBlik, async (request) => {
    const { customerId, params, body } = request
    return { paymentId: await payByBlik(deps, customerId, params.id, body, payerOf(request, deps.settings)) }
  })
  implement(app, payments.payByCrypto, async (request) => {
    const { customerId, params, body } = request
    return {
      paymentId: await payByCrypto(deps, customerId, params.id, body, payerOf(request, deps.settings)),
    }
  })
  implement(app, actions.paymentMethods, () => listMethods(deps))
  implement(app, actions.listBanks, () => deps.banks.list())
}

/** Answers to what the gateway asks the customer. The page asks at once what comes next, so the cached status must go. */
const answerRoutes = (app: FastifyInstance, deps: Deps): void => {
  implement(app, actions.clarifyPayment, async ({ params, body }) => {
    await clarifyPayment(deps, params.paymentId, body)
    deps.statuses.forget(params.paymentId)
    return {}
  })
  implement(app, actions.authorisePayment, async ({ params, body }) => {
    await authorisePayment(deps, params.paymentId, body)
    deps.statuses.forget(params.paymentId)
    return {}
  })
}

/** The one call that a browser's form makes, and its like; everything else is JSON. */
const issuerRoutes = async (forms: FastifyInstance, deps: Deps): Promise<void> => {
  const { settings, statuses } = deps
  await forms.register(formbody)
  implement(forms, payments.paymentChallenge, async ({ params, body }, reply) => {
    await takeChallengeResult(deps, params.paymentId, body)
    statuses.forget(params.paymentId)
    return reply.redirect(`${settings.publicUrl}/payment/result/${params.paymentId}`, 303)
  })
  implement(forms, actions.threeDsMethodDone, async ({ params }, reply) => {
    await takeMethodDone(deps, params.paymentId)
    return reply.code(204).send()
  })
}

/** What is signed are the bytes. */
const eventRoutes = async (raw: FastifyInstance, deps: Deps): Promise<void> => {
  raw.removeContentTypeParser('application/json')
  raw.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  implement(raw, payments.stripeEvent, async ({ body, headers }) => {
    await takeEvent(deps, 'stripe', body, headers)
    return {}
  })
  implement(raw, payments.btcpayEvent, async ({ body, headers }) => {
    await takeEvent(deps, 'btcpay', body, headers)
    return {}
  })
}

export const paymentsRoutes = (app: FastifyInstance, deps: Deps): void => {
  cardRoutes(app, deps)
  otherRoutes(app, deps)
  answerRoutes(app, deps)
  implement(app, payments.paymentHistory, async ({ customerId, query }, reply) =>
    sendPage(reply, payments.paymentHistory, await listPayments(deps, customerId, query.after)),
  )
  implement(app, payments.paymentStatus, async ({ params }, reply) => {
    const known = await deps.statuses.get(params.paymentId)
    if (!known) throw new Problem('payment-not-found')
    // Once: a customer who sees it here needs no mail.
    if (known.isUnnotified) await markNotified(deps.db, params.paymentId)
    return sendSerialised(reply, known.reply)
  })
  void app.register((forms) => issuerRoutes(forms, deps))
  void app.register((raw) => eventRoutes(raw, deps))
  implement(app, payments.gateCallback, async ({ body }) => {
    await takeCallback(deps, body)
    return {}
  })
}
