import { randomUUID } from 'node:crypto'
import { findCustomerByEmail } from '#people/accounts/customers.ts'
import { ACCESS_CHANGES } from '#people/operators/access-changes.ts'
import { endAction, insertAction } from '#people/operators/operator-actions.queries.ts'
import type { Outcome, RecordedArguments } from '#platform/database/tables/operators.table.ts'
import type { With } from '#platform/dependencies.ts'
import { addJob } from '#platform/queue/add-job.ts'

export {
  actionOrder,
  deleteOldActions,
  endOwnBackup,
  keepsRecord,
  listActionsOn,
  selectActions,
} from '#people/operators/operator-actions.queries.ts'

type Deps = With<'db'>

const WORDS = /\S+/g
const LONGEST_VALUE = 200
const LONGEST_SUBJECT = 100

const hasEmail = (word: string) => word.includes('@')

/** An account by its id; an unknown address, or a part of one, is not kept. */
const withoutEmails = async ({ db }: Deps, text: string): Promise<string> => {
  const replacements = new Map<string, string>()
  for (const word of new Set(text.match(WORDS)?.filter(hasEmail)))
    replacements.set(word, (await findCustomerByEmail(db, word))?.id ?? '(an email address)')
  return text.replace(WORDS, (word) => replacements.get(word) ?? word).slice(0, LONGEST_VALUE)
}

/** By the name: where an operator sat is for the record. */
export const shownOperator = (who: string): string => who.replace(/@console$/, '')

export type Intent = {
  who: string
  command: string
  /** As they were typed, without what must not be kept at all. */
  arguments: RecordedArguments
  /** What it is to be done to, as it was typed. */
  subject: string | undefined
}

/** Records an act before it is done. Returns how to record its outcome. */
export const recordIntent = async (
  { db }: Deps,
  { who, command, subject, ...intent }: Intent,
): Promise<(outcome: Outcome, subject?: string) => Promise<void>> => {
  const id = randomUUID()
  const given = new Map<string, RecordedArguments[string]>()
  for (const [name, value] of Object.entries(intent.arguments))
    given.set(name, typeof value === 'string' ? await withoutEmails({ db }, value) : value)
  const about =
    subject === undefined ? null : (await withoutEmails({ db }, subject)).slice(0, LONGEST_SUBJECT)
  await insertAction(db, { id, who, command, arguments: Object.fromEntries(given), subject: about })
  return (outcome, subject) =>
    outcome === 'done' && ACCESS_CHANGES.has(command)
      ? db.transaction().execute(async (trx) => {
          await addJob(trx, 'mail-access-changed', { actionId: id })
          // Last: the record is locked from here to the end.
          await endAction(trx, id, outcome, subject)
        })
      : endAction(db, id, outcome, subject)
}
