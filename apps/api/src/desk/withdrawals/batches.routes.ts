import { createHash } from 'node:crypto'
import * as batches from '@hedgerow/contract/console/payout-batches'
import { formatCharged } from '@hedgerow/domain/exchange'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod/mini'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import { refused } from '#desk/console/refused.ts'
import {
  type ConsoleListDependencies,
  fileColumns,
  type ListDefinition,
  serveList,
} from '#desk/console/serve-list.ts'
import { approveSum } from '#desk/operators/approve-sum.ts'
import {
  CannotPay,
  fileOfBatch,
  fillBatch,
  newBatch,
  payDayFault,
  readPaysFrom,
} from '#partners/payout-files/pay-partners.ts'
import {
  type BatchFacts,
  batchOrder,
  getBatch,
  type LeftOut,
  listBatchPayouts,
  type PayoutFile,
  releaseBatch,
  selectBatches,
} from '#partners/payout-files/payouts.service.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'

type Deps = ConsoleListDependencies & With<'keyCipher' | 'settings'>

const list: ListDefinition<
  z.output<typeof batches.listBatches.schema.querystring>,
  BatchFacts,
  batches.BatchView
> = {
  query: selectBatches,
  ...batchOrder,
  show: (row) => ({
    id: row.id,
    kind: row.kind,
    createdAt: row.created_at.toISOString(),
    executionDay: row.day,
    count: row.count,
    sum: { minor: Number(row.sum_minor), currency: row.currency },
    waiting: row.waiting,
    paid: row.paid,
    released: row.released,
  }),
  columns: fileColumns(batches.listBatches.columns),
}

/** Why a withdrawal is not in a file. */
const LEFT_OUT: Readonly<Record<LeftOut['why'], string>> = {
  'needs-iban': 'a SEPA file needs an IBAN',
  'outside-sepa': 'its IBAN is of a country outside SEPA',
  'foreign-account': 'its IBAN is of no British account',
  'unwritable-name': 'the holder’s name has no letter that the file can carry',
  unreadable: 'its bank details cannot be opened: refuse it, and the partner can ask again',
  owes: 'the partner owes money back because of refunds',
}

const fileReply = ({ batch, text }: PayoutFile) => ({
  name: `payouts-${batch.id}.${batch.kind === 'sepa' ? 'xml' : 'csv'}`,
  type: batch.kind === 'sepa' ? 'application/xml' : 'text/csv',
  text,
})

const orRefuse = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    throw error instanceof CannotPay ? refused(`nothing was done: ${error.message}`) : error
  }
}

/** Files for the bank, by which partners are paid. */
export const batchesRoutes = (app: FastifyInstance | LocalCalls, deps: Deps): void => {
  const batchOf = async (id: string) => {
    const batch = await getBatch(deps, id)
    if (!batch) throw new Problem('batch-not-found')
    return batch
  }

  const endpoints = { list: batches.listBatches, file: batches.exportBatches, fileName: 'payout-files' }
  serveList(app, deps, endpoints, list)

  implementForOperators(app, deps, batches.getBatch, async ({ params: { batchId } }) => {
    const { id, kind, createdAt, executionDay } = await batchOf(batchId)
    const payouts = await listBatchPayouts(deps, id)
    return {
      id,
      kind,
      createdAt: createdAt.toISOString(),
      executionDay,
      payouts: payouts.map((payout) => ({
        reference: payout.reference,
        withdrawalId: payout.withdrawal_id,
        partnerId: payout.email === null ? null : payout.partner_id,
        sum: { minor: payout.amount_minor, currency: payout.currency },
        endsWith: payout.ends_with,
        status: payout.status,
        recalledAt: payout.recalled_at?.toISOString() ?? null,
        releasedAt: payout.released_at?.toISOString() ?? null,
        releasedBecause: payout.released_because,
      })),
    }
  })

  implementForOperators(app, deps, batches.makeBatch, async ({ body, operator, recordSubject }) => {
    const { currency, on, columns, although } = body
    const fault = on === undefined ? undefined : payDayFault(on)
    if (fault) throw invalidField('on', fault)
    const batch = await orRefuse(newBatch(await readPaysFrom(deps), { currency, on, columns }))
    const { file, leftOut, hasMore } = await orRefuse(
      fillBatch(deps, batch, {
        mayOwe: although,
        approve: async (trx, sumMinor, withdrawalIds) => {
          const count = await approveSum(deps, trx, operator, {
            amountMinor: sumMinor,
            subject: 'payouts',
            facts: {
              sum: formatCharged(sumMinor, currency),
              withdrawals: withdrawalIds.length,
              // Which, so that another one in its place is seen.
              digest: createHash('sha256').update(withdrawalIds.toSorted().join()).digest('hex').slice(0, 16),
            },
            sends: { on: batch.executionDay },
          })
          return count(trx)
        },
      }),
    )
    if (file) recordSubject(batch.id)
    return {
      batchId: file ? batch.id : null,
      executionDay: batch.executionDay,
      count: file?.count ?? 0,
      sum: { minor: file?.sumMinor ?? 0, currency },
      file: file ? fileReply(file) : null,
      leftOut: leftOut.map(({ id, amount_minor, owing_minor, why }) => ({
        withdrawalId: id,
        sum: { minor: amount_minor, currency },
        owing: { minor: owing_minor, currency },
        why: LEFT_OUT[why],
      })),
      hasMore,
    }
  })

  implementForOperators(app, deps, batches.rewriteConsoleBatch, async ({ params }) => {
    const file = await orRefuse(fileOfBatch(deps, await batchOf(params.batchId)))
    if (file === 'changed')
      throw refused(
        'something in it is paid, refused, recalled or taken out since then, and the file would pay it',
      )
    return { file: fileReply(file) }
  })

  implementForOperators(app, deps, batches.releaseBatch, async ({ params }) => ({
    released: await releaseBatch(deps, (await batchOf(params.batchId)).id),
  }))
}
