import { formatDateTime } from '@hedgerow/domain/dates'
import { formatMoney } from '@hedgerow/domain/money'
import {
  type BankDetails,
  REASON_LONGEST,
  REFERENCE_LONGEST,
  WITHDRAWAL_STATUSES,
  type WithdrawalStatus,
} from '@hedgerow/domain/withdrawals'
import { type Command, Option } from 'commander'
import { countRings } from '#desk/backoffice/operate-partners.ts'
import { addPayoutBatches } from '#desk/commands/payout-batches.ts'
import { addPayoutExport } from '#desk/commands/payout-files.ts'
import { addPayoutImport } from '#desk/commands/payout-import.ts'
import {
  owingText,
  partnerOf,
  presentWithdrawal,
  standing,
  sumOf,
} from '#desk/presentation/present-withdrawal.ts'
import { ask } from '#desk/tool/ask.ts'
import { changes, opens } from '#desk/tool/classes.ts'
import { JSON_OPTION, readCount, readLineOf, YES_OPTION } from '#desk/tool/options.ts'
import { say, sayFacts, sayJson, sayTable } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { withKeys } from '#desk/tool/with-keys.ts'
import {
  getWithdrawalReport,
  listWithdrawalsOf,
  resolveWithdrawal,
  revealBankDetails,
  type WithdrawalEnding,
  type WithdrawalFacts,
} from '#partners/withdrawals/withdrawals.service.ts'
import type { Db } from '#platform/database/client.ts'

const LISTED = 200

type Options = { yes?: true; json?: true }

const get = async (db: Db, id: string): Promise<WithdrawalFacts> => {
  const row = await getWithdrawalReport({ db }, id)
  if (!row) throw new Refusal(`There is no withdrawal ${id}.`)
  return row
}

const list = ({ status, limit, json }: { status: WithdrawalStatus; limit: number; json?: true }) =>
  withDatabase(async (db) => {
    const found = await listWithdrawalsOf({ db }, status, limit + 1)
    const rows = found.slice(0, limit)
    const hasMore = found.length > limit
    if (json) return sayJson({ withdrawals: rows.map(presentWithdrawal), hasMore })
    if (rows.length === 0)
      return say(status === 'requested' ? 'No withdrawal is waiting.' : `No withdrawal is ${status}.`)
    sayTable(
      ['withdrawal', status, 'partner', 'amount', 'to', 'owes back', 'batch'],
      rows.map((row) => [
        row.id,
        formatDateTime(row.ended_at ?? row.created_at),
        partnerOf(row),
        sumOf(row),
        row.ends_with && `…${row.ends_with}`,
        row.owing_minor > 0 ? formatMoney(row.owing_minor, row.currency) : '',
        row.batch_id ?? '',
      ]),
    )
    if (hasMore) say(`There are more than these ${limit}. To see them, raise --limit.`)
  })

const grouped = (text: string, size: number, by: string) =>
  text.match(new RegExp(`.{1,${size}}`, 'g'))?.join(by) ?? ''

const bankFacts = (details: BankDetails): [string, string][] => [
  ['Holder', details.accountHolder],
  ...('iban' in details
    ? ([['IBAN', grouped(details.iban, 4, ' ')]] as [string, string][])
    : ([
        ['Sort code', grouped(details.sortCode, 2, '-')],
        ['Account', details.accountNumber],
      ] as [string, string][])),
]

const FORGOTTEN = 'deleted, as the withdrawal ended some time ago'
const UNREADABLE = 'cannot be opened; refuse it, and the partner can ask again with the account'

const bankOf = (bank: BankDetails | 'unreadable' | undefined): [string, string][] =>
  typeof bank === 'object' ? bankFacts(bank) : [['Bank details', bank ? UNREADABLE : FORGOTTEN]]

const show = (id: string, { json }: { json?: true }) =>
  withKeys(async ({ db, keyCipher }) => {
    const row = await get(db, id)
    const bank = revealBankDetails({ keyCipher }, row)
    const owing = row.owing_minor
    const rings = await countRings({ db }, row.partner_id)
    if (json)
      return sayJson({
        ...presentWithdrawal(row),
        bank: bank === 'unreadable' ? null : (bank ?? null),
        rings,
      })
    sayFacts([
      ['Withdrawal', row.id],
      ['Partner', partnerOf(row)],
      ['Amount', sumOf(row)],
      ...(owing > 0 ? [['Owed', `${owingText(owing, row)}.`] as const] : []),
      ...(rings > 0 ? [['Rings', `${rings}; see partner rings ${partnerOf(row)}`] as const] : []),
      ...bankOf(bank),
      ['Requested', formatDateTime(row.created_at)],
      ['Status', standing(row)],
      ...(row.batch_id ? [['Batch', `${row.batch_id}, there called ${row.payout_reference}`] as const] : []),
      ...(row.reference === null ? [] : [['Reference', row.reference] as const]),
      ...(row.reason ? [['Reason', row.reason] as const] : []),
    ])
  })

const DONE: Readonly<Record<WithdrawalEnding['status'], string>> = {
  paid: 'Recorded as paid. The partner gets a mail.',
  refused:
    'Refused. The money is available to the partner again, and the partner gets a mail with the reason.',
}

