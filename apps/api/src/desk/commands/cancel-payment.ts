import type { Cancellation } from '@hedgerow/contract/cancellations'
import { formatDateTime } from '@hedgerow/domain/dates'
import { formatCharged } from '@hedgerow/domain/exchange'
import { toMinor } from '@hedgerow/domain/money'
import type { Command } from 'commander'
import { ask } from '#desk/tool/ask.ts'
import { changes } from '#desk/tool/classes.ts'
import { JSON_OPTION, readTime, YES_OPTION } from '#desk/tool/options.ts'
import { say, sayJson } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { cancelForCustomer, previewForOperator } from '#money/cancellations/cancellations.service.ts'
import { Problem } from '#platform/http/problems.ts'

type Options = { told?: Date; although?: true; yes?: true; json?: true }

const refuse = (error: unknown): never => {
  throw error instanceof Problem ? new Refusal(`Not cancelled. ${error.message}`) : error
}

const sumOf = ({ refund, currency }: Cancellation) => formatCharged(toMinor(refund) ?? 0, currency)

const endsOf = ({ connections }: Cancellation): string => {
  if (connections.length === 0) return 'No connection ends.'
  const each = connections.map(
    ({ name, endsAt, endsAtOnce }) =>
      `${name} ${endsAtOnce ? 'at once' : `on ${formatDateTime(new Date(endsAt))}`}`,
  )
  return `It ends ${each.join(', ')}.`
}

const question = (paymentId: string, foreseen: Cancellation): string =>
  `Cancel payment ${paymentId}? ${sumOf(foreseen)} goes back${foreseen.isByHand ? ', to be sent by hand' : ''}. ${endsOf(foreseen)} This cannot be undone.`

const outcome = (paymentId: string, isNew: boolean, cancellation: Cancellation): string => {
  const byHand = `Send it by hand, then run: npm run ops -- refund ${paymentId} --sent`
  const isOwed = cancellation.isByHand && cancellation.refund > 0
  const at = formatDateTime(new Date(cancellation.cancelledAt ?? ''))
  return `${isNew ? 'Cancelled' : 'Already cancelled'}: payment ${paymentId}, as of ${at}. ${sumOf(cancellation)} goes back. ${isOwed ? byHand : ''}`.trim()
}

const cancel = (paymentId: string, { told: toldAt, although, yes, json }: Options) =>
  withDatabase(async (db) => {
    const told = { paymentId, toldAt, isLateAllowed: although ?? false }
    const foreseen = await previewForOperator({ db }, told).catch(refuse)
    if (foreseen) await ask(question(paymentId, foreseen), yes)
    const { isNew, cancellation } = await cancelForCustomer({ db }, told).catch(refuse)
    const { asksPassword: _, ...facts } = cancellation
    if (json) return sayJson({ isChanged: isNew, paymentId, ...facts })
    say(outcome(paymentId, isNew, cancellation))
  })

export const addCancel = (payment: Command): void => {
  changes(payment.command('cancel'))
    .description(
      'Cancel a purchase for a customer who asked for it by mail or by phone: what it bought ends, what was not used ' +
        'is refunded, and the customer gets a mail. A repeat does nothing.',
    )
    .argument('<payment>', 'the id of the payment')
    .option('--told <time>', 'when the customer asked, like 2026-11-22T10:00Z; now if left out', readTime)
    .option('--although', 'cancel it as a favour, although its 14 days are over')
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(cancel)
}
