import { randomUUID } from 'node:crypto'
import { maskCardNumbers } from '@hedgerow/domain/invoices'
import {
  askReset,
  deleteNote,
  findReset,
  insertNote,
  listNotes,
  takeReset,
} from '#desk/customers/customer-notes.queries.ts'
import { endSecondStepWithin } from '#desk/customers/guard-account.ts'
import { areLetInByEachOther } from '#people/operators/second-person.ts'
import { lockHolder } from '#people/second-step/second-step.service.ts'
import { forgetSessions } from '#people/sessions/sessions.service.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

type Deps = With<'db'>

/** Throws 'customer-not-found'. */
export const addNote = async (
  { db }: Deps,
  customerId: string,
  operatorId: string,
  text: string,
): Promise<void> => {
  const note = {
    id: randomUUID(),
    customer_id: customerId,
    operator_id: operatorId,
    text: maskCardNumbers(text),
  }
  if (!(await insertNote(db, note))) throw new Problem('customer-not-found')
}

/** One's own; anybody's where no operator is named. Throws 'note-not-found'. */
export const removeNote = async (
  { db }: Deps,
  note: { id: string; customerId: string; operatorId: string | undefined },
): Promise<void> => {
  if (!(await deleteNote(db, note))) throw new Problem('note-not-found')
}

/** What operators noted about a customer: personal data, which the customer may have. */
export const notesForExport = async ({ db }: Deps, customerId: string) =>
  (await listNotes(db, customerId)).map(({ text, created_at }) => ({
    text,
    writtenAt: created_at.toISOString(),
  }))

/**
 * The first operator asks, and nothing happens; another one agrees within a day, and the second step is reset: one person alone
 * cannot take over an account whose mailbox they have, nor with one whom they have just let in. Throws 'operator-refused' for an account without one.
 */
export const resetSecondStep = async (
  { db, sessions }: Deps & Partial<With<'sessions'>>,
  customerId: string,
  operatorId: string,
): Promise<'asked' | 'reset'> => {
  const ended = await db.transaction().execute(async (trx) => {
    const holder = await lockHolder(trx, customerId)
    if (!holder) throw new Problem('customer-not-found')
    // Another has agreed a moment ago: what is asked for now would wait for the second step that comes next.
    if (!holder.second_step_at) throw new Problem('operator-refused')
    const asked = await findReset(trx, customerId)
    const isSecond =
      asked !== undefined &&
      asked.operator_id !== operatorId &&
      !(await areLetInByEachOther(trx, asked.operator_id, operatorId))
    if (!isSecond) {
      await askReset(trx, customerId, operatorId)
      return undefined
    }
    await takeReset(trx, customerId)
    return endSecondStepWithin(trx, customerId)
  })
  if (!ended) return 'asked'
  forgetSessions({ sessions }, ended)
  return 'reset'
}

export const withdrawReset = async ({ db }: Deps, customerId: string): Promise<void> => {
  await takeReset(db, customerId)
}
