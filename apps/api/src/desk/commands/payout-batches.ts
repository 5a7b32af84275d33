import { formatDateTime } from '@hedgerow/domain/dates'
import { formatMinor, formatMoney } from '@hedgerow/domain/money'
import type { Command } from 'commander'
import { recordSubject } from '#desk/tool/acting.ts'
import { ask } from '#desk/tool/ask.ts'
import { changes, opens } from '#desk/tool/classes.ts'
import { JSON_OPTION, readCount, YES_OPTION } from '#desk/tool/options.ts'
import { say, sayFacts, sayJson, sayTable } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import {
  getBatch,
  getPayoutOf,
  listBatchPayouts,
  listPayoutBatches,
  type PayoutFacts,
  type Release,
  releaseWithdrawal,
} from '#partners/payout-files/payouts.service.ts'
import { getWithdrawalReport } from '#partners/withdrawals/withdrawals.service.ts'
import type { Db } from '#platform/database/client.ts'

const LISTED = 50

const dayOf = (isoDay: string) => isoDay.split('-').reverse().join('/')

const listAll = async (db: Db, limit: number, json?: true) => {
  const found = await listPayoutBatches({ db }, limit + 1)
  const rows = found.slice(0, limit)
  const hasMore = found.length > limit
  if (json)
    return sayJson({
      batches: rows.map((row) => ({
        batch: row.id,
        currency: row.currency,
        kind: row.kind,
        createdAt: row.created_at.toISOString(),
        executionDay: row.day,
        count: row.count,
        sum: formatMinor(row.sumMinor),
        waiting: row.waiting,
        paid: row.paid,
        released: row.released,
      })),
      hasMore,
    })
  if (rows.length === 0) return say('No withdrawal was exported yet.')
  sayTable(
    ['batch', 'made', 'for', 'withdrawals', 'sum', 'waiting', 'paid', 'released'],
    rows.map((row) => [
      row.id,
      formatDateTime(row.created_at),
      dayOf(row.day),
      String(row.count),
      formatMoney(row.sumMinor, row.currency),
      ...[row.waiting, row.paid, row.released].map((count) => String(count)),
    ]),
  )
  if (hasMore) say(`There are more than these ${limit}. To see them, raise --limit.`)
}

const standingOf = ({ released_at, released_because, status }: PayoutFacts): string => {
  if (!released_at) return status === 'requested' ? 'waiting' : status
  return `released on ${formatDateTime(released_at)} (${released_because})`
}

const showOne = async (db: Db, id: string, json?: true) => {
  const batch = await getBatch({ db }, id)
  if (!batch) throw new Refusal(`There is no batch ${id}.`)
  recordSubject(id)
  const payouts = await listBatchPayouts({ db }, id)
  if (json)
    return sayJson({
      batch: id,
      currency: batch.currency,
      kind: batch.kind,
      createdAt: batch.createdAt.toISOString(),
      executionDay: batch.executionDay,
      payouts: payouts.map((payout) => ({
        reference: payout.reference,
        withdrawal: payout.withdrawal_id,
        partner: payout.email,
        amount: formatMinor(payout.amount_minor),
        status: payout.status,
        releasedAt: payout.released_at?.toISOString() ?? null,
        releasedBecause: payout.released_because,
      })),
    })
  sayFacts([
    ['Batch', id],
    ['Kind', batch.kind === 'sepa' ? 'SEPA credit transfers (pain.001)' : 'list (CSV)'],
    ['Made', formatDateTime(batch.createdAt)],
    ['For', dayOf(batch.executionDay)],
  ])
  say('')
  sayTable(
    ['reference', 'withdrawal', 'partner', 'amount', 'to', 'standing'],
    payouts.map((payout) => [
      payout.reference,
      payout.withdrawal_id,
      payout.email ?? '(account deleted)',
      formatMoney(payout.amount_minor, payout.currency),
      payout.ends_with && `…${payout.ends_with}`,
      standingOf(payout),
    ]),
  )
}

