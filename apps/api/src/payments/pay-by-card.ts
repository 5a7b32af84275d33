import { randomBytes } from 'node:crypto'
import type { PayByCardRequest } from '@hedgerow/contract/payments'
import { fullYear, maskPan } from '@hedgerow/domain/cards'
import { INVOICE_DEFAULTS } from '@hedgerow/domain/invoices'
import { toMinor } from '@hedgerow/domain/money'
import type { Dependencies } from '#dependencies.ts'
import { Problem } from '#problems.ts'
import { applyNews, endAsError } from './apply-news.ts'
import { findRefusal } from './find-refusal.ts'
import type { Sale } from './gate-client.ts'
import { readGateNews } from './gate-news.ts'
import { insertPayment } from './payments.queries.ts'

/** What the request itself tells of the payer (EMV 3DS browser data). */
export type Payer = { ipAddress: string; userAgent: string; accept: string; acceptLanguage: string }

const ID_BYTES = 16

/** How often one sale is sent, while the card is in memory and the gateway says that it never saw it. */
const SENDS = 3

const customerObject = (
  customer: { id: string; email: string },
  payer: Payer,
  browser: PayByCardRequest['browser'],
) => ({
  id: customer.id,
  email: customer.email,
  ip_address: payer.ipAddress,
  browser: payer.userAgent.slice(0, 512),
  accept_header: payer.accept,
  accept_language_header: payer.acceptLanguage || undefined,
  js_enabled: browser !== undefined,
  ...browser,
})

/** Sends the sale. Whatever becomes of it, the payment's row tells; a job asks where no answer could be had. */
const sendSale = async (deps: Dependencies, sale: Sale): Promise<void> => {
  const { gate, log } = deps
  const { paymentId } = sale
  for (let send = 1; send <= SENDS; send++) {
    const answer = await gate.sale(sale)
    if (answer.kind === 'accepted') return
    if (answer.kind === 'refused') {
      log.error({ paymentId, code: answer.code }, 'the gateway refused a sale')
      return endAsError(deps, paymentId, answer.code)
    }
    // No answer is no result: the sale may have arrived. Only what the gateway never saw is sent again.
    const status = await gate.status(paymentId)
    if (status.kind === 'found') {
      const news = readGateNews(status.body)
      if (news) await applyNews(deps, news)
      return
    }
    if (status.kind === 'unknown') return
  }
}

/**
 * Starts an attempt to pay an order and hands the card to the gateway. The attempt is recorded before the gateway hears
 * of it, so that no crash can lose it; the card is in memory only, so that no crash can leak it.
 * Throws 'order-not-found', 'order-paid', 'order-expired', 'total-differs', or 'payment-under-way' with its id.
 */
export const payByCard = async (
  deps: Dependencies,
  customerId: string,
  orderId: string,
  request: PayByCardRequest,
  payer: Payer,
): Promise<string> => {
  const { pan, card_holder, month, year, cvv, browser, currency } = request
  const shownMinor = toMinor(request.total) ?? 0
  const id = randomBytes(ID_BYTES).toString('hex')
  const payment = {
    id,
    orderId,
    customerId,
    shownMinor,
    currency,
    panMasked: maskPan(pan),
    cardHolder: card_holder,
  }
  const email = await insertPayment(deps.db, payment)
  if (email === undefined) {
    const refusal = await findRefusal(deps, customerId, orderId, request)
    throw refusal ?? new Problem('payment-under-way')
  }
  await sendSale(deps, {
    paymentId: id,
    amountMinor: shownMinor,
    currency,
    description: INVOICE_DEFAULTS.description,
    card: { pan, card_holder, month, year: fullYear(year), cvv },
    customer: customerObject({ id: customerId, email }, payer, browser),
  })
  return id
}
