import { randomBytes } from 'node:crypto'
import { isTestCard } from '@hedgerow/domain/cards'
import { CARRIERS, type GatewayName } from '@hedgerow/domain/gateways'
import { INVOICE_DEFAULTS } from '@hedgerow/domain/invoices'
import type { CurrencyCode } from '@hedgerow/domain/money'
import { toMinor } from '@hedgerow/domain/money'
import { networkOf, networksAround } from '@hedgerow/domain/networks'
import type { NextAction } from '@hedgerow/domain/next-action'
import { passOf, velocityCountsOf } from '@hedgerow/domain/velocity-limits'
import { takeUse } from '#catalogue/promocodes/promocodes.service.ts'
import type { GatewayDependencies } from '#money/gateway/gateway.ts'
import {
  gatewayOf,
  type HostedMethod,
  type PageSale,
  type Sale,
  type SaleMethod,
} from '#money/gateway/gateway.ts'
import { findRefusal } from '#money/payments/attempts/find-refusal.ts'
import { withinLimits } from '#money/payments/attempts/pauses.ts'
import { setPurchase } from '#money/payments/attempts/purchases.queries.ts'
import { refuseAfterReturns } from '#money/payments/attempts/refuse-after-returns.ts'
import { retryAfterStatusCheck } from '#money/payments/attempts/retry-after-status-check.ts'
import type { PaymentDependencies } from '#money/payments/payment-statuses.ts'
import {
  abandonPayment,
  findPayment,
  insertPayment,
  type NewPayment,
  updatePaymentIfUnchanged,
} from '#money/payments/payments.queries.ts'
import { applyUpdate, endAsError } from '#money/payments/updates/apply-update.ts'
import { queueClosing } from '#money/payments/updates/close-page.ts'
import { isOfNode } from '#network/agents/agents.service.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import type { Dependencies, With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import type { OrderTerms } from '#sales/orders/order-sums.ts'
import { lockOrder, setOrderSums } from '#sales/orders/orders.service.ts'
import { termsInForce } from '#sales/orders/terms.ts'

const ID_BYTES = 16

/** How often one sale is sent, while it is in memory and the gateway says that it never saw it. */
const SENDS = 3

/** Sends the sale. The outcome is in the payment's row; where no answer came, a job asks for the status. */
const sendSale = async (deps: Dependencies & PaymentDependencies, sale: Sale): Promise<void> => {
  const { log } = deps
  const { gate } = deps.gateways
  const { paymentId } = sale
  for (let send = 1; send <= SENDS; send++) {
    const answer = await gate.sale(sale)
    if (answer.kind === 'accepted') return
    if (answer.kind === 'refused') {
      log.error({ paymentId, code: answer.code }, 'the gateway refused a sale')
      return endAsError(deps, paymentId, answer.code)
    }
    // No answer is no result: the sale may have arrived. Only what the gateway never saw is sent again.
    const status = await gate.status({ id: paymentId, ref: null })
    if (status.kind === 'found') await applyUpdate(deps, status.update)
    if (status.kind !== 'unseen') return
  }
}

type Shown = { total: number; currency: CurrencyCode }

/** Recorded together with an attempt: another one that it replaces, new terms of the order, its purchase. */
type AttemptExtras = {
  instead: string | undefined
  sums: OrderTerms | undefined
  purchaseId: string | undefined
}

/** Uses up one of the uses of the order's promocode, if it has one, and tries once more. */
const insertCounted = async (trx: Trx, payment: NewPayment): Promise<string> => {
  const order = await lockOrder(trx, payment.orderId)
  const code = order?.promocode ?? undefined
  if (code !== undefined) await takeUse(trx, code, payment)
  const email = await insertPayment(trx, payment, code)
  if (email === undefined) throw new Problem('payment-under-way')
  return email
}

/**
 * Records the attempt, and what goes along with it: all or nothing. That is one statement, but for a purchase that has an
 * id, and an order that changes with the attempt or whose promocode's uses are counted. Returns the customer's e-mail;
 * throws why nothing was started.
 */