/** What was said the second time was told to nobody: it is not lost in silence. */
const refuseOtherWords = (
  ending: WithdrawalEnding,
  known: Pick<WithdrawalFacts, 'status' | 'ended_at' | 'reference' | 'reason'>,
): void => {
  const [what, given, kept] =
    ending.status === 'paid'
      ? ['reference', ending.reference, known.reference]
      : ['reason', ending.reason, known.reason]
  if (given !== null && given !== kept)
    throw new Refusal(
      `Nothing was done: it was already ${standing(known)}. This ${what} was not recorded; ${kept ? `the recorded one is “${kept}”` : 'none is recorded'}.`,
    )
}

const whyNotPaid = (row: WithdrawalFacts, owing: number): string =>
  `Nothing was done. ${owingText(owing, row)}. To have that taken from the money first, refuse the withdrawal. To pay it all the same, add --although.`

const whyNotRefused = (id: string, batch: string): string =>
  `Nothing was done. The withdrawal stands in batch ${batch}, which the bank may pay. Once you know that it does not: withdrawal release ${id}`

const settle = (
  id: string,
  ending: WithdrawalEnding,
  question: (row: WithdrawalFacts) => string,
  { yes, json, although }: Options & { although?: true },
) =>
  withDatabase(async (db) => {
    const row = await get(db, id)
    const knownOwing = although || ending.status === 'refused' ? row.owing_minor : 0
    const stop = (owing: number, why: string): never => {
      if (json) sayJson({ outcome: 'refused', ...presentWithdrawal({ ...row, owing_minor: owing }) })
      throw new Refusal(why)
    }
    const isOpen = row.status === 'requested'
    if (isOpen && row.owing_minor > knownOwing) stop(row.owing_minor, whyNotPaid(row, row.owing_minor))
    if (isOpen && row.batch_id && ending.status === 'refused')
      stop(row.owing_minor, whyNotRefused(id, row.batch_id))
    if (isOpen) await ask(question(row), yes)
    const settled = await resolveWithdrawal({ db }, id, ending, { knownOwing })
    if (!settled) throw new Refusal(`There is no withdrawal ${id}.`)
    const { isDone, withdrawal, owesMinor, batch } = settled
    if (batch !== undefined) return stop(row.owing_minor, whyNotRefused(id, batch))
    if (owesMinor !== undefined)
      return stop(
        owesMinor,
        `Nothing was done, because this changed meanwhile: ${owingText(owesMinor, row)}.`,
      )
    if (withdrawal.status !== ending.status)
      throw new Refusal(`Nothing was done: it was already ${standing(withdrawal)}.`)
    if (!isDone) refuseOtherWords(ending, withdrawal)
    const ended = await get(db, id)
    if (json) return sayJson({ outcome: isDone ? 'recorded' : 'known', ...presentWithdrawal(ended) })
    if (isDone && ending.status === 'paid' && ended.owing_minor > 0)
      say(`${owingText(ended.owing_minor, row)}.`)
    say(isDone ? DONE[ending.status] : `Nothing was done: it was already ${standing(withdrawal)}.`)
  })

const pay = (id: string, { reference, ...options }: Options & { reference?: string; although?: true }) =>
  settle(
    id,
    { status: 'paid', reference: reference ?? null },
    (row) =>
      `${row.owing_minor > 0 ? `${owingText(row.owing_minor, row)}. ` : ''}Have you sent ${sumOf(row)} to the account of ${partnerOf(row)} ending in ${row.ends_with}? This cannot be undone.`,
    options,
  )

const refuse = (id: string, { reason, ...options }: Options & { reason: string }) =>
  settle(
    id,
    { status: 'refused', reason },
    (row) =>
      `Refuse to pay ${sumOf(row)} to ${partnerOf(row)}? They are told the reason. This cannot be undone.`,
    options,
  )

export const addWithdrawal = (program: Command): void => {
  const withdrawal = program
    .command('withdrawal')
    .summary('partners’ withdrawals')
    .description(
      'Withdrawals from partner accounts. The shop sends no money itself: you send it, then record it here.',
    )
    .helpCommand(false)
  opens(withdrawal.command('list'))
    .description('Waiting withdrawals, oldest first, or those that have ended.')
    .addOption(
      new Option('--status <status>', 'with this status').choices(WITHDRAWAL_STATUSES).default('requested'),
    )
    .option('--limit <count>', 'show at most this many', readCount, LISTED)
    .addOption(JSON_OPTION)
    .action(list)
  opens(withdrawal.command('show'))
    .description('One withdrawal, with the account that the money goes to. It needs KEY_ENCRYPTION_KEY.')
    .argument('<withdrawal>', 'its id')
    .addOption(JSON_OPTION)
    .action(show)
  changes(withdrawal.command('paid'))
    .description('Record that you have sent the money. The partner gets a mail.')
    .argument('<withdrawal>', 'its id')
    .option(
      '--reference <text>',
      'the bank’s reference for the transfer; the partner sees it',
      readLineOf(1, REFERENCE_LONGEST),
    )
    .option('--although', 'record it although the partner owes money back because of refunds')
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(pay)
  changes(withdrawal.command('refuse'))
    .description(
      'Refuse to pay a withdrawal. The money is available to the partner again, less what is owed because of refunds.',
    )
    .argument('<withdrawal>', 'its id')
    .requiredOption('--reason <text>', 'why; the partner sees it', readLineOf(1, REASON_LONGEST))
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(refuse)
  addPayoutExport(withdrawal)
  addPayoutImport(withdrawal)
  addPayoutBatches(withdrawal)
}
