import { setTimeout as pause } from 'node:timers/promises'
import { formatDateTime } from '@hedgerow/domain/dates'
import { formatCharged } from '@hedgerow/domain/exchange'
import { isUuid } from '@hedgerow/domain/ids'
import { isRefundedByGateway } from '@hedgerow/domain/payment-methods'
import type { RefundVerdict } from '@hedgerow/domain/refund-status'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { getPaymentReport } from '#desk/backoffice/operate-payments.ts'
import { presentRefund } from '#desk/presentation/present-payment.ts'
import { ask } from '#desk/tool/ask.ts'
import { changes } from '#desk/tool/classes.ts'
import { JSON_OPTION, readSum, YES_OPTION } from '#desk/tool/options.ts'
import { say, sayJson } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { paidSum } from '#money/refunds/paid-sum.ts'
import type { RefundRow } from '#money/refunds/refunds.service.ts'
import { previewRefund, type RefundRequest, requestRefund } from '#money/refunds/refunds.service.ts'
import {
  previewRefundResolution,
  type RefundResolution,
  resolveRefund,
} from '#money/refunds/resolve-refund.ts'
import type { Db } from '#platform/database/client.ts'

const WAIT_MS = 60_000
const LOOK_EVERY_MS = 500

type Told = { refund: RefundRow; currency: string }
type Outcome = 'recorded' | 'known' | 'confirmed'

const refundOf = async (db: Db, paymentId: string, id: string): Promise<Told> => {
  const report = await getPaymentReport({ db }, paymentId)
  const refund = report?.refunds.find((one) => one.id === id)
  if (!report || !refund) throw new Refusal(`There is no payment ${paymentId}.`)
  return { refund, currency: paidSum(report.payment).currency }
}

/** A minute at most; a refund that takes longer is recorded all the same. */
const waitForEnd = async (db: Db, paymentId: string, id: string): Promise<Told> => {
  const end = Date.now() + WAIT_MS
  for (;;) {
    const report = await refundOf(db, paymentId, id)
    if (report.refund.status !== 'Pending' || report.refund.is_by_hand || Date.now() > end) return report
    await pause(LOOK_EVERY_MS)
  }
}

const standing = ({ payment_id, status, is_by_hand, ended_at }: RefundRow): string => {
  if (status === 'Success') return `It was refunded on ${formatDateTime(ended_at ?? new Date())}.`
  if (is_by_hand) return `Send it by hand, then run: npm run ops -- refund ${payment_id} --sent`
  return `It is under way: the running shop sends it to the gateway. To follow it: npm run ops -- payment ${payment_id}`
}

const OPENINGS: Readonly<Record<Outcome, string>> = {
  recorded: 'Recorded',
  known: 'Already recorded',
  confirmed: 'Confirmed',
}

const tell = (outcome: Outcome, { refund, currency }: Told, json: boolean | undefined): void => {
  if (json) sayJson({ outcome, paymentId: refund.payment_id, refund: presentRefund(refund, currency) })
  if (refund.status === 'Decline')
    throw new Refusal(
      `The gateway refused the refund (code ${refund.gate_code ?? 'not given'}). It is still owed. What to do: refund --help`,
    )
  if (json) return
  const sum = formatCharged(refund.amount_minor, currency)
  say(`${OPENINGS[outcome]}: a refund of ${sum} for payment ${refund.payment_id}. ${standing(refund)}`)
}

const question = (request: RefundRequest, { amountMinor, currency, method }: Possible): string => {
  const sum = formatCharged(amountMinor, currency)
  const byHand = isRefundedByGateway(method) ? '' : ', to be sent by hand'
  const again = request.isAgain ? ' once more' : ''
  return `Refund ${sum} of payment ${request.paymentId}${again}${byHand}? This cannot be undone.`
}

type Possible = Extract<Awaited<ReturnType<typeof previewRefund>>, { kind: 'possible' }>

const refused = (why: string) => new Refusal(`Not refunded: ${why}.`)

type Options = {
  again?: true
  wait?: true
  sent?: true
  failed?: true
  drop?: true
  refund?: string
  yes?: true
  json?: true
}

const give = (request: RefundRequest, { yes, wait, json }: Options) =>
  withDatabase(async (db) => {
    const preview = await previewRefund({ db }, request)
    if (preview.kind === 'refused') throw refused(preview.why)
    if (preview.kind === 'possible') await ask(question(request, preview), yes)
    const answer = await requestRefund({ db }, request)
    if (answer.kind === 'refused') throw refused(answer.why)
    const id = answer.kind === 'recorded' ? answer.refundId : answer.refund.id
    const { paymentId } = request
    const report = wait ? await waitForEnd(db, paymentId, id) : await refundOf(db, paymentId, id)
    tell(answer.kind, report, json)
  })

