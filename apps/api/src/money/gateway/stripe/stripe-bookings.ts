import type { OperationKind, Sum } from '@hedgerow/domain/settlement'
import * as z from 'zod/mini'
import type { BookingSource } from '#money/gateway/booking-source.ts'
import { DataFault } from '#money/gateway/data-fault.ts'
import { countryCode, isOperationId, kept, type ReadOperation } from '#money/gateway/reported-operation.ts'
import { createStripeCall, type StripeKeys } from '#money/gateway/stripe/stripe-call.ts'

/** The most that a list answers with at once. */
const PAGE = 100

const maybe = <T extends z.core.$ZodType>(schema: T) => z.catch(z.optional(schema), undefined)
const currencyCode = z.string().check(z.regex(/^[a-z]{3}$/))

/** What it was booked for, as far as all of them have it: a charge, a refund, a dispute or a payout. */
const Source = z.object({
  id: z.string(),
  amount: maybe(z.int()),
  currency: maybe(currencyCode),
  payment_intent: maybe(z.string()),
  metadata: maybe(z.object({ payment_id: maybe(z.string()) })),
  payment_method_details: maybe(z.object({ card: maybe(z.object({ country: maybe(z.string()) })) })),
})

const Transaction = z.object({
  id: z.string().check(z.refine(isOperationId)),
  amount: z.int(),
  fee: z.int(),
  currency: currencyCode,
  created: z.int().check(z.positive()),
  type: z.string(),
  reporting_category: z.string(),
  source: maybe(Source),
})

/** By the category, which Stripe makes for accounts; its types are many more. A payout that failed is one that comes back. */
const KINDS: ReadonlyMap<string, OperationKind> = new Map([
  ['charge', 'sale'],
  ['refund', 'refund'],
  ['refund_failure', 'refund'],
  ['partial_capture_reversal', 'refund'],
  ['dispute', 'chargeback'],
  ['dispute_reversal', 'representment'],
  ['fee', 'fee'],
  ['network_cost', 'fee'],
  ['tax', 'fee'],
  ['payout', 'payout'],
  ['payout_reversal', 'payout'],
])
const HELD = new Set(['risk_reserved_funds', 'payout_minimum_balance_hold', 'payout_minimum_balance_release'])
/** They belong to a sale, and so to a shop. */
const OF_SALES: ReadonlySet<OperationKind> = new Set(['sale', 'refund', 'chargeback', 'representment'])

type Fields = z.infer<typeof Transaction>

const kindOf = ({ reporting_category: category, amount }: Fields): OperationKind => {
  if (HELD.has(category)) return amount < 0 ? 'reserve' : 'release'
  // What is unknown is put where an operator sees it.
  return KINDS.get(category) ?? 'correction'
}

/** What the customer paid or got: the account may have another currency than the sale. */
const initialOf = ({ amount, source }: Fields, booked: Sum): Sum => {
  const currency = source?.currency?.toUpperCase()
  return source?.amount === undefined || currency === undefined || currency === booked.currency
    ? booked
    : { minor: Math.sign(amount) * Math.abs(source.amount), currency }
}

const idIn = (row: unknown): string | undefined => {
  const id = (row as { id?: unknown } | null)?.id
  return typeof id === 'string' ? kept(id) : undefined
}

/** A balance transaction, its source unfolded. */
export const readTransaction = (row: unknown): ReadOperation => {
  const { data, error } = z.safeParse(Transaction, row)
  if (!data)
    return {
      kind: 'unreadable',
      id: idIn(row),
      why: error.issues[0]?.path.join('.') || 'not a balance transaction',
    }
  const { source } = data
  const kind = kindOf(data)
  const isOfSale = OF_SALES.has(kind)
  const booked = { minor: data.amount, currency: data.currency.toUpperCase() }
  return {
    kind: 'operation',
    operation: {
      id: data.id,
      source: kept(source?.id),
      kind,
      type: kept(data.type) ?? kind,
      status: 'success',
      saleId: isOfSale ? (source?.payment_intent ?? '') : undefined,
      paymentId: (isOfSale && kept(source?.metadata?.payment_id)) || null,
      initial: isOfSale ? initialOf(data, booked) : booked,
      booked,
      feeMinor: data.fee,
      method: kind === 'sale' ? 'card' : undefined,
      panMasked: undefined,
      arn: undefined,
      rrn: undefined,
      completedAt: new Date(data.created * 1000),
      bankCountry: countryCode(source?.payment_method_details?.card?.country),
      eci: undefined,
    },
  }
}

const List = z.object({ data: z.array(z.unknown()), has_more: z.boolean() })

/**
 * Balance transactions: all that moves the account's balance. The newest come first, and of a time that is over none comes
 * later, so that a page begins after the last of the one before.
 */
export const stripeBookings = (keys: StripeKeys): BookingSource => {
  const call = createStripeCall(keys, () => undefined)
  return {
    gateway: 'stripe',
    page: async ({ from, to }, after) => {
      const answer = await call.get('balance_transactions', {
        limit: PAGE,
        created: { gte: Math.floor(from.getTime() / 1000), lt: Math.floor(to.getTime() / 1000) },
        starting_after: after,
        expand: ['data.source'],
      })
      if (answer.kind !== 'answered')
        throw new DataFault(
          `Stripe did not tell what it has booked (${answer.kind === 'refused' ? answer.code : answer.reason}).`,
        )
      const list = z.safeParse(List, answer.body).data
      if (!list) throw new DataFault('Stripe answered without a list of balance transactions.')
      const next = list.has_more ? idIn(list.data.at(-1)) : undefined
      if (list.has_more && (next === undefined || next === after))
        throw new DataFault('Stripe’s list of balance transactions does not go on.')
      return { rows: list.data.map(readTransaction), next }
    },
  }
}
