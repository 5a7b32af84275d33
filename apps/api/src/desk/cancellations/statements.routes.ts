import {
  closeStatement as closeStatementEndpoint,
  listStatements,
  openStatement,
} from '@hedgerow/contract/console/statements'
import { refundDueBy } from '@hedgerow/domain/cancellations'
import { maskEmail, maskName } from '@hedgerow/domain/masked'
import type { FastifyInstance } from 'fastify'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import { closeStatement, getStatement, searchStatements } from '#money/cancellations/statements.service.ts'
import { findAccount } from '#people/accounts/customers.ts'
import type { CancellationStatementRow } from '#platform/database/tables/cancellations.table.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

const statementView = (row: CancellationStatementRow) => ({
  id: row.id,
  isOpen: row.closed_at === null,
  receivedAt: row.received_at.toISOString(),
  closedAt: row.closed_at?.toISOString() ?? null,
  refundDueBy: row.closed_at ? null : refundDueBy(row.received_at).toISOString(),
  isAcknowledged: row.is_acknowledged,
  name: maskName(row.name),
  email: maskEmail(row.email),
})

/** Cancellations that were sent without logging in. */
export const statementsRoutes = (app: FastifyInstance | LocalCalls, deps: With<'db'>): void => {
  const statementOf = async (id: string): Promise<CancellationStatementRow> => {
    const row = await getStatement(deps, id)
    if (!row) throw new Problem('statement-not-found')
    return row
  }

  implementForOperators(app, deps, listStatements, async ({ query }) => {
    const { found, next } = await searchStatements(deps, { ...query, all: Boolean(query.all) })
    return { rows: found.map(({ row, others }) => ({ ...statementView(row), others })), next }
  })

  implementForOperators(app, deps, openStatement, async ({ params }) => {
    const row = await statementOf(params.statementId)
    const { contract, message, name, email } = row
    const account = await findAccount(deps.db, email)
    return { ...statementView(row), name, email, contract, message, customerId: account?.id ?? null }
  })

  implementForOperators(app, deps, closeStatementEndpoint, async ({ params }) => {
    const { id } = await statementOf(params.statementId)
    return { isNew: await closeStatement(deps, id), statement: statementView(await statementOf(id)) }
  })
}
