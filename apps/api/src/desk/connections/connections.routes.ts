import * as contract from '@hedgerow/contract/console/connections'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod/mini'
import { isKnownUnreadable } from '#care/keys/watch-unreadable.ts'
import {
  type ConnectionFacts,
  connectionFactsOrder,
  findConnectionFacts,
  listCancelledOf,
  listGiven,
  listRenewals,
  selectConnectionFacts,
  statusOf,
} from '#desk/connections/connection-facts.queries.ts'
import { connectionPage, listedConnection } from '#desk/connections/connections.present.ts'
import { inWords, WHY_NOT_MAILED, WHY_NOT_REKEYED, whyNotMoved } from '#desk/connections/why-not.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import { refused } from '#desk/console/refused.ts'
import {
  type ConsoleListDependencies,
  fileColumns,
  type ListDefinition,
  serveList,
} from '#desk/console/serve-list.ts'
import { rekeyConnection } from '#network/connections/change-connection.ts'
import { mailConnection } from '#network/connections/connections.service.ts'
import { expireConnection, revokeConnection } from '#network/connections/end-connection.ts'
import { assignConnection } from '#network/imports/imports.service.ts'
import { getNodeReport } from '#network/nodes/nodes.service.ts'
import { moveConnection } from '#network/nodes/remove-node.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'
import { giveDays } from '#sales/renewals/give-days.ts'

type Deps = ConsoleListDependencies & With<'keyCipher'>

const list: ListDefinition<
  z.output<typeof contract.listConsoleConnections.schema.querystring>,
  ConnectionFacts,
  contract.ListedConnection
> = {
  query: async (db, { node, ...filter }) => {
    const found = node === undefined ? undefined : await getNodeReport({ db }, node)
    if (node !== undefined && !found) throw invalidField('node', `There is no node ${node}.`)
    return { query: selectConnectionFacts(db, { ...filter, nodeId: found?.id }) }
  },
  ...connectionFactsOrder,
  show: listedConnection,
  columns: fileColumns(contract.listConsoleConnections.columns),
}

const tooManyDays = (left: number): string =>
  left === 0
    ? 'This connection has been given as many days as you may give it for now.'
    : `You may give this connection at most ${left === 1 ? '1 more day' : `${left} more days`} for now.`

const hasEnded = (row: ConnectionFacts) => ['expired', 'cut-off'].includes(statusOf(row))

/** What customers have bought; never with a key. */
export const connectionsRoutes = (app: FastifyInstance | LocalCalls, deps: Deps): void => {
  const connectionOf = async (id: string): Promise<ConnectionFacts> => {
    const row = await findConnectionFacts(deps.db, id)
    if (!row) throw new Problem('connection-not-found')
    return row
  }

  serveList(
    app,
    deps,
    { list: contract.listConsoleConnections, file: contract.exportConnections, fileName: 'connections' },
    list,
  )

  implementForOperators(app, deps, contract.getConsoleConnection, async ({ params, operator }) => {
    const connection = await connectionOf(params.connectionId)
    const { id } = connection
    const report = {
      connection,
      renewals: await listRenewals(deps.db, id),
      given: await listGiven(deps.db, id),
      cancelled: await listCancelledOf(deps.db, id),
      isUnreadable: await isKnownUnreadable(deps, id),
    }
    return connectionPage(report, operator)
  })

  implementForOperators(app, deps, contract.expireConsoleConnection, async ({ params }) => {
    const isLive = !hasEnded(await connectionOf(params.connectionId))
    return { isChanged: isLive && (await expireConnection(deps, params.connectionId)) }
  })

  implementForOperators(app, deps, contract.revokeConsoleConnection, async ({ params }) => {
    const { removed_at } = await connectionOf(params.connectionId)
    return { isChanged: removed_at === null && (await revokeConnection(deps, params.connectionId)) }
  })

  implementForOperators(app, deps, contract.moveConsoleConnection, async ({ params, body: { to } }) => {
    const row = await connectionOf(params.connectionId)
    const target = await getNodeReport(deps, to)
    if (!target) throw invalidField('to', `There is no node ${to}.`)
    if (row.node_id === target.id) return { isChanged: false }
    await inWords(whyNotMoved(to), () => moveConnection(deps, row, { from: row.node_id, to: target.id }))
    return { isChanged: true }
  })

  implementForOperators(
    app,
    deps,
    contract.rekeyConsoleConnection,
    async ({ params, body: { cutOffOld } }) => {
      const row = await connectionOf(params.connectionId)
      const { id, customer_id: customerId } = row
      if (!customerId) throw refused('it has no account yet')
      if (hasEnded(row)) throw refused('the connection has ended')
      await inWords(WHY_NOT_REKEYED, () => rekeyConnection(deps, { id, customerId }, cutOffOld))
      return {}
    },
  )

  implementForOperators(app, deps, contract.extendConsoleConnection, async ({ params, body, operator }) => {
    const { connectionId } = params
    const answer = await giveDays(deps, {
      connectionId,
      days: body.days,
      reason: body.because,
      isAgain: body.isAgain,
      operatorId: operator.by === 'shell' && operator.id === '' ? null : operator.id,
      // Who has the shell has the database.
      mayMore: operator.by === 'shell' || operator.permissions.has('connections.give-more-days'),
    })
    if (answer.kind === 'given' || answer.kind === 'same')
      return { isNew: answer.kind === 'given', expiresAt: answer.end.toISOString() }
    if (answer.kind === 'too-many') throw invalidField('days', tooManyDays(answer.left))
    if (answer.kind === 'gone') throw new Problem('connection-not-found')
    throw refused(
      answer.kind === 'endless' ? 'the connection has no end' : 'no node keeps the connection any more',
    )
  })

  implementForOperators(app, deps, contract.assignConsoleConnection, async ({ params, body: { email } }) => {
    const { id, customer_id } = await connectionOf(params.connectionId)
    if (customer_id || !(await assignConnection(deps, id, email))) throw refused('it has an account already')
    return {}
  })

  implementForOperators(app, deps, contract.mailConsoleConnection, async ({ params }) => {
    const { id, customer_id } = await connectionOf(params.connectionId)
    if (!customer_id) throw refused('it has no account yet')
    await inWords(WHY_NOT_MAILED, () => mailConnection(deps, customer_id, id))
    return {}
  })
}
