import { formatMinor } from '@hedgerow/domain/money'
import { send, whyNot } from '@hedgerow/io/post-json'
import { type Answer, readAnswer, wordOf } from '#money/gateway/answer.ts'
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
  Gateway,
  OnSilence,
  PageAnswer,
  PageSale,
  PaymentRef,
  StatusAnswer,
} from '#money/gateway/gateway.ts'
import { PAGE_OPEN_S, resultPageOf } from '#money/gateway/gateway.ts'
import type { Settings } from '#platform/settings.ts'

type Btcpay = NonNullable<Settings['btcpay']>
type BtcpaySettings = { btcpay: Btcpay; publicUrl: string }

const TIMEOUT_MS = 10_000
/** How long after its end late money is looked for: a day, as the server does by itself. */
const MONITORED_MINUTES = 1_440

type Call = (method: 'GET' | 'POST', path: string, body?: object) => Promise<Answer>

/** A refusal is {code, message}, or a list of what is wrong where. */
const read = (status: number, text: string): Answer =>
  status >= 500 || status === 429
    ? { kind: 'unknown', reason: String(status), isSilent: true }
    : readAnswer(status, text, (body) => {
        const fault = (Array.isArray(body) ? body[0] : body) as Record<string, unknown> | null | undefined
        const code = wordOf(fault?.code) ?? wordOf(fault?.path) ?? String(status)
        return { kind: 'refused', code, message: wordOf(fault?.message) ?? '', http: status }
      })

/** Calls of the store's API. Never throws. */
const createCall =
  ({ url, store, key }: Btcpay, onSilence: OnSilence): Call =>
  async (method, path, body) => {
    try {
      const { status, text } = await send(`${url}/api/v1/stores/${encodeURIComponent(store)}/${path}`, {
        method,
        headers: {
          authorization: `token ${key}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      return read(status, text)
    } catch (error) {
      onSilence(path.split('?', 1)[0] ?? '', error)
      return { kind: 'unknown', reason: whyNot(error), isSilent: true }
    }
  }

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
  if (!isUnproven(invoice)) return { kind: 'found', update: updateOf(invoice, payment.id, at), isForeign }
  const methods = await call('GET', `invoices/${encodeURIComponent(invoice.id)}/payment-methods`)
  if (methods.kind !== 'answered') return asUnknown(methods)
  const confirmed = readConfirmed(methods.body)
  return confirmed === undefined
    ? { kind: 'unreadable' }
    : { kind: 'found', update: updateOf(invoice, payment.id, at, confirmed), isForeign }
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

/** The operator's own BTCPay Server: it shows the customer where to pay, and watches whether money comes. */
export const createBtcpayClient = (
  { btcpay, publicUrl }: BtcpaySettings,
  onSilence: OnSilence = () => undefined,
): Gateway => {
  const call = createCall(btcpay, onSilence)
  return {
    page: (sale) => startPage(call, publicUrl, sale),
    status: (payment) => askForStatus(call, payment, btcpay.store, publicUrl),
    paidSince: (since) => listPaid(call, since, publicUrl),
    // Bitcoin goes to whom it is sent: the customer has to say where, so an operator sends it.
    refund: async () => ({ kind: 'refused', code: 'by-hand', message: 'Bitcoin is given back by hand' }),
  }
}
