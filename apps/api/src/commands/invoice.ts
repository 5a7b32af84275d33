import { invoiceNumber } from '@hedgerow/domain/invoices'
import { counted } from '@hedgerow/domain/order-description'
import type { Command } from 'commander'
import { ask } from '#cli/ask.ts'
import { changes, reads } from '#cli/classes.ts'
import { JSON_OPTION, readInvoiceNumber, YES_OPTION } from '#cli/options.ts'
import { say, sayJson } from '#cli/print.ts'
import { Refusal } from '#cli/refusal.ts'
import { withDatabase } from '#cli/with-database.ts'
import type { Db } from '#database/client.ts'
import { getNextNumber, type NextNumber, setNextNumber, type WantedNumber } from '#invoices/next-number.ts'

const present = ({ year, next, gaps }: NextNumber) => ({
  next: invoiceNumber(year, next),
  missing: gaps.map(({ first, last, created_at }) => ({
    from: invoiceNumber(year, first),
    to: invoiceNumber(year, last),
    because: 'lost in a restore',
    at: created_at.toISOString(),
  })),
})

const showNext = ({ json }: { json?: true }) =>
  withDatabase(async (db) => {
    const told = present(await getNextNumber(db))
    if (json) return sayJson(told)
    say(`The next invoice is ${told.next}.`)
    for (const { from, to, because, at } of told.missing)
      say(`Missing: ${from} to ${to}, ${because} (${at.slice(0, 10)}).`)
  })

const question = async (db: Db, { number, year }: WantedNumber): Promise<string | undefined> => {
  const now = await getNextNumber(db, year)
  if (number <= now.next) return undefined
  const [first, last] = [now.next, number - 1].map((one) => invoiceNumber(now.year, one))
  const left = `${counted(number - now.next, 'number')}, ${first} to ${last},`
  return `${left} will be left out and recorded as lost in a restore. Make ${invoiceNumber(now.year, number)} the next invoice?`
}

type Options = { yes?: true; json?: true }

const setNext = (wanted: WantedNumber, { yes, json }: Options) =>
  withDatabase(async (db) => {
    const asked = await question(db, wanted)
    if (asked) await ask(asked, yes)
    const outcome = await db.transaction().execute((trx) => setNextNumber(trx, wanted))
    if (outcome.kind === 'refused')
      throw new Refusal(
        `Invoices up to ${invoiceNumber(outcome.year, outcome.last)} have been issued, so the next number must be higher.`,
      )
    const now = await getNextNumber(db, outcome.year)
    if (json) return sayJson({ isChanged: outcome.kind === 'set', ...present(now) })
    const opening = outcome.kind === 'set' ? 'From now on' : 'Nothing changed:'
    say(`${opening} the next invoice is ${invoiceNumber(now.year, now.next)}.`)
  })

export const addInvoice = (program: Command): void => {
  const invoice = program
    .command('invoice')
    .summary('invoice numbers')
    .description('Invoice numbers.')
    .helpCommand(false)
  reads(invoice.command('next'))
    .description(
      'The number of the next invoice, and this year’s numbers that are missing because of a restore.',
    )
    .addOption(JSON_OPTION)
    .action(showNext)
  changes(invoice.command('from'))
    .description(
      'After a restore: set the number of the next invoice. The numbers before it were used by the shop that was lost, ' +
        'or may have been: they are left out, and recorded as lost. This cannot be undone.',
    )
    .argument('<number>', 'like 120, for the current year, or 2026-000120', readInvoiceNumber)
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(setNext)
}