const record = async (
  { db }: Dependencies,
  payment: NewPayment,
  shown: Shown,
  { instead, sums, purchaseId }: AttemptExtras,
): Promise<string> => {
  const { id: paymentId, orderId, customerId } = payment
  const refuse = async (on: Db) => {
    const refusal = await findRefusal({ db: on }, customerId, orderId, shown)
    if (refusal) throw refusal
  }
  const insert = async (trx: Trx) => {
    const email = await insertPayment(trx, payment)
    if (email !== undefined) return email
    await refuse(trx)
    return insertCounted(trx, payment)
  }
  if (!instead && !sums && !purchaseId) {
    const email = await insertPayment(db, payment)
    if (email !== undefined) return email
    await refuse(db)
  }
  return db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId)
    if (order?.customer_id !== customerId) throw new Problem('order-not-found')
    if (instead && (await abandonPayment(trx, orderId, instead))) await queueClosing(trx, instead)
    if (sums) await setOrderSums(trx, orderId, sums)
    const email = await insert(trx)
    const isOfPurchase =
      !purchaseId || (await setPurchase(trx, { customerId, id: purchaseId, orderId, paymentId }))
    if (!isOfPurchase) throw new Problem('purchase-id-taken')
    return email
  })
}

/** The card is typed, or the bank chosen, on the gateway's page, so that no sale is sent from here. */
type HostedSale = { method: HostedMethod; isHosted: true }

/** The next action is a redirect to that page. Where no answer came there is none, and a job ends the attempt. */
const sendToPage = async (
  deps: Dependencies & PaymentDependencies,
  gateway: GatewayName,
  sale: PageSale,
): Promise<void> => {
  const { db, log } = deps
  const { paymentId } = sale
  const before = await findPayment(db, paymentId)
  if (!before) return
  const answer = await gatewayOf(deps.gateways, gateway).page(sale, before.now)
  if (answer.kind === 'unknown') return
  if (answer.kind === 'refused') {
    log.error({ paymentId, gateway, code: answer.code }, 'the gateway refused a sale')
    return endAsError(deps, paymentId, answer.code)
  }
  const nextAction = { kind: 'redirect', url: answer.url, method: 'GET', body: {} } satisfies NextAction
  await updatePaymentIfUnchanged(db, before, {
    status: 'awaiting redirect result',
    next_action: JSON.stringify(nextAction),
    gateway_ref: answer.ref,
  })
}

/** Where an order is paid. */
export type Checkout = {
  /** Our page to return to when the customer cancels. */
  cancelPath: string
  /** New terms of the order, where paying sets them. */
  sums?: OrderTerms
  /** Only a card can be used there. */
  isCardOnly?: true
  /** Names what is bought there, so that it is bought once. */
  purchaseId?: string | undefined
}

/** For tax: the place of sale, and the bank's country where the payment method says it. */
type PlaceFields = 'place' | 'bankCountry'

type Hashes = 'cardHash' | 'networkHash' | 'networks' | 'termsHash'

export type Attempt = Omit<
  NewPayment,
  'id' | 'shownMinor' | 'currency' | 'method' | 'gateway' | 'countedBy' | Hashes | PlaceFields
> & {
  saleMethod: SaleMethod | HostedSale
  /** What the customer saw. */
  shown: Shown
  /** An attempt that the customer has left for this one. */
  instead: string | undefined
  place: NewPayment['place'] | undefined
  bankCountry?: string | undefined
  /** Where it is paid from. */
  ipAddress: string
  /** The payer, as the gateway wants to know them. */
  customer: (email: string) => Sale['customer']
} & Checkout

const panOf = ({ saleMethod }: Attempt) => ('card' in saleMethod ? saleMethod.card.pan : undefined)

/** What distinguishes attempts: of the card and the network, keyed hashes alone. */
const hashesOf = (
  { keyedHash, settings }: Dependencies,
  attempt: Attempt,
  isShared: boolean,
): Pick<NewPayment, Hashes> => {
  const around = isShared ? [] : networksAround(attempt.ipAddress)
  const pan = panOf(attempt)
  return {
    ...(pan === undefined ? {} : { cardHash: keyedHash('card', pan) }),
    networkHash: keyedHash('network', networkOf(attempt.ipAddress)),
    termsHash: termsInForce(settings).hash,
    networks: around.map(({ network, times }) => ({
      key: keyedHash('network', network).toString('hex'),
      times,
    })),
  }
}