type InWords = { ask: (what: string) => string; done: (paymentId: string) => string }

const HANGS = 'The gateway may still make it: check its dashboard first.'

const IN_WORDS: Readonly<Record<RefundVerdict, InWords>> = {
  sent: {
    ask: (what) => `Have you sent ${what} to the customer another way? The customer is told so.`,
    done: () => '',
  },
  failed: {
    ask: (what) => `Are you sure that the gateway will never make ${what}? ${HANGS}`,
    done: (id) =>
      `It counts as failed, and is owed until it is requested again, sent or dropped: npm run ops -- refund ${id}`,
  },
  dropped: {
    ask: (what) => `Is ${what} no longer owed? Nobody is reminded of it again.`,
    done: () => 'It is no longer owed.',
  },
}

const whatIsAskedOf = ({ refund, currency }: Told): string => {
  const sum = formatCharged(refund.amount_minor, currency)
  return `the refund of ${sum} for payment ${refund.payment_id}`
}

const questionOf = (verdict: RefundVerdict, told: Told): string => {
  const hangs = verdict === 'sent' && told.refund.status === 'Pending' && !told.refund.is_by_hand
  return `${IN_WORDS[verdict].ask(whatIsAskedOf(told))}${hangs ? ` ${HANGS}` : ''} This cannot be undone.`
}

const sayOf = (word: RefundResolution, { yes, json }: Options) =>
  withDatabase(async (db) => {
    const { paymentId, verdict } = word
    const preview = await previewRefundResolution({ db }, word)
    if (preview.kind === 'refused') throw new Refusal(`Nothing was done: ${preview.why}.`)
    if (preview.kind === 'possible') await ask(questionOf(verdict, preview), yes)
    // The very one that was asked about, whatever has become of it meanwhile.
    const answer = await resolveRefund({ db }, { ...word, refundId: preview.refund.id })
    if (answer.kind === 'refused') throw new Refusal(`Nothing was done: ${answer.why}.`)
    const outcome = answer.kind === 'known' ? 'known' : 'confirmed'
    const told = await refundOf(db, paymentId, answer.refund.id)
    if (verdict === 'sent') return tell(outcome, told, json)
    if (json) return sayJson({ outcome, paymentId, refund: presentRefund(told.refund, told.currency) })
    say(`${OPENINGS[outcome]}: ${whatIsAskedOf(told)}. ${IN_WORDS[verdict].done(paymentId)}`)
  })

const verdictOf = ({ sent, failed, drop }: Options): RefundVerdict | undefined => {
  if (sent) return 'sent'
  if (failed) return 'failed'
  return drop ? 'dropped' : undefined
}

const run = (
  paymentId: string,
  amountMinor: number | undefined,
  options: Options,
  command: Command,
): Promise<void> => {
  const verdict = verdictOf(options)
  if (verdict && amountMinor !== undefined)
    command.error('error: --sent, --failed and --drop are about a recorded refund, so they take no amount')
  if (verdict) return sayOf({ paymentId, refundId: options.refund, verdict }, options)
  if (options.refund) command.error('error: --refund needs --sent, --failed or --drop')
  return give({ paymentId, amountMinor, isAgain: options.again ?? false }, options)
}

const readRefundId = (text: string): string => {
  if (!isUuid(text))
    throw new InvalidArgumentError('Expected the id of a refund, as `payment --json` shows it.')
  return text.toLowerCase()
}

export const addRefund = (program: Command): void => {
  changes(program.command('refund'))
    .description(
      'Refund a payment, in whole or in part, once: a repeat says what came of the first. ' +
        'It records the refund; the running shop sends it to the gateway and mails the customer. ' +
        'What was bought ends once all of it has been refunded.',
    )
    .summary('refund a payment')
    .argument('<payment>', 'the id of the payment')
    .argument(
      '[amount]',
      'like 10.50, in the currency that was charged; all that is left if left out',
      readSum,
    )
    .option('--again', 'refund the same amount once more')
    .option('--wait', 'wait until it has ended, up to a minute')
    .addOption(
      new Option(
        '--sent',
        'you sent it another way: open banking, or a refund that the gateway refused',
      ).conflicts(['again', 'wait', 'failed', 'drop']),
    )
    .addOption(
      new Option('--failed', 'the gateway will never make it: another can then be requested').conflicts([
        'again',
        'wait',
        'drop',
      ]),
    )
    .addOption(
      new Option(
        '--drop',
        'it is no longer owed: one that was refused, or is waiting to be sent by hand',
      ).conflicts(['again', 'wait']),
    )
    .option(
      '--refund <id>',
      'which refund --sent, --failed or --drop is about, if there are several',
      readRefundId,
    )
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(run)
}
