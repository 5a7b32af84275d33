import { commissionNumber } from '@hedgerow/domain/commissions'
import { creditNoteNumber, invoiceNumber } from '@hedgerow/domain/invoices'
import { type Command, InvalidArgumentError } from 'commander'
import { resumeRecovered } from '#care/backup/older-state.ts'
import { cipherOf } from '#care/keys/shops-keys.ts'
import { whatNow } from '#desk/commands/what-now.ts'
import { asRefusal } from '#desk/tool/as-refusal.ts'
import { ask } from '#desk/tool/ask.ts'
import { changes } from '#desk/tool/classes.ts'
import { addNumbersFrom, JSON_OPTION, KEEP_WAYS_IN_OPTION, YES_OPTION } from '#desk/tool/options.ts'
import { say, sayJson } from '#desk/tool/print.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { readSharedKeys } from '#platform/settings.ts'
import type { WantedNumber } from '#sales/invoices/next-number.ts'

type Options = {
  to: string
  invoicesFrom?: WantedNumber
  creditNotesFrom?: WantedNumber
  commissionsFrom?: WantedNumber
  yes?: true
  keepWaysIn?: boolean
  json?: true
}

const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)$/

/** As PostgreSQL and pgBackRest are told it, or as we say it. */
const readMoment = (text: string): string => {
  const at = new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
  if (!TIME.test(text) || Number.isNaN(at.getTime()) || at > new Date())
    throw new InvalidArgumentError(
      'It must be a time in the past with its zone, like 2026-11-22T08:35:27Z or "2026-11-22 08:35:27+00".',
    )
  return at.toISOString()
}

const run = async ({
  to,
  invoicesFrom,
  creditNotesFrom,
  commissionsFrom,
  keepWaysIn = false,
  yes,
  json,
}: Options): Promise<void> => {
  const keyCipher = cipherOf(readSharedKeys(toolRun().env))
  await ask(
    `Was this database brought back to ${to}, and is it to be the shop from now on? Sessions and links end, ${keepWaysIn ? '' : 'operators need new links, customers choose new passwords, '}and every node begins anew.`,
    yes,
  )
  const numbersFrom = {
    invoices: invoicesFrom,
    'credit-notes': creditNotesFrom,
    commissions: commissionsFrom,
  }
  const restored = await withDatabase((db) =>
    asRefusal(
      resumeRecovered(db, { keyCipher, numbersFrom, keepsWaysIn: keepWaysIn }),
      'Nothing was changed. ',
    ),
  )
  const { key, next, operators = null, nodes } = restored
  if (json)
    return sayJson({
      to,
      isKeyChecked: key === 'opens',
      nextInvoice: invoiceNumber(next.invoices.year, next.invoices.next),
      nextCreditNote: creditNoteNumber(next['credit-notes'].year, next['credit-notes'].next),
      nextCommission: commissionNumber(next.commissions.year, next.commissions.next),
      operators,
      nodes,
    })
  say(`The shop is as it was at ${to}.`)
  if (key === 'nothing-to-try') say('Nothing in it is encrypted, so KEY_ENCRYPTION_KEY was not tried.')
  const isGiven = {
    invoices: invoicesFrom !== undefined,
    'credit-notes': creditNotesFrom !== undefined,
    commissions: commissionsFrom !== undefined,
  }
  for (const line of whatNow(to, restored, isGiven)) say(line)
}

export const addRestored = (program: Command): void => {
  const command = changes(program.command('restored'), 'access')
    .summary('make a database that was brought back by other means the shop again')
    .description(
      'After the database server itself was brought back to a point in time, to a snapshot or from a dump, and before the shop ' +
        'is started on it: do what `restore` does with a backup. Sessions and links end, and so do all ways in that may have been withdrawn since; jobs that were under way are to be done ' +
        'again, every node begins anew, the key is tried, and it says what remains to be done. All of it or nothing.',
    )
    .requiredOption('--to <time>', 'the time that it was brought back to, with its zone', readMoment)
  addNumbersFrom(command, 'that')
    .addOption(KEEP_WAYS_IN_OPTION)
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(run)
}
