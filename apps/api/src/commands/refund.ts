import { setTimeout as pause } from 'node:timers/promises'
import { formatDateTime } from '@hedgerow/domain/dates'
import { formatCharged, formatMinorOf } from '@hedgerow/domain/exchange'
import { isRefundedByGateway } from '@hedgerow/domain/payment-methods'
import { type Command, Option } from 'commander'
import { getPaymentReport } from '#backoffice/operate-payments.ts'
import { ask } from '#cli/ask.ts'
import { changes } from '#cli/classes.ts'
import { JSON_OPTION, readSum, YES_OPTION } from '#cli/options.ts'
import { say, sayJson } from '#cli/print.ts'
import { Refusal } from '#cli/refusal.ts'
import { withDatabase } from '#cli/with-database.ts'
import { presentRefund } from '#commands/present-payment.ts'
import type { Db } from '#database/client.ts'
import { paidSum } from '#refunds/paid-sum.ts'
import type { RefundRow } from '#refunds/refunds.service.ts'
import { confirmRefund, previewRefund, type RefundRequest, requestRefund } from '#refunds/refunds.service.ts'

const WAIT_MS = 60_000
const LOOK_EVERY_MS = 500

type Told = { refund: RefundRow; currency: string }
type Outcome = 'recorded' | 'known' | 'confirmed'

const refundOf = async (db: Db, paymentId: string, isIt: (refund: RefundRow) => boolean): Promise<Told> => {
  const report = await getPaymentReport({ db }, paymentId)
  const refund = report?.refunds.findLast(isIt)
  if (!report) throw new Refusal(`There is no payment ${paymentId}.`)
  if (!refund) throw new Refusal(`Nothing of payment ${paymentId} waits to be sent by hand.`)
  return { refund, currency: paidSum(report.payment).currency }
}

/** A minute at most; a refund that takes longer is recorded all the same. */
const waitForEnd = async (db: Db, paymentId: string, id: string): Promise<Told> => {
  const end = Date.now() + WAIT_MS
  for (;;) {
    const report = await refundOf(db, paymentId, (one) => one.id === id)
    if (report.refund.status !== 'Pending' || report.refund.is_by_hand || Date.now() > end) return report
    await pause(LOOK_EVERY_MS)
  }
}

const standing = ({ payment_id, status, is_by_hand, ended_at }: RefundRow): string => {
  if (status === 'Success') return `It went back on ${formatDateTime(ended_at ?? new Date())}.`
  if (is_by_hand)
    return `It is to be sent by hand. When that is done, run: npm run ops -- refund ${payment_id} --sent`
  return `It is under way: the running shop sends it to the gateway. See it by: npm run ops -- payment ${payment_id}`
}

const OPENINGS: Readonly<Record<Outcome, string>> = {
  recorded: 'Recorded',
  known: 'Recorded before',
  confirmed: 'Confirmed',
}

const tell = (outcome: Outcome, { refund, currency }: Told, json: boolean | undefined): void => {
  if (json) sayJson({ outcome, paymentId: refund.payment_id, refund: presentRefund(refund, currency) })
  if (refund.status === 'Decline')
    throw new Refusal(`The gateway refused the refund (code ${refund.gate_code ?? 'not given'}).`)
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

type Options = { again?: true; sent?: true; wait?: true; yes?: true; json?: true }

const give = (request: RefundRequest, { yes, wait, json }: Options) =>
  withDatabase(async (db) => {
    const preview = await previewRefund({ db }, request)
    if (preview.kind === 'refused') throw refused(preview.why)
    if (preview.kind === 'possible') await ask(question(request, preview), yes)
    const answer = await requestRefund({ db }, request)
    if (answer.kind === 'refused') throw refused(answer.why)
    const id = answer.kind === 'recorded' ? answer.refundId : answer.refund.id
    const { paymentId } = request
    const report = wait
      ? await waitForEnd(db, paymentId, id)
      : await refundOf(db, paymentId, (one) => one.id === id)
    tell(answer.kind, report, json)
  })

const confirm = (paymentId: string, { yes, json }: Options) =>
  withDatabase(async (db) => {
    const { refund, currency } = await refundOf(
      db,
      paymentId,
      ({ is_by_hand, status }) => is_by_hand && status !== 'Decline',
    )
    if (refund.status === 'Pending') {
      const sum = `${formatMinorOf(refund.amount_minor, currency)} ${currency}`
      await ask(`Were ${sum} sent back for payment ${paymentId}? The customer is told so.`, yes)
    }
    const confirmed = await confirmRefund({ db }, paymentId)
    const outcome = confirmed ? 'confirmed' : 'known'
    tell(outcome, await refundOf(db, paymentId, ({ id }) => id === (confirmed ?? refund).id), json)
  })

const run = (
  paymentId: string,
  amountMinor: number | undefined,
  options: Options,
  command: Command,
): Promise<void> => {
  if (!options.sent) return give({ paymentId, amountMinor, isAgain: options.again ?? false }, options)
  if (amountMinor !== undefined)
    command.error('error: --sent confirms the refund that is recorded, so it takes no sum')
  return confirm(paymentId, options)
}

export const addRefund = (program: Command): void => {
  changes(program.command('refund'))
    .description(
      'Give the money of a payment back, in whole or in part, once: a repeat says what came of the first. ' +
        'It records the refund; the running shop sends it to the gateway and mails the customer. ' +
        'What was bought ends when all of it has gone back.',
    )
    .summary('give money back')
    .argument('<payment>', 'the id of the payment')
    .argument('[amount]', 'like 10.50, in the currency that was charged; left out: all that is left', readSum)
    .option('--again', 'give the same sum back once more')
    .option('--wait', 'wait until it has ended, up to a minute')
    .addOption(
      new Option('--sent', 'confirm that a refund by hand (open banking) was sent').conflicts([
        'again',
        'wait',
      ]),
    )
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(run)
}
