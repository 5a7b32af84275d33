import type { FastifyInstance, FastifyReply } from 'fastify'
import { presentNoticed } from '#data-api/present-chargeback.ts'
import {
  allChargebacks,
  ChargebackRefused,
  findChargeback,
  moveChargeback,
  openChargeback,
  type PaidChargeback,
} from '#gateway/chargebacks.ts'
import type { Gateway } from '#gateway/gateway.ts'
import {
  CHARGEBACK_STAGES,
  CHARGEBACK_STATUSES,
  type ChargebackStage,
  type ChargebackStatus,
} from '#payments/payment.ts'

type WithId = { Params: { id: string }; Body: Record<string, unknown> | undefined }
type Notice = { Body: { url?: string; kind?: string } | undefined }

/** A form is led back to the page, a program gets JSON. */
const answer = (reply: FastifyReply, isForm: boolean, back: string, value: object) =>
  isForm ? reply.redirect(back, 303) : reply.send(value)

const isFormType = (type: string | undefined): boolean => (type ?? '').startsWith('application/x-www-form')

const codeOf = (value: unknown): string =>
  typeof value === 'string' && /^[\w.]{1,20}$/.test(value) ? value : '10.4'

const HOUR_MS = 3_600_000
const OF_A_DAY = 24 * HOUR_MS

/** Where the shop wants it: beside the address for callbacks of its sales, where nothing else is set. */
const noticeUrl = (gateway: Gateway, [first]: PaidChargeback[]): string | undefined => {
  if (gateway.settings.chargebackUrl) return gateway.settings.chargebackUrl
  const callbackUrl = first?.payment.callbackUrl
  return callbackUrl && new URL('chargebacks', callbackUrl).href
}

/** What is opened and decided by hand: the card holder's bank, and the clock that sends the notice of the day. */
export const chargebacksRoutes = (gateway: Gateway) => async (app: FastifyInstance) => {
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof ChargebackRefused) return reply.code(400).send({ error: error.message })
    throw error
  })

  app.post<WithId>('/gate/payments/:id/chargebacks', (request, reply) => {
    const payment = gateway.books.find(request.params.id)
    if (!payment) return reply.code(404).send({ error: 'There is no such payment' })
    const { amount, reason_code } = request.body ?? {}
    const chargeback = openChargeback(gateway, payment, {
      amount: amount === undefined ? undefined : Number(amount),
      reasonCode: codeOf(reason_code),
    })
    const isForm = isFormType(request.headers['content-type'])
    return answer(reply, isForm, `/gate/${encodeURIComponent(payment.id)}`, chargeback)
  })

  /** Once, unsigned, and whether anyone takes it or not. `summary`: without the chargebacks, as a count. */
  app.post<Notice>('/gate/chargebacks/notice', (request, reply) => {
    const since = Date.now() - OF_A_DAY
    const changed = [...allChargebacks(gateway)].filter(({ chargeback }) => chargeback.updatedAt >= since)
    const url = request.body?.url ?? noticeUrl(gateway, changed)
    const { projectId } = gateway.settings
    const isSummary = request.body?.kind === 'summary'
    const body = isSummary
      ? { type: 'new_chargebacks_summary', project_id: projectId, count: changed.length }
      : {
          type: 'new_chargebacks',
          project_id: projectId,
          chargebacks: changed.map((one) => presentNoticed(one, projectId)),
        }
    if (url && changed.length > 0) gateway.callbacks.sendOnce(url, JSON.stringify(body))
    const isForm = isFormType(request.headers['content-type'])
    return answer(reply, isForm, '/gate', { sentTo: (changed.length > 0 && url) || null, ...body })
  })

  app.post<WithId>('/gate/chargebacks/:id', (request, reply) => {
    const found = findChargeback(gateway, Number(request.params.id))
    if (!found) return reply.code(404).send({ error: 'There is no such chargeback' })
    const { stage } = request.body ?? {}
    const status = request.body?.status ?? 'new'
    const isKnown =
      CHARGEBACK_STATUSES.includes(status as ChargebackStatus) &&
      (stage === undefined || CHARGEBACK_STAGES.includes(stage as ChargebackStage))
    if (!isKnown) return reply.code(400).send({ error: 'There is no such status or stage' })
    moveChargeback(gateway, found, {
      status: status as ChargebackStatus,
      stage: stage as ChargebackStage | undefined,
    })
    const isForm = isFormType(request.headers['content-type'])
    return answer(reply, isForm, `/gate/${encodeURIComponent(found.payment.id)}`, found.chargeback)
  })
}
