import {
  type BatchView,
  getBatch as getBatchEndpoint,
  listBatches,
  makeBatch,
  releaseBatch,
  rewriteConsoleBatch,
} from '@hedgerow/contract/console/partners'
import type { FastifyInstance } from 'fastify'
import { CannotPay, fileOfBatch, fillBatch, newBatch, payDayFault } from '#desk/backoffice/pay-partners.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import { refused } from '#desk/console/refused.ts'
import { LEFT_OUT_WORDS } from '#desk/presentation/present-withdrawal.ts'
import {
  getBatch,
  listBatchPayouts,
  listPayoutBatches,
  type PayoutFile,
  releaseWithdrawal,
} from '#partners/payout-files/payouts.service.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'

type Deps = With<'db' | 'keyCipher' | 'settings'>

/** Files that a list shows. */
const LISTED = 100

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

const batchView = (row: Awaited<ReturnType<typeof listPayoutBatches>>[number]): BatchView => ({
  id: row.id,
  kind: row.kind,
  createdAt: row.created_at.toISOString(),
  executionDay: row.day,
  count: row.count,
  sum: { minor: row.sumMinor, currency: row.currency },
  waiting: row.waiting,
  paid: row.paid,
  released: row.released,
})

const fileRoutes = (app: FastifyInstance, deps: Deps): void => {
  implementForOperators(app, deps, makeBatch, async ({ body, recordSubject }) => {
    const { currency, on, columns, although } = body
    const fault = on === undefined ? undefined : payDayFault(on)
    if (fault) throw invalidField('on', fault)
    const from = { ...deps.settings, name: deps.settings.brand.company.legalName }
    const batch = await orRefuse(newBatch(from, { currency, on, columns }))
    const { file, leftOut, hasMore } = await orRefuse(fillBatch(deps, batch, { mayOwe: although }))
    if (file) recordSubject(batch.id)
    return {
      batchId: file ? batch.id : null,
      count: file?.count ?? 0,
      sum: { minor: file?.sumMinor ?? 0, currency },
      file: file ? fileReply(file) : null,
      leftOut: leftOut.map(({ id, amount_minor, owing_minor, why }) => ({
        withdrawalId: id,
        sum: { minor: amount_minor, currency },
        owing: { minor: owing_minor, currency },
        why: LEFT_OUT_WORDS[why],
      })),
      hasMore,
    }
  })

  implementForOperators(app, deps, rewriteConsoleBatch, async ({ params: { batchId } }) => {
    const batch = await getBatch(deps, batchId)
    if (!batch) throw new Problem('batch-not-found')
    const file = await orRefuse(fileOfBatch(deps, batch))
    if (file === 'changed')
      throw refused(
        'something in it is paid, refused or taken out since then, and the file would pay that again',
      )
    return { file: fileReply(file) }
  })
}

/** Files for the bank, by which partners are paid. */
export const batchesRoutes = (app: FastifyInstance, deps: Deps): void => {
  implementForOperators(app, deps, listBatches, async () => {
    const found = await listPayoutBatches(deps, LISTED + 1)
    return { batches: found.slice(0, LISTED).map(batchView), hasMore: found.length > LISTED }
  })

  implementForOperators(app, deps, getBatchEndpoint, async ({ params: { batchId } }) => {
    const batch = await getBatch(deps, batchId)
    if (!batch) throw new Problem('batch-not-found')
    const payouts = await listBatchPayouts(deps, batchId)
    return {
      id: batch.id,
      kind: batch.kind,
      createdAt: batch.createdAt.toISOString(),
      executionDay: batch.executionDay,
      payouts: payouts.map((payout) => ({
        reference: payout.reference,
        withdrawalId: payout.withdrawal_id,
        partnerId: payout.email === null ? null : payout.partner_id,
        sum: { minor: payout.amount_minor, currency: payout.currency },
        endsWith: payout.ends_with,
        status: payout.status,
        releasedAt: payout.released_at?.toISOString() ?? null,
        releasedBecause: payout.released_because,
      })),
    }
  })

  implementForOperators(app, deps, releaseBatch, async ({ params: { batchId } }) => {
    if (!(await getBatch(deps, batchId))) throw new Problem('batch-not-found')
    let released = 0
    // Each by itself: what a crash leaves is done by doing it again.
    for (const { withdrawal_id, reference, status, released_at } of await listBatchPayouts(deps, batchId))
      if (status === 'requested' && !released_at) {
        const outcome = await releaseWithdrawal(deps, withdrawal_id, 'operator', reference)
        if (outcome === 'released') released++
      }
    return { released }
  })

  fileRoutes(app, deps)
}
