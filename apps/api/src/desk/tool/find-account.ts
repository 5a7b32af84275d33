import { recordSubject } from '#desk/tool/acting.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { findAccount } from '#people/accounts/customers.ts'
import type { Db } from '#platform/database/client.ts'
import type { CustomerRow } from '#platform/database/tables/accounts.table.ts'

/** By e-mail or id. Throws a Refusal when no account has it. */
export const accountOf = async (db: Db, emailOrId: string): Promise<CustomerRow> => {
  const account = await findAccount(db, emailOrId)
  if (!account)
    throw new Refusal(
      emailOrId.includes('@') ? 'No account has this email address.' : `There is no account ${emailOrId}.`,
    )
  recordSubject(account.id)
  return account
}

/** For calls of the contract, which take the id. */
export const accountIdOf = async (db: Db, emailOrId: string): Promise<string> =>
  (await accountOf(db, emailOrId)).id