/** What an attempt counts for, by keyed hashes alone. */
const limitsOf = ({ keyedHash, settings }: Dependencies, attempt: Attempt, address: string | undefined) => {
  const { orderId, customerId } = attempt
  const { method } = attempt.saleMethod
  const scale = settings.rateLimitScale
  const counts = velocityCountsOf({ method, orderId, customerId, address, pan: panOf(attempt) }, scale)
  const hashed = <T extends { name: string }>({ name, ...count }: T) => ({
    ...count,
    key: keyedHash('velocity', name),
  })
  return { customerId, countedBy: counts.map(hashed), pass: hashed(passOf(customerId)) }
}

/** Who has a page for it. Cards may have gone back to a form of ours since the customer was told that there is one. */
const carrierOfPage = (
  { settings: { carriers, cardForm }, gateways }: With<'settings'> & GatewayDependencies,
  method: HostedSale['method'],
): GatewayName | null => {
  const isOwnForm = method === 'card' && carriers.card === 'gate' && cardForm === 'own'
  const other = isOwnForm ? CARRIERS.card.find((name) => name !== 'gate' && gateways[name]) : undefined
  return other ?? carriers[method]
}

/**
 * Starts an attempt to pay an order and hands it to the gateway. The attempt is recorded before the gateway hears of it,
 * so that no crash can lose it; a card is in memory only, so that no crash can leak it.
 * Throws 'order-not-found', 'order-paid', 'order-expired', 'total-differs', 'promocode-used-up', 'payments-paused',
 * 'purchase-id-taken', 'invalid' where there is no room for new connections, or 'payment-under-way' with its id.
 */
export const startPayment = async (
  deps: Dependencies & PaymentDependencies,
  attempt: Attempt,
): Promise<string> => {
  const { orderId, customerId, saleMethod, shown, instead, sums, purchaseId } = attempt
  const { cancelPath, customer, converted } = attempt
  const { total, currency } = shown
  const shownMinor = toMinor(total) ?? 0
  const id = randomBytes(ID_BYTES).toString('hex')
  const { method } = saleMethod
  // What was typed or chosen on our pages goes to the gateway that takes it from there, whoever carries the method by now.
  const gateway = 'isHosted' in saleMethod ? carrierOfPage(deps, saleMethod.method) : 'gate'
  if (gateway === null) throw new Problem('method-not-open')
  // Customers of a node share its address: one of them could block all others.
  const isShared = await isOfNode(deps.db, networkOf(attempt.ipAddress))
  const payment = {
    id,
    orderId,
    customerId,
    method,
    gateway,
    shownMinor,
    currency,
    ...(converted ? { converted } : {}),
    ...(attempt.place ? { place: { bankCountry: attempt.bankCountry, ...attempt.place } } : {}),
    ...(attempt.panMasked === undefined ? {} : { panMasked: attempt.panMasked }),
    ...(attempt.cardHolder === undefined ? {} : { cardHolder: attempt.cardHolder }),
    ...hashesOf(deps, attempt, isShared),
  }
  const { cardHash, networks } = payment
  await refuseAfterReturns(deps, {
    customerId,
    cardHash,
    isCardShared: isTestCard(panOf(attempt) ?? ''),
    networks,
  })
  const limits = limitsOf(deps, attempt, isShared ? undefined : attempt.ipAddress)
  const paying = { method, isCardOnly: attempt.isCardOnly === true }
  const email = await retryAfterStatusCheck(deps, () =>
    withinLimits(deps, limits, paying, (countedBy) =>
      record(deps, { ...payment, countedBy }, shown, { instead, sums, purchaseId }),
    ),
  )
  const sale = {
    paymentId: id,
    amountMinor: converted?.minor ?? shownMinor,
    currency: converted?.currency ?? currency,
    description: INVOICE_DEFAULTS.description,
    customer: customer(email),
    cancelPath,
  }
  await ('isHosted' in saleMethod
    ? sendToPage(deps, gateway, { ...sale, method: saleMethod.method })
    : sendSale(deps, { ...sale, saleMethod }))
  return id
}
