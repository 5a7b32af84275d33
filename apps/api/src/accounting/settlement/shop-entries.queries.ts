import type { GatewayName } from '@hedgerow/domain/gateways'
import { PAID_INTO_WALLET } from '@hedgerow/domain/gateways'
import type { ShopEntry } from '@hedgerow/domain/settlement'
import { sql } from 'kysely'
import { PAID_CURRENCY, PAID_MINOR } from '#money/refunds/paid-sum.ts'
import type { Db } from '#platform/database/client.ts'

/** What the shop knows of, and since when. */
export type DatedEntry = ShopEntry & { at: Date }

type Scope = { paymentIds: readonly string[] } | { from: Date; to: Date }

const salesIn = async (db: Db, scope: Scope): Promise<DatedEntry[]> => {
  const read = (isOther: boolean) =>
    db
      .selectFrom('payments')
      .select(['id', 'ended_at', PAID_MINOR.as('minor'), PAID_CURRENCY.as('currency')])
      .$if(!isOther, (query) => query.where('status', '=', 'Success').where('received_minor', 'is', null))
      // Another sum than was asked for is no success, and money all the same.
      .$if(isOther, (query) => query.where('received_minor', 'is not', null))
      .$if('paymentIds' in scope, (query) =>
        query.where('id', 'in', 'paymentIds' in scope ? scope.paymentIds : []),
      )
      .$if('from' in scope, (query) =>
        'from' in scope ? query.where('ended_at', '>=', scope.from).where('ended_at', '<', scope.to) : query,
      )
      .execute()
  const rows = [...(await read(false)), ...(await read(true))]
  return rows.map(({ id, ended_at, minor, currency }) => ({
    ...{ id, paymentId: id, kind: 'sale' as const, minor, currency },
    at: ended_at ?? new Date(0),
  }))
}

/**
 * What passed the gateway: what is sent by hand does not, and what a chargeback took did, by whichever side it was recorded. What
 * leaves a wallet of the shop's is in no list.
 */
const refundsIn = async (db: Db, scope: Scope): Promise<DatedEntry[]> => {
  const rows = await db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .leftJoin('disputes', 'disputes.refund_id', 'refunds.id')
    .select(['refunds.id', 'refunds.payment_id', 'refunds.amount_minor', 'refunds.reason'])
    .select([
      'disputes.gate_id',
      'refunds.gate_operation_id',
      'refunds.ended_at',
      PAID_CURRENCY.as('currency'),
    ])
    .where('refunds.status', '=', 'Success')
    .where('payments.gateway', 'not in', PAID_INTO_WALLET)
    .where(({ eb, or }) => or([eb('refunds.is_by_hand', '=', false), eb('refunds.reason', '=', 'dispute')]))
    .$if('paymentIds' in scope, (query) =>
      query.where('refunds.payment_id', 'in', 'paymentIds' in scope ? scope.paymentIds : []),
    )
    .$if('from' in scope, (query) =>
      'from' in scope
        ? query.where('refunds.ended_at', '>=', scope.from).where('refunds.ended_at', '<', scope.to)
        : query,
    )
    .execute()
  return rows.map(
    ({ id, payment_id, amount_minor, reason, gate_id, gate_operation_id, ended_at, currency }) => ({
      id,
      paymentId: payment_id,
      kind: reason === 'dispute' ? 'dispute' : 'refund',
      minor: amount_minor,
      currency,
      // Some gateways call the operation what they call the chargeback.
      operationId: gate_operation_id ?? gate_id,
      at: ended_at ?? new Date(0),
    }),
  )
}

/** What a bank wants back and may have taken already; a won dispute brings it back, and a lost one has a refund of it. */
const openDisputesIn = async (db: Db, scope: Scope): Promise<DatedEntry[]> => {
  const rows = await db
    .selectFrom('disputes')
    .select(['id', 'payment_id', 'amount_minor', 'currency', 'opened_at'])
    .where('status', '=', 'open')
    .$if('paymentIds' in scope, (query) =>
      query.where('payment_id', 'in', 'paymentIds' in scope ? scope.paymentIds : []),
    )
    .$if('from' in scope, (query) =>
      'from' in scope ? query.where('opened_at', '>=', scope.from).where('opened_at', '<', scope.to) : query,
    )
    .execute()
  return rows.map(({ id, payment_id, amount_minor, currency, opened_at }) => ({
    ...{ id, paymentId: payment_id, kind: 'open-dispute' as const, minor: amount_minor, currency },
    at: opened_at,
  }))
}

/** What came back of disputes that were lost. */
const recoveriesIn = async (db: Db, scope: Scope): Promise<DatedEntry[]> => {
  const rows = await db
    .selectFrom('disputes')
    .select(['id', 'payment_id', 'amount_minor', 'currency', 'reversed_at'])
    .where('reversed_at', 'is not', null)
    .$if('paymentIds' in scope, (query) =>
      query.where('payment_id', 'in', 'paymentIds' in scope ? scope.paymentIds : []),
    )
    .$if('from' in scope, (query) =>
      'from' in scope
        ? query.where('reversed_at', '>=', scope.from).where('reversed_at', '<', scope.to)
        : query,
    )
    .execute()
  return rows.map(({ id, payment_id, amount_minor, currency, reversed_at }) => ({
    ...{ id, paymentId: payment_id, kind: 'recovery' as const, minor: amount_minor, currency },
    at: reversed_at ?? new Date(0),
  }))
}

/** Whatever else the shop knows of money at the gateway is a line here. */
const SOURCES: readonly ((db: Db, scope: Scope) => Promise<DatedEntry[]>)[] = [
  salesIn,
  refundsIn,
  openDisputesIn,
  recoveriesIn,
]

const read = async (db: Db, scope: Scope): Promise<DatedEntry[]> => {
  const entries: DatedEntry[] = []
  for (const source of SOURCES) entries.push(...(await source(db, scope)))
  return entries
}

/** Those of the payments that a gateway carried. */
const carriedBy = async (db: Db, gateway: GatewayName, ids: readonly string[]): Promise<string[]> => {
  const rows = await db
    .selectFrom('payments')
    .select('id')
    .where('gateway', '=', gateway)
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .execute()
  return rows.map(({ id }) => id)
}

/** All that the shop has of some payments, whenever it was; of those that one gateway carried, or of whichever. */
export const listEntriesOf = async (
  db: Db,
  ids: readonly string[],
  gateway?: GatewayName,
): Promise<DatedEntry[]> => {
  const paymentIds = gateway ? await carriedBy(db, gateway, ids) : ids
  return paymentIds.length === 0 ? [] : read(db, { paymentIds })
}

/** The payments of a gateway of which money came, or went back, from one instant up to another. */
export const listPaymentsWithMoney = async (
  db: Db,
  gateway: GatewayName,
  from: Date,
  to: Date,
): Promise<string[]> =>
  carriedBy(db, gateway, [...new Set((await read(db, { from, to })).map(({ paymentId }) => paymentId))])