const show = (batch: string | undefined, { limit, json }: { limit: number; json?: true }) =>
  withDatabase((db) =>
    batch === undefined ? listAll(db, limit, json) : showOne(db, batch.trim().toUpperCase(), json),
  )

const WARNING =
  'Go ahead only if you know that the bank has not paid and will not: it can stand in the next file, and would be paid twice.'

type ReleaseOptions = { batch?: string; yes?: true; json?: true }

const releaseOne = async (db: Db, id: string, { yes, json }: ReleaseOptions) => {
  const row = await getWithdrawalReport({ db }, id)
  if (!row) throw new Refusal(`There is no withdrawal ${id}.`)
  const payout = await getPayoutOf({ db }, id)
  if (row.status !== 'requested') throw new Refusal(`Nothing was done: it is ${row.status}.`)
  if (!payout) {
    if (json) return sayJson({ outcome: 'known', released: [] })
    return say('Nothing was done: it stands in no batch.')
  }
  await ask(
    `Take ${formatMoney(row.amount_minor, row.currency)} for ${row.email ?? 'a deleted account'} out of batch ${payout.batch_id}? ${WARNING}`,
    yes,
  )
  const outcome = await releaseWithdrawal({ db }, id, 'operator', payout.reference)
  if (outcome === 'ended') throw new Refusal('Nothing was done: it has ended meanwhile.')
  if (json)
    return sayJson({
      outcome: outcome === 'released' ? 'released' : 'known',
      released: outcome === 'released' ? [id] : [],
    })
  say(
    outcome === 'released'
      ? `Taken out of batch ${payout.batch_id}. It is in the next export under another reference, or can be refused.`
      : 'Nothing was done: it was taken out meanwhile.',
  )
}

const releaseAll = async (db: Db, batchId: string, { yes, json }: ReleaseOptions) => {
  const batch = await getBatch({ db }, batchId)
  if (!batch) throw new Refusal(`There is no batch ${batchId}.`)
  recordSubject(batchId)
  const payouts = await listBatchPayouts({ db }, batchId)
  const open = payouts.filter(({ status, released_at }) => status === 'requested' && !released_at)
  if (open.length > 0)
    await ask(`Take all ${open.length} waiting withdrawals out of batch ${batchId}? ${WARNING}`, yes)
  const outcomes: [string, Release][] = []
  // Each by itself: what a crash leaves is done by running this again.
  for (const { withdrawal_id, reference } of open)
    outcomes.push([withdrawal_id, await releaseWithdrawal({ db }, withdrawal_id, 'operator', reference)])
  const released = outcomes.flatMap(([id, outcome]) => (outcome === 'released' ? [id] : []))
  if (json) return sayJson({ outcome: released.length > 0 ? 'released' : 'known', released })
  say(
    released.length > 0
      ? `${released.length} taken out of batch ${batchId}. They are in the next export under other references.`
      : `Nothing was done: nothing waits in batch ${batchId}.`,
  )
}

const release = (id: string | undefined, options: ReleaseOptions) =>
  withDatabase((db) => {
    const { batch } = options
    if (id !== undefined && batch === undefined) return releaseOne(db, id, options)
    if (id === undefined && batch !== undefined) return releaseAll(db, batch.trim().toUpperCase(), options)
    throw new Refusal('Say one of them: a withdrawal, or --batch.')
  })

export const addPayoutBatches = (withdrawal: Command): void => {
  opens(withdrawal.command('batches'))
    .description('Files that were made for the bank, newest first, or what stands in one of them.')
    .argument('[batch]', 'its id')
    .option('--limit <count>', 'show at most this many', readCount, LISTED)
    .addOption(JSON_OPTION)
    .action(show)
  changes(withdrawal.command('release'))
    .description(
      'Take a withdrawal out of its batch, as the bank does not pay it: it can be exported anew, or refused.',
    )
    .argument('[withdrawal]', 'its id')
    .option('--batch <batch>', 'all that wait in this batch')
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(release)
}
