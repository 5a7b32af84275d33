import { dayAfter } from '@hedgerow/domain/dates'
import { DISPUTE_VATS, type DisputeVat, isReasonCode } from '@hedgerow/domain/dispute-status'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { ask } from '#cli/ask.ts'
import { changes } from '#cli/classes.ts'
import { JSON_OPTION, readMoment, readSum, YES_OPTION } from '#cli/options.ts'
import { say, sayJson } from '#cli/print.ts'
import { Refusal } from '#cli/refusal.ts'
import { withDatabase } from '#cli/with-database.ts'
import { addDisputeEvidence } from '#commands/dispute-evidence.ts'
import { addDisputeFetch } from '#commands/dispute-fetch.ts'
import { addDisputeLists, getDispute, VATS } from '#commands/dispute-list.ts'
import type { DisputeRow } from '#database/tables/disputes.table.ts'
import {
  answerDispute,
  type DisputeAnswer,
  loseDispute,
  openDispute,
  winDispute,
} from '#disputes/disputes.service.ts'
import { presentDispute, standingOf, sumOfDispute } from '#presentation/present-dispute.ts'

type Options = { yes?: true; json?: true }

const readReason = (text: string): string => {
  if (!isReasonCode(text)) throw new InvalidArgumentError('A reason code is written like 10.4 or 4837.')
  return text
}

/** The end of that day in London. */
const readDayOrTime = (text: string): Date => {
  const time = readMoment(text)
  return text.includes('T') ? time : new Date(dayAfter(time, 1).getTime() - 1)
}

const tell = (answer: DisputeAnswer, json: true | undefined, done: (row: DisputeRow) => string): void => {
  if (answer.kind === 'refused') throw new Refusal(`Nothing was done: ${answer.why}.`)
  const { kind: outcome, dispute } = answer
  if (json) {
    sayJson({ outcome, dispute: presentDispute(dispute) })
    return
  }
  const opening = outcome === 'recorded' ? 'Recorded' : 'Already recorded'
  say(
    `${opening}: dispute ${dispute.id} of ${sumOfDispute(dispute)}, ${standingOf(dispute)}. ${done(dispute)}`.trim(),
  )
}

type Open = Options & { reason?: string; respondBy?: Date; endConnections?: true; again?: true }

const open = (
  paymentId: string,
  amountMinor: number | undefined,
  { reason, respondBy, endConnections, again, yes, json }: Open,
) =>
  withDatabase(async (db) => {
    if (endConnections)
      await ask(
        `End what payment ${paymentId} bought at once? It does not come back if the dispute is won.`,
        yes,
      )
    const answer = await openDispute(
      { db },
      {
        paymentId,
        amountMinor,
        reason,
        respondBy,
        endConnections: endConnections ?? false,
        isAgain: again ?? false,
      },
    )
    tell(
      answer,
      json,
      ({ id }) => `The evidence for your answer: npm run ops -- dispute evidence ${id} --out FILE`,
    )
  })

const won = (id: string, { yes, json }: Options) =>
  withDatabase(async (db) => {
    const dispute = await getDispute(db, id)
    if (dispute.status === 'open')
      await ask(`Has the gateway given ${sumOfDispute(dispute)} back to you, for good or for now?`, yes)
    tell(await winDispute({ db }, id), json, () => '')
  })

type Lost = Options & { vat: DisputeVat; endConnections?: true; keepConnections?: true }

const connectionsOf = ({ endConnections, keepConnections }: Lost) => {
  if (endConnections) return 'end' as const
  return keepConnections ? ('keep' as const) : undefined
}

const lost = (id: string, options: Lost) =>
  withDatabase(async (db) => {
    const { vat, yes, json } = options
    const dispute = await getDispute(db, id)
    if (dispute.status === 'open')
      await ask(
        `Book ${sumOfDispute(dispute)} of payment ${dispute.payment_id} as lost? ${VATS[vat]} This cannot be undone.`,
        yes,
      )
    tell(await loseDispute({ db }, id, { vat, connections: connectionsOf(options) }), json, (row) =>
      [row.vat ? VATS[row.vat] : '', row.connections_ended ? 'The connections have ended.' : '']
        .join(' ')
        .trim(),
    )
  })

const answered = (id: string, { json }: Options) =>
  withDatabase(async (db) => {
    await getDispute(db, id)
    tell(await answerDispute({ db }, id), json, () => 'You are not reminded of it again.')
  })

const addDecisions = (dispute: Command): void => {
  changes(dispute.command('won'))
    .description(
      'Record that a dispute was won: the gateway has given the money back. What has ended stays ended.',
    )
    .argument('<dispute>', 'its id')
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(won)
  changes(dispute.command('lost'))
    .description(
      'Record that a dispute was lost: the money is booked as given back, the partner’s share is taken back, and the customer gets a mail.',
    )
    .argument('<dispute>', 'its id')
    .addOption(
      new Option('--vat <what>', 'a credit note for the invoice, or VAT that stays due; ask your accountant')
        .choices(DISPUTE_VATS)
        .default('credit-note'),
    )
    .addOption(
      new Option(
        '--end-connections',
        'what was bought ends; it does anyway if all of the payment is lost',
      ).conflicts('keepConnections'),
    )
    .option('--keep-connections', 'what was bought stays, although the money is gone')
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(lost)
  changes(dispute.command('answered'))
    .description('Record that the gateway has your answer: nobody is reminded of it until it is decided.')
    .argument('<dispute>', 'its id')
    .addOption(JSON_OPTION)
    .action(answered)
}

export const addDispute = (program: Command): void => {
  const dispute = program
    .command('dispute')
    .summary('disputes (chargebacks) of payments')
    .description(
      'Disputes: a card holder’s bank takes money of a payment back. The gateway takes it from you at once; until it is decided, the shop refunds none of it.',
    )
    .helpCommand(false)
  changes(dispute.command('open'))
    .description('Record that a payment is disputed, once: a repeat says how it stands.')
    .argument('<payment>', 'the id of the payment')
    .argument(
      '[amount]',
      'like 10.50, in the currency that was charged; all that is left if left out',
      readSum,
    )
    .option('--reason <code>', 'the card network’s code, like 10.4', readReason)
    .option(
      '--respond-by <day>',
      'the last day to answer, like 2026-11-27; the fourth business day from today if left out',
      readDayOrTime,
    )
    .option('--end-connections', 'what was bought ends at once')
    .option('--again', 'a dispute that was won goes on')
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(open)
  addDecisions(dispute)
  addDisputeLists(dispute)
  addDisputeEvidence(dispute)
  addDisputeFetch(dispute)
}
