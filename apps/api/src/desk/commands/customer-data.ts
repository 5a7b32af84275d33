import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { whyNotErased } from '#desk/presentation/why-not-erased.ts'
import { eraseForGood } from '#desk/profile/erase-account.ts'
import { exportAccount } from '#desk/profile/export-account.ts'
import { ask } from '#desk/tool/ask.ts'
import { changes, opens } from '#desk/tool/classes.ts'
import { accountOf } from '#desk/tool/find-account.ts'
import { JSON_OPTION, YES_OPTION } from '#desk/tool/options.ts'
import { placeOf } from '#desk/tool/place-of.ts'
import { say, sayJson } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { withKeys } from '#desk/tool/with-keys.ts'
import type { CustomerRow } from '#platform/database/tables/accounts.table.ts'
import { Problem } from '#platform/http/problems.ts'
import { readIssuer, readPartnerSettings } from '#platform/settings.ts'

const WHO = 'the email address or id of the account'

const write = async (file: string, text: string): Promise<void> => {
  try {
    await writeFile(placeOf(file), text, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    const { code } = error as { code?: string }
    const why = code === 'EEXIST' ? 'the file already exists' : `it cannot be written (${code})`
    throw new Refusal(`Nothing was written to ${file}: ${why}.`)
  }
}

const takeOut = (who: string, { out }: { out?: string }) => {
  const settings = readPartnerSettings(toolRun().env)
  return withKeys(async (deps) => {
    const { id } = await accountOf(deps.db, who)
    const data = await exportAccount({ ...deps, settings }, id)
    if (out === undefined) return sayJson(data)
    await write(out, `${JSON.stringify(data, null, 2)}\n`)
    say(
      `All data of the account is in ${placeOf(out)}. It holds private keys: send it securely, then delete it.`,
    )
  })
}

const nameOf = ({ name, email }: CustomerRow) => `${name}, ${email}`

/** Which command lists what stands in the way. */
const SEEN_BY = new Map([
  ['account-disputes', 'dispute list'],
  ['account-withdraws', 'withdrawal list'],
  ['account-lacks-invoice', 'payment list --only invoice-failing'],
])

const whereSeen = ({ kind }: Problem): string => {
  const command = SEEN_BY.get(kind)
  return command ? ` See ${command}.` : ''
}

const erase = (who: string, { yes, json }: { yes?: true; json?: true }) => {
  const settings = readIssuer(toolRun().env)
  return withDatabase(async (db) => {
    const account = await accountOf(db, who)
    await ask(
      `Erase the account of ${nameOf(account)}? Its connections end at once. Invoices are kept for as long as the law requires. This cannot be undone.`,
      yes,
    )
    try {
      await eraseForGood({ db, settings }, account.id)
    } catch (error) {
      throw error instanceof Problem
        ? new Refusal(`Not erased. ${whyNotErased(error)}${whereSeen(error)}`)
        : error
    }
    if (json) return sayJson({ outcome: 'erased', customerId: account.id })
    say('The account is erased. The customer gets a last mail that says so.')
  })
}

export const addCustomerData = (customer: Command): void => {
  opens(customer.command('export'))
    .description(
      'All data held about a customer: the same file as "Download my data" gives, private keys included.',
    )
    .argument('<who>', WHO)
    .option('--out <file>', 'write to this file, readable only by you; standard output if left out')
    .action(takeOut)
  changes(customer.command('erase'))
    .description('Delete an account for good, as the customer can. Refused while a payment is under way.')
    .argument('<who>', WHO)
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(erase)
}
