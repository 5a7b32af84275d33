import { formatMinor } from '@hedgerow/domain/money'
import type { Answer } from '#money/gateway/answer.ts'
import { type Btcpay, type Call, createBtcpayCall } from '#money/gateway/btcpay/btcpay-call.ts'
import { nameOf, readClaim, readPullPayment, readPullPayments } from '#money/gateway/btcpay/read-claim.ts'
import { readCoins } from '#money/gateway/btcpay/read-coins.ts'
import {
  hasMoney,
  type Invoice,
  isUnproven,
  readConfirmed,
  readInvoice,
  readInvoices,
  updateOf,
} from '#money/gateway/btcpay/read-invoice.ts'
import type {
  Acceptance,
  ClaimAnswer,
  Gateway,
  OnSilence,
  PageAnswer,
  PageSale,
  PaymentRef,
  Refund,
  StatusAnswer,
} from '#money/gateway/gateway.ts'
import { PAGE_OPEN_S, resultPageOf } from '#money/gateway/gateway.ts'

type BtcpaySettings = { btcpay: Btcpay; publicUrl: string }

/** How long after its end late money is looked for: a day, as the server does by itself. */
const MONITORED_MINUTES = 1_440

const invoiceFields = (publicUrl: string, { paymentId, amountMinor, currency, description }: PageSale) => ({
  amount: formatMinor(amountMinor),
  currency,
  metadata: { orderId: paymentId, itemDesc: description },
  checkout: {
    speedPolicy: 'MediumSpeed',
    expirationMinutes: PAGE_OPEN_S / 60,
    monitoringMinutes: MONITORED_MINUTES,
    paymentTolerance: 0,
    redirectURL: resultPageOf(publicUrl, paymentId),
    redirectAutomatically: true,
    defaultLanguage: 'en',
  },
})

type Found = { kind: 'invoice'; invoice: Invoice } | Exclude<StatusAnswer, { kind: 'found' }>

const asUnknown = (
  answer: Exclude<Answer, { kind: 'answered' }>,
): Exclude<StatusAnswer, { kind: 'found' }> => {
  if (answer.kind === 'unknown') return answer
  return answer.http === 404 ? { kind: 'unseen' } : { kind: 'unknown', reason: answer.code, isSilent: false }
}

/** There is no key that makes a call safe to repeat: an invoice whose answer was lost is found by the payment's id. */
const search = async (call: Call, paymentId: string): Promise<Found> => {
  const answer = await call('GET', `invoices?orderId=${paymentId}&includeArchived=true`)
  if (answer.kind !== 'answered') return asUnknown(answer)
  const invoice = readInvoices(answer.body).find(({ metadata }) => metadata.orderId === paymentId)
  return invoice ? { kind: 'invoice', invoice } : { kind: 'unseen' }
}

/** Only an invoice that this shop made for this payment counts. */
const find = async (call: Call, { id, ref }: PaymentRef, store: string): Promise<Found> => {
  if (ref === null) return search(call, id)
  const answer = await call('GET', `invoices/${encodeURIComponent(ref)}`)
  if (answer.kind !== 'answered') return asUnknown(answer)
  const invoice = readInvoice(answer.body)
  return invoice?.metadata.orderId === id && invoice.storeId === store
    ? { kind: 'invoice', invoice }
    : { kind: 'unreadable' }
}

const pageOf = ({ id, checkoutLink }: Invoice): PageAnswer => ({ kind: 'page', url: checkoutLink, ref: id })

const startPage = async (call: Call, publicUrl: string, sale: PageSale): Promise<PageAnswer> => {
  const answer = await call('POST', 'invoices', invoiceFields(publicUrl, sale))
  if (answer.kind === 'refused') return answer
  const invoice = answer.kind === 'answered' ? readInvoice(answer.body) : undefined
  if (invoice) return pageOf(invoice)
  const found = await search(call, sale.paymentId)
  if (found.kind === 'invoice') return pageOf(found.invoice)
  return { kind: 'unknown', reason: answer.kind === 'unknown' ? answer.reason : 'no invoice' }
}

/** Other shops may use the store: whose invoice it is says the page that it leads back to. */
const isOf = (publicUrl: string, { checkout, metadata }: Invoice): boolean =>
  checkout?.redirectURL === resultPageOf(publicUrl, metadata.orderId)

