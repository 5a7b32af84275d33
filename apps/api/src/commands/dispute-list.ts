import { formatDateTime } from '@hedgerow/domain/dates'
import { DISPUTE_STATUSES, type DisputeStatus, type DisputeVat } from '@hedgerow/domain/dispute-status'
import { isUuid } from '@hedgerow/domain/ids'
import { type Command, Option } from 'commander'
import { getPaymentReport } from '#backoffice/operate-payments.ts'
import { opens } from '#cli/classes.ts'
import { JSON_OPTION, readCount } from '#cli/options.ts'
import { say, sayFacts, sayJson, sayTable } from '#cli/print.ts'
import { Refusal } from '#cli/refusal.ts'
import { withDatabase } from '#cli/with-database.ts'
import type { Db } from '#database/client.ts'
import type { DisputeRow } from '#database/tables/disputes.table.ts'
import { type DisputeFacts, findDispute, listDisputeFacts } from '#disputes/disputes.service.ts'
import { listHints, listUnfiled } from '#disputes/unanswered.ts'
import { presentDispute, reasonOf, standingOf, sumOfDispute } from '#presentation/present-dispute.ts'

const LISTED = 200

export const getDispute = async (db: Db, id: string): Promise<DisputeRow> => {
  const dispute = isUuid(id) ? await findDispute(db, id) : undefined
  if (!dispute) throw new Refusal(`There is no dispute ${id}.`)
  return dispute
}

export const VATS: Readonly<Record<DisputeVat, string>> = {
  'credit-note': 'A credit note follows for the invoice.',
  'bad-debt': 'The invoice and its VAT stay as they are.',
}

const rowOf = (row: DisputeFacts): string[] => [
  row.id,
  formatDateTime(row.opened_at),
  sumOfDispute(row),
  reasonOf(row),
  standingOf(row),
  row.pan_masked ?? '',
  row.email ?? '(account deleted)',
]

/** What was only hinted at: it is told below every list. */
const sayUnanswered = async (db: Db): Promise<void> => {
  const hints = await listHints(db, LISTED)
  for (const { payment_id, last_told_at } of hints)
    say(
      `Somebody, perhaps the gateway, spoke of a dispute of ${payment_id === null ? 'some payment' : `payment ${payment_id}`} on ${formatDateTime(last_told_at)}.`,
    )
  const unfiled = await listUnfiled(db, LISTED)
  for (const { gate_id, payment_id, why, told_at } of unfiled)
    say(
      `The gateway told on ${formatDateTime(told_at)} of chargeback ${gate_id} of payment ${payment_id ?? '(not said)'}, which is no dispute here: ${why}.`,
    )
  if (hints.length + unfiled.length > 0)
    say('Look at the gateway’s dashboard, or run: dispute fetch. Once you have looked: dispute checked')
}

const list = ({ status, limit, json }: { status?: DisputeStatus; limit: number; json?: true }) =>
  withDatabase(async (db) => {
    const found = await listDisputeFacts(db, status, limit + 1)
    const rows = found.slice(0, limit)
    const hasMore = found.length > limit
    if (json)
      return sayJson({
        disputes: rows.map((row) => ({ ...presentDispute(row), customer: row.email, card: row.pan_masked })),
        hasMore,
        hints: (await listHints(db, limit)).map((hint) => ({
          paymentId: hint.payment_id,
          lastToldAt: hint.last_told_at.toISOString(),
        })),
        notFiled: (await listUnfiled(db, limit)).map((one) => ({
          gatewayId: one.gate_id,
          paymentId: one.payment_id,
          why: one.why,
          toldAt: one.told_at.toISOString(),
        })),
      })
    if (rows.length === 0) say(status ? `No dispute is ${status}.` : 'There are no disputes.')
    else sayTable(['dispute', 'opened', 'amount', 'reason', 'status', 'card', 'customer'], rows.map(rowOf))
    if (hasMore) say(`There are more than these ${limit}. To see them, raise --limit.`)
    await sayUnanswered(db)
  })

const show = (id: string, { json }: { json?: true }) =>
  withDatabase(async (db) => {
    const row = await getDispute(db, id)
    const report = await getPaymentReport({ db }, row.payment_id)
    if (json) return sayJson({ ...presentDispute(row), customer: report?.email ?? null })
    sayFacts([
      ['Dispute', row.id],
      ['Payment', row.payment_id],
      ['Customer', report?.email ?? '(account deleted)'],
      ['Amount', sumOfDispute(row)],
      ['Reason', reasonOf(row) || 'not known'],
      ['Status', `${standingOf(row)}${row.phase > 1 ? `; phase ${row.phase}` : ''}`],
      ['Opened', formatDateTime(row.opened_at)],
      ...(row.gate_id ? [['At the gateway', `${row.gate_id}, '${row.gate_status}'`] as const] : []),
      ['Connections', row.connections_ended ? 'ended because of it' : 'not ended because of it'],
      ...(row.vat ? [['VAT', VATS[row.vat]] as const] : []),
    ])
  })

export const addDisputeLists = (dispute: Command): void => {
  opens(dispute.command('list'))
    .description('Disputes, those that want an answer first, and what was only hinted at.')
    .addOption(new Option('--status <status>', 'with this status').choices(DISPUTE_STATUSES))
    .option('--limit <count>', 'show at most this many', readCount, LISTED)
    .addOption(JSON_OPTION)
    .action(list)
  opens(dispute.command('show'))
    .description('One dispute.')
    .argument('<dispute>', 'its id')
    .addOption(JSON_OPTION)
    .action(show)
}
