import type { AccountData } from '@hedgerow/contract/account-data'
import type { CancellationForm } from '@hedgerow/contract/cancellations'
import { isUuid } from '@hedgerow/domain/ids'
import { maskCardNumbers } from '@hedgerow/domain/invoices'
import { mailboxOf } from '@hedgerow/domain/mailboxes'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import {
  closeStatement as close,
  countOpenOf,
  findStatement,
  insertStatement,
  isManyOpen,
  listStatementsOf,
  selectStatements,
  statementOrder,
} from '#money/cancellations/statements.queries.ts'
import type { CancellationStatementRow } from '#platform/database/tables/cancellations.table.ts'
import type { With } from '#platform/dependencies.ts'
import { readPage } from '#platform/http/keyset.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'
import { addJob } from '#platform/queue/add-job.ts'

export { deleteOldStatements } from '#money/cancellations/statements.queries.ts'

/** Anyone can type any address: it gets so many mails a day, and what is above that a person acknowledges. */
const ACKNOWLEDGED_A_DAY = 5
const DAY_S = 86_400

/** While so many are open, a statement is taken as ever, and its optional message is shorter: none is refused, and none costs 21 kB. */
const MANY_OPEN = 1_000
const SHORT_MESSAGE = 500

type Statement = CancellationForm & { id: string }
type Received = { _id: string; receivedAt: string }

const present = ({ id, received_at }: CancellationStatementRow): Received => ({
  _id: id,
  receivedAt: received_at.toISOString(),
})

const isSame = (row: CancellationStatementRow, { name, email, contract, message }: Omit<Statement, 'id'>) =>
  row.name === name && row.email === email && row.contract === contract && row.message === message

/**
 * Takes the statement of a customer who cannot log in: it is kept with its time, acknowledged by mail, and the operator is mailed.
 * The answer says nothing of whether there is such an account. The same sent again changes nothing, and a card number in
 * it is neither kept nor mailed. Throws 'cancellation-id-taken', and 'invalid' for a long message while many are open.
 */
export const declareCancellation = async (
  { db, rateCounter }: With<'db' | 'rateCounter'>,
  { id, ...given }: Statement,
): Promise<Received> => {
  const words = {
    name: maskCardNumbers(given.name),
    email: given.email,
    contract: maskCardNumbers(given.contract),
    message: maskCardNumbers(given.message ?? ''),
  }
  const sender = mailboxOf(words.email)
  const known = await findStatement(db, id)
  if (!known) {
    if (words.message.length > SHORT_MESSAGE && (await isManyOpen(db, MANY_OPEN)))
      throw invalidField('message', OUR_MESSAGES.messageShorter(SHORT_MESSAGE))
    const wait = await rateCounter.count({
      name: 'acknowledged cancellations',
      of: sender,
      most: ACKNOWLEDGED_A_DAY,
      seconds: DAY_S,
    })
    const made = await db.transaction().execute(async (trx) => {
      const row = await insertStatement(trx, { id, ...words, sender, is_acknowledged: wait === undefined })
      if (!row) return undefined
      if (row.is_acknowledged) await addJob(trx, 'mail-statement-received', { statementId: id })
      await addJob(trx, 'mail-cancellation-asked', { statementId: id })
      return row
    })
    if (made) return present(made)
  }
  const row = known ?? (await findStatement(db, id))
  if (!row || !isSame(row, words)) throw new Problem('cancellation-id-taken')
  return present(row)
}

type Search = { all?: boolean | undefined; sort: string; rows: number; after?: string | undefined }

/** For the operator. */
export const searchStatements = async ({ db }: With<'db'>, { all, sort, rows: most, after }: Search) => {
  const order = { ...statementOrder, isDescending: sort.startsWith('-') }
  const { rows, next } = await readPage(selectStatements(db, all === true), order, most, after)
  const open = await countOpenOf(
    db,
    rows.flatMap(({ sender }) => sender ?? []),
  )
  const waiting = new Map(open.map(({ sender, count }) => [sender, Number(count)]))
  return {
    found: rows.map((row) => ({
      row,
      others: Math.max(0, (waiting.get(row.sender) ?? 0) - (row.closed_at ? 0 : 1)),
    })),
    next,
  }
}

export const getStatement = async (
  { db }: With<'db'>,
  id: string,
): Promise<CancellationStatementRow | undefined> =>
  isUuid(id) ? findStatement(db, id.toLowerCase()) : undefined

/** The operator is done with it. False when that was so before. */
export const closeStatement = ({ db }: With<'db'>, id: string): Promise<boolean> => close(db, id)

/** What is held under the address of an account, for the file with all its data. */
export const statementsForExport = async (
  { db }: With<'db'>,
  email: string,
): Promise<AccountData['cancellationStatements']> =>
  (await listStatementsOf(db, email)).map((row) => ({
    ...present(row),
    name: row.name,
    email: row.email,
    contract: row.contract,
    message: row.message,
    isAcknowledged: row.is_acknowledged,
    closedAt: row.closed_at?.toISOString() ?? null,
  }))
