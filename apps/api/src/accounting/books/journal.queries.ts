import { PAID_INTO_WALLET } from '@hedgerow/domain/gateways'
import type { LedgerKind } from '@hedgerow/domain/ledger'
import { sql } from 'kysely'
import { PAID_CURRENCY, PAID_MINOR } from '#money/refunds/paid-sum.ts'
import type { Db } from '#platform/database/client.ts'

/** Over how many days each order runs; null is without an end. */
export const listDaysOfOrders = (db: Db, ids: readonly string[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : db.selectFrom('orders').select(['id', 'days']).where('id', 'in', ids).execute()

/** Money that came and bought nothing: no invoice has it. */
export const listUnsoldMoney = (db: Db, begins: Date, ends: Date) =>
  db
    .selectFrom('payments')
    .select(['id', 'order_id', 'ended_at', PAID_MINOR.as('minor'), PAID_CURRENCY.as('currency')])
    .where(({ eb, or, and }) =>
      or([
        and([eb('status', '=', 'Success'), eb('refund_due', '=', true)]),
        eb('received_minor', 'is not', null),
      ]),
    )
    .where('is_invoiced', '=', false)
    .where('ended_at', '>=', begins)
    .where('ended_at', '<', ends)
    .orderBy('ended_at')
    .execute()

/** Which account a refund leaves: what passed a gateway waits for its booking, and bitcoin goes out of the wallet that it came to. */
const SENT_FROM = sql<'awaited' | 'balance' | 'bank'>`case
  when payments.gateway = any(${[...PAID_INTO_WALLET]}::text[]) then 'balance'
  when refunds.is_by_hand and refunds.reason <> 'dispute' then 'bank' else 'awaited' end`

export const listSentFrom = async (db: Db, ids: readonly string[]) => {
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectFrom('refunds')
          .innerJoin('payments', 'payments.id', 'refunds.payment_id')
          .select(['refunds.id', SENT_FROM.as('account')])
          .where('refunds.id', 'in', ids)
          .execute()
  return new Map(rows.map(({ id, account }) => [id, account]))
}

/** What went back, or a lost dispute took, and has no credit note: of what bought nothing, and bad debts. */
export const listUncredited = (db: Db, begins: Date, ends: Date) =>
  db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .leftJoin('credit_notes', 'credit_notes.refund_id', 'refunds.id')
    .select(['refunds.id', 'refunds.payment_id', 'refunds.amount_minor', 'refunds.ended_at'])
    .select([
      SENT_FROM.as('account'),
      'payments.is_invoiced',
      'payments.order_id',
      PAID_CURRENCY.as('currency'),
    ])
    .where('refunds.status', '=', 'Success')
    .where('refunds.ended_at', '>=', begins)
    .where('refunds.ended_at', '<', ends)
    .where('credit_notes.refund_id', 'is', null)
    // What waits for its credit note is in the journal with it.
    .where(({ eb, or }) => or([eb('payments.is_invoiced', '=', false), eb('refunds.is_noted', '=', true)]))
    .orderBy('refunds.ended_at')
    .execute()

/** What came back of lost disputes that have no credit note. */
export const listUncreditedRecoveries = (db: Db, begins: Date, ends: Date) =>
  db
    .selectFrom('disputes')
    .innerJoin('payments', 'payments.id', 'disputes.payment_id')
    .leftJoin('credit_notes', 'credit_notes.refund_id', 'disputes.refund_id')
    .select(['disputes.payment_id', 'disputes.refund_id', 'disputes.reversed_at', 'disputes.currency'])
    .select(['disputes.amount_minor as minor', 'payments.is_invoiced', 'payments.order_id'])
    .where('disputes.reversed_at', '>=', begins)
    .where('disputes.reversed_at', '<', ends)
    .where('credit_notes.refund_id', 'is', null)
    .orderBy('disputes.reversed_at')
    .execute()

/** What moved between the shop and its partners, and from them to their banks. */
const MOVES: readonly LedgerKind[] = ['earned', 'reversed', 'restored', 'given-up', 'paid']

export const listPartnersMoves = (db: Db, begins: Date, ends: Date) =>
  db
    .selectFrom('ledger_transfers')
    .leftJoin('commission_documents as document', (join) =>
      join
        .onRef('document.withdrawal_id', '=', 'ledger_transfers.withdrawal_id')
        .on('ledger_transfers.kind', '=', 'paid'),
    )
    .select([
      'ledger_transfers.kind',
      'currency',
      'amount_minor',
      'payment_id',
      'ledger_transfers.withdrawal_id',
    ])
    .select(['created_at', 'document.year', 'document.number', 'document.snapshot'])
    .where('ledger_transfers.kind', 'in', MOVES)
    .where('created_at', '>=', begins)
    .where('created_at', '<', ends)
    .orderBy('ledger_transfers.id')
    .execute()

/** What documents count for in pounds, of payments, refunds, and lost disputes whose money came back; null where they say nothing in pounds. */
export const listPoundsOfPayments = async (
  db: Db,
  paymentIds: readonly string[],
): Promise<Map<string, number>> => {
  if (paymentIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; pounds: string | null }>`
    select payments.id::text as id, case when invoices.snapshot ->> 'currency' = 'GBP' then invoices.snapshot ->> 'totalMinor'
      else invoices.snapshot #>> '{sterling,totalMinor}' end as pounds
    from payments join invoices on invoices.order_id = payments.order_id
    where payments.is_invoiced and payments.id = any(${paymentIds}::text[])
    union all
    select refund_id::text, '-' || case when snapshot ->> 'currency' = 'GBP' then snapshot ->> 'totalMinor'
      else snapshot #>> '{sterling,totalMinor}' end
    from credit_notes where payment_id = any(${paymentIds}::text[])
    union all
    select disputes.id::text, case when snapshot ->> 'currency' = 'GBP' then snapshot ->> 'totalMinor'
      else snapshot #>> '{sterling,totalMinor}' end
    from disputes join credit_notes using (refund_id)
    where reversed_at is not null and disputes.payment_id = any(${paymentIds}::text[])`.execute(db)
  return new Map(rows.flatMap(({ id, pounds }) => (pounds === null ? [] : [[id, Number(pounds)] as const])))
}