const askForStatus = async (
  call: Call,
  payment: PaymentRef,
  store: string,
  publicUrl: string,
): Promise<StatusAnswer> => {
  const at = new Date()
  const found = await find(call, payment, store)
  if (found.kind !== 'invoice') return found
  const { invoice } = found
  const isForeign = !isOf(publicUrl, invoice)
  const isPaid = invoice.status === 'Settled'
  if (!isPaid && !isUnproven(invoice))
    return { kind: 'found', update: updateOf(invoice, payment.id, at), isForeign }
  const methods = await call('GET', `invoices/${encodeURIComponent(invoice.id)}/payment-methods`)
  // What is settled needs no proof: how it came is said where it is told.
  if (methods.kind !== 'answered' && !isPaid) return asUnknown(methods)
  const body = methods.kind === 'answered' ? methods.body : undefined
  const confirmed = readConfirmed(body)
  if (confirmed === undefined && !isPaid) return { kind: 'unreadable' }
  const update = updateOf(invoice, payment.id, at, confirmed)
  const coins = update.status === 'Success' ? readCoins(body) : undefined
  return { kind: 'found', update: { ...update, coins }, isForeign }
}

const PAGE = 100
/** More pages than that are no shop's. */
const MOST_PAGES = 50

const listPaid = async (call: Call, since: Date, publicUrl: string): Promise<PaymentRef[] | undefined> => {
  const all: Invoice[] = []
  const startDate = Math.floor(since.getTime() / 1000)
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = `startDate=${startDate}&includeArchived=true&take=${PAGE}&skip=${page * PAGE}`
    const answer = await call('GET', `invoices?${query}`)
    if (answer.kind !== 'answered' || !Array.isArray(answer.body)) return undefined
    all.push(...readInvoices(answer.body))
    if (answer.body.length < PAGE) break
  }
  return all
    .filter((invoice) => hasMoney(invoice) && isOf(publicUrl, invoice))
    .map(({ id, metadata }) => ({ id: metadata.orderId, ref: id }))
}

/** The customer claims it: bitcoin goes to whom it is sent. What it is worth is counted on the day that it is approved. */
const sendRefund = async (call: Call, refund: Refund, store: string): Promise<Acceptance> => {
  const found = await find(call, refund.payment, store)
  if (found.kind === 'unknown') return found
  if (found.kind !== 'invoice') return { kind: 'refused', code: 'no-invoice', message: '' }
  const answer = await call('POST', `invoices/${encodeURIComponent(found.invoice.id)}/refund`, {
    name: nameOf(refund.refundId),
    description: refund.description,
    refundVariant: 'Custom',
    customAmount: formatMinor(refund.amountMinor),
    customCurrency: refund.currency,
  })
  if (answer.kind !== 'answered') return answer
  const made = readPullPayment(answer.body)
  return made
    ? { kind: 'accepted', requestId: made.id, claimUrl: made.viewLink }
    : { kind: 'unknown', reason: 'no pull payment' }
}

type ClaimRef = Parameters<NonNullable<Gateway['claim']>>[0]

const findPullPayment = async (call: Call, { id, ref }: ClaimRef) => {
  const answer = await call(
    'GET',
    ref === null ? 'pull-payments?includeArchived=true' : `~/pull-payments/${encodeURIComponent(ref)}`,
  )
  if (answer.kind !== 'answered') return answer
  const listed = ref === null ? readPullPayments(answer.body) : [readPullPayment(answer.body)]
  if (!listed) return { kind: 'unreadable' } as const
  const pull = listed.findLast((one) => one?.name === nameOf(id))
  return pull
    ? { kind: 'pull-payment' as const, pull }
    : ({ kind: ref === null ? 'unseen' : 'unreadable' } as const)
}

const askForClaim = async (call: Call, refund: ClaimRef): Promise<ClaimAnswer> => {
  const found = await findPullPayment(call, refund)
  if (found.kind !== 'pull-payment') return found
  const { pull } = found
  const answer = await call('GET', `~/pull-payments/${encodeURIComponent(pull.id)}/payouts`)
  if (answer.kind !== 'answered') return answer
  const claim = readClaim(pull, answer.body, refund.currency)
  return claim ? { kind: 'found', claim } : { kind: 'unreadable' }
}

const dropClaim = async (call: Call, ref: string): Promise<Acceptance> => {
  const answer = await call('DELETE', `pull-payments/${encodeURIComponent(ref)}`)
  return answer.kind === 'answered' ? { kind: 'accepted', requestId: ref } : answer
}

/** The operator's own BTCPay Server: it shows the customer where to pay, and watches whether money comes. */
export const createBtcpayClient = (
  { btcpay, publicUrl }: BtcpaySettings,
  onSilence: OnSilence = () => undefined,
): Gateway => {
  const call = createBtcpayCall(btcpay, onSilence)
  return {
    page: (sale) => startPage(call, publicUrl, sale),
    status: (payment) => askForStatus(call, payment, btcpay.store, publicUrl),
    paidSince: (since) => listPaid(call, since, publicUrl),
    refund: (refund) => sendRefund(call, refund, btcpay.store),
    claim: (refund) => askForClaim(call, refund),
    dropClaim: (ref) => dropClaim(call, ref),
  }
}
