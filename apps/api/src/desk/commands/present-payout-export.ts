import { type CurrencyCode, formatMinor, formatMoney } from '@hedgerow/domain/money'
import { counted } from '@hedgerow/domain/order-description'
import { LEFT_OUT_WORDS } from '#desk/presentation/present-withdrawal.ts'
import { say, sayJson, sayTable } from '#desk/tool/print.ts'
import type { Exported, LeftOut } from '#partners/payout-files/payouts.service.ts'

const presentLeft = (currency: CurrencyCode) => (one: LeftOut) => ({
  withdrawal: one.id,
  amount: formatMinor(one.amount_minor),
  currency,
  owing: formatMinor(one.owing_minor),
  why: one.why,
})

const sayLeftOut = (leftOut: readonly LeftOut[], currency: CurrencyCode): void => {
  if (leftOut.length === 0) return
  say('')
  say('Left out:')
  sayTable(
    ['withdrawal', 'partner', 'amount', 'why'],
    leftOut.map((one) => [
      one.id,
      one.email ?? '',
      formatMoney(one.amount_minor, currency),
      `${LEFT_OUT_WORDS[one.why]}${one.why === 'owes' ? '; to pay all the same, add --although' : ''}`,
    ]),
  )
}

/** What was written, and what was left out and why. */
export const sayExported = (
  { file, leftOut, hasMore }: Exported,
  path: string,
  currency: CurrencyCode,
  json?: true,
) => {
  if (json)
    return sayJson({
      outcome: file ? 'written' : 'nothing',
      batch: file?.batch.id ?? null,
      executionDay: file?.batch.executionDay ?? null,
      file: file ? path : null,
      count: file?.count ?? 0,
      sum: formatMinor(file?.sumMinor ?? 0),
      currency,
      leftOut: leftOut.map(presentLeft(currency)),
      hasMore,
    })
  if (file)
    say(
      `Batch ${file.batch.id}: ${counted(file.count, 'withdrawal')}, ${formatMoney(file.sumMinor, currency)} in all, to be paid on ${file.batch.executionDay.split('-').reverse().join('/')}, in ${path}. It holds bank accounts: give it to your bank, then delete it.`,
    )
  else
    say(
      `No withdrawal in ${currency} waits that is in no batch yet${leftOut.length > 0 ? ' and can be in this one' : ''}. Nothing was written.`,
    )
  sayLeftOut(leftOut, currency)
  if (hasMore) say('There are more than one file holds. Export again for the next batch.')
}
