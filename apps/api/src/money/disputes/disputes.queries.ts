import type { DisputeStatus, DisputeVat } from '@hedgerow/domain/dispute-status'
import type { GatewayName } from '@hedgerow/domain/gateways'
import { type InferResult, type Insertable, type SqlBool, sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import type { DisputeRow, DisputesTable } from '#platform/database/tables/disputes.table.ts'
import type { Order, SortKey } from '#platform/http/keyset.ts'
import { saleOperation } from '#sales/invoices/sale-operation.ts'

export const findDispute = (db: Db, id: string): Promise<DisputeRow | undefined> =>
  db.selectFrom('disputes').selectAll().where('id', '=', id).executeTakeFirst()

/** The oldest first. */
export const listDisputesOf = (db: Db, paymentIds: readonly string[]): Promise<DisputeRow[]> =>
  paymentIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('disputes')
        .selectAll()
        .where('payment_id', 'in', paymentIds)
        .orderBy('opened_at')
        .orderBy('id')
        .execute()

const selectFacts = (db: Db) =>
  db
    .selectFrom('disputes')
    .innerJoin('payments', 'payments.id', 'disputes.payment_id')
    .leftJoin('invoices', (join) =>
      join.onRef('invoices.order_id', '=', 'payments.order_id').on('payments.is_invoiced', '=', true),
    )
    .selectAll('disputes')
    .select(['payments.customer_id', 'payments.pan_masked', 'payments.order_id'])
    .select(['payments.amount_minor as total_minor', 'payments.currency as total_currency'])
    .select(['invoices.year as invoice_year', 'invoices.number as invoice_number'])
    .select(saleOperation('payments.id').as('operation_id'))

export type DisputeFacts = InferResult<ReturnType<typeof selectFacts>>[number]

export const findDisputeFacts = (db: Db, id: string) =>
  selectFacts(db).where('disputes.id', '=', id).executeTakeFirst()

/** What a search finds, in no order. */
export const selectDisputes = (db: Db, status: DisputeStatus | undefined) =>
  selectFacts(db).$if(status !== undefined, (query) =>
    query.where('disputes.status', '=', status as DisputeStatus),
  )

/** What lists are sorted by. `respondBy`: those that want an answer first, and what has ended last. */
export const disputeOrder = {
  sorts: {
    respondBy: {
      by: sql`case when disputes.status = 'open' and disputes.answered_at is null then disputes.respond_by else 'infinity' end`,
      type: 'timestamptz',
    },
    openedAt: { by: sql`disputes.opened_at`, type: 'timestamptz' },
  },
  id: { by: sql`disputes.id`, type: 'uuid' },
} satisfies { sorts: Record<string, SortKey>; id: Order['id'] }

export const insertDispute = (trx: Trx, row: Insertable<DisputesTable>): Promise<DisputeRow> =>
  trx.insertInto('disputes').values(row).returningAll().executeTakeFirstOrThrow()

/** What open disputes hold of the payment, after one has come or gone. To be called with the payment locked. */
export const addDisputed = async (trx: Trx, paymentId: string, minor: number): Promise<void> => {
  await trx
    .updateTable('payments')
    .set({ disputed_minor: sql<number>`disputed_minor + ${minor}::integer` })
    .where('id', '=', paymentId)
    .execute()
}

/** The next phase of one that was won. */
export const markReopened = async (trx: Trx, id: string, respondBy: Date): Promise<void> => {
  await trx
    .updateTable('disputes')
    .set({
      status: 'open',
      phase: sql<number>`phase + 1`,
      ended_at: null,
      answered_at: null,
      respond_by: respondBy,
    })
    .where('id', '=', id)
    .execute()
}

export const markWon = async (trx: Trx, id: string): Promise<void> => {
  await trx
    .updateTable('disputes')
    .set({ status: 'won', ended_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

type Loss = { vat: DisputeVat; refundId: string; haveConnectionsEnded: boolean }

export const markLost = async (trx: Trx, id: string, loss: Loss): Promise<void> => {
  await trx
    .updateTable('disputes')
    .set({
      status: 'lost',
      ended_at: sql<Date>`now()`,
      vat: loss.vat,
      refund_id: loss.refundId,
      connections_ended: loss.haveConnectionsEnded,
    })
    .where('id', '=', id)
    .execute()
}

/** The money has come back for good. To be followed by `takeRefundedBack`, which says what has ended. */
export const markReversed = async (trx: Trx, id: string): Promise<void> => {
  await trx
    .updateTable('disputes')
    .set({ status: 'reversed', reversed_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

/** What has ended is said of the dispute too, so that another one that is won does not bring it back. */
export const noteWhatHasEnded = async (trx: Trx, id: string): Promise<void> => {
  await trx
    .updateTable('disputes')
    .set({ connections_ended: true })
    .where('id', '=', id)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('payments')
          .select('payments.id')
          .whereRef('payments.id', '=', 'disputes.payment_id')
          .where('ended_by_dispute_at', 'is not', null),
      ),
    )
    .execute()
}

export const markConnectionsEnded = async (trx: Trx, id: string): Promise<void> => {
  await trx.updateTable('disputes').set({ connections_ended: true }).where('id', '=', id).execute()
}

/** False when it was said before, or the dispute has ended. */
export const markAnswered = async (db: Db, id: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('disputes')
    .set({ answered_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('status', '=', 'open')
    .where('answered_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** What the gateway calls it, and how it says that it stands. */
export const noteGateway = async (
  trx: Trx,
  id: string,
  {
    gate_id,
    gate_status,
    reason,
    reason_group,
  }: Pick<DisputeRow, 'gate_id' | 'gate_status' | 'reason' | 'reason_group'>,
): Promise<void> => {
  await trx
    .updateTable('disputes')
    .set({
      gate_id,
      gate_status,
      // What the operator has said of it is kept where the gateway says nothing.
      ...(reason === null ? {} : { reason, reason_group }),
    })
    .where('id', '=', id)
    .execute()
}

/** What the payment bought ends now, by its cancellation or not. */
export const markEndedByDispute = async (trx: Trx, paymentId: string): Promise<void> => {
  await trx
    .updateTable('payments')
    .set({ ended_by_dispute_at: sql<Date>`coalesce(ended_by_dispute_at, now())` })
    .where('id', '=', paymentId)
    .execute()
}

/** What it bought stays, although its money is gone. Nothing comes back that has ended before. */
export const markKept = async (trx: Trx, paymentId: string): Promise<void> => {
  await trx.updateTable('payments').set({ is_kept_in_dispute: true }).where('id', '=', paymentId).execute()
}

/**
 * The payment's purchase counts again, from now on, unless another of its disputes has ended it; what has ended stays ended.
 * To be called once the dispute counts as won.
 */
export const unmarkEnded = async (trx: Trx, paymentId: string): Promise<void> => {
  await trx
    .updateTable('payments')
    .set({ ended_by_dispute_at: null })
    .where('id', '=', paymentId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('disputes')
            .select('disputes.id')
            .whereRef('disputes.payment_id', '=', 'payments.id')
            .where('status', '<>', 'won')
            .where('connections_ended', '=', true),
        ),
      ),
    )
    .execute()
}

/** For so long may a lost dispute be decided for the shop after all: the schemes' last instances take months. */
const MAY_BE_REVERSED = sql`interval '9 months'`

/**
 * Those that the Gate can be asked about: the open ones; those that were won and of whose payment someone has spoken since,
 * for the bank may go on; and those that were lost some months ago at most, in another order each time. Whether the gateway's
 * list tells of a change long after it began, is not published.
 */
export const listIdsToAsk = async (db: Db, limit: number): Promise<{ id: string; gate_id: string }[]> =>
  db
    .selectFrom('disputes')
    .select(['id', 'gate_id'])
    .where('gate_id', 'is not', null)
    .where(
      sql<SqlBool>`not exists (select from payments where payments.id = disputes.payment_id and gateway <> 'gate')`,
    )
    .where(({ eb, or, and, exists, selectFrom }) =>
      or([
        eb('status', '=', 'open'),
        eb('ended_at', '>', sql<Date>`case when status = 'lost' then now() - ${MAY_BE_REVERSED} end`),
        and([
          eb('status', '=', 'won'),
          exists(
            selectFrom('dispute_hints')
              .select('dispute_hints.payment_id')
              .whereRef('dispute_hints.payment_id', '=', 'disputes.payment_id')
              .where('checked_at', 'is', null),
          ),
        ]),
      ]),
    )
    .$narrowType<{ gate_id: string }>()
    .orderBy(sql`array_position(array['open', 'won', 'lost'], status)`)
    .orderBy(sql`case when status = 'lost' then random() end`)
    .orderBy('respond_by')
    .limit(limit)
    .execute()

/** Whether money of the customer's payments is disputed. */
export const hasOpen = async (db: Db, customerId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('payments')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('disputed_minor', '>', 0)
    .executeTakeFirst()
  return row !== undefined
}

export const listDisputesOfCustomer = (db: Db, customerId: string): Promise<DisputeRow[]> =>
  db
    .selectFrom('disputes')
    .innerJoin('payments', 'payments.id', 'disputes.payment_id')
    .selectAll('disputes')
    .where('payments.customer_id', '=', customerId)
    .orderBy('disputes.opened_at')
    .orderBy('disputes.id')
    .execute()

/** Whether the shop has this payment with this gateway, which knows it by that id. */
export const isSaleOf = async (
  db: Db,
  gateway: GatewayName,
  paymentId: string,
  saleId: string,
): Promise<boolean> => {
  const row = await db
    .selectFrom('payments')
    .select('id')
    .where('id', '=', paymentId)
    .where('gateway', '=', gateway)
    .where('gate_request_id', '=', saleId)
    .executeTakeFirst()
  return row !== undefined
}
