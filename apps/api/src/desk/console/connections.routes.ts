import type * as contract from '@hedgerow/contract/console/customers'
import {
  type ConnectionPage,
  expireConsoleConnection,
  exportConnections,
  getConsoleConnection,
  listConsoleConnections,
  mailConsoleConnection,
  moveConsoleConnection,
  rekeyConsoleConnection,
  revokeConsoleConnection,
} from '@hedgerow/contract/console/customers'
import { addressesAt } from '@hedgerow/domain/addresses'
import { isoOrNull } from '@hedgerow/domain/dates'
import { FEATURES, hasBit } from '@hedgerow/domain/pricing'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { isKnownUnreadable } from '#care/keys/watch-unreadable.ts'
import {
  type ConnectionFacts,
  selectConnectionFacts,
  statusOf,
} from '#desk/backoffice/connection-facts.queries.ts'
import {
  type ConnectionReport,
  expireConnection,
  findConnection,
  getConnectionReport,
  revokeConnection,
} from '#desk/backoffice/operate-connections.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import { refused } from '#desk/console/refused.ts'
import { type ConsoleListDependencies, type ListDefinition, serveList } from '#desk/console/serve-list.ts'
import { shownName } from '#desk/console/shown-names.ts'
import { oldKeysUntil } from '#desk/presentation/present-connection.ts'
import { whyNotMoved } from '#desk/presentation/why-not-moved.ts'
import { rekeyConnection } from '#network/connections/change-connection.ts'
import { mailConnection } from '#network/connections/connections.service.ts'
import { getNodeReport } from '#network/nodes/nodes.service.ts'
import { moveConnection } from '#network/nodes/remove-node.ts'
import type { OperatorCaller } from '#people/operators/guard-operators.ts'
import { plainText } from '#platform/csv/write-csv.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'

type Deps = ConsoleListDependencies & With<'keyCipher'>

export const listedConnection = (
  row: ConnectionFacts,
  operator: Pick<OperatorCaller, 'permissions'>,
): contract.ListedConnection => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  name: shownName(row.name, operator),
  status: statusOf(row),
  node: row.node_name,
  expiresAt: isoOrNull(row.expires_at),
  customerId: row.customer_id,
})

const connections: ListDefinition<
  z.output<typeof listConsoleConnections.schema.querystring>,
  ConnectionFacts,
  contract.ListedConnection
> = {
  query: async (db, { node, ...filter }) => {
    const found = node === undefined ? undefined : await getNodeReport({ db }, node)
    if (node !== undefined && !found) throw invalidField('node', `There is no node ${node}.`)
    return { query: selectConnectionFacts(db, { ...filter, nodeId: found?.id }) }
  },
  sorts: { createdAt: { by: sql`connections.created_at`, type: 'timestamptz' } },
  id: { by: sql`connections.id`, type: 'uuid' },
  show: listedConnection,
  columns: [
    { name: 'id', title: 'Connection', cell: ({ id }) => id },
    { name: 'createdAt', title: 'Made (UTC)', cell: ({ createdAt }) => createdAt },
    { name: 'name', title: 'Name', cell: ({ name }) => plainText(name) },
    { name: 'status', title: 'Status', cell: ({ status }) => status },
    { name: 'node', title: 'Node', cell: ({ node }) => node },
    { name: 'expiresAt', title: 'Ends (UTC)', cell: ({ expiresAt }) => expiresAt ?? 'never' },
    { name: 'customerId', title: 'Customer', cell: ({ customerId }) => customerId ?? '' },
  ],
}

const presentPage = (
  { connection: row, renewals, cancelled }: ConnectionReport,
  operator: OperatorCaller,
  isUnreadable: boolean,
): ConnectionPage => ({
  ...listedConnection(row, operator),
  paymentId: row.payment_id,
  addresses: addressesAt(row, row.position),
  features: FEATURES.filter((one) => hasBit(row.options, one)).map((one) => ({
    name: one.label,
    isOn: one.filter ? hasBit(row.filters_on, one) : null,
  })),
  keysMadeAt: row.peer_created_at.toISOString(),
  isUnreadable,
  oldKeysUntil: isoOrNull(oldKeysUntil(row)),
  sharedUntil: isoOrNull(row.link_expires_at),
  cutOffAt: isoOrNull(row.removed_at),
  endedByHandAt: row.ended_by_hand.map((at) => at.toISOString()),
  renewals: renewals.map(({ payment_id, days, new_end, created_at }) => ({
    paymentId: payment_id,
    days,
    newEnd: new_end.toISOString(),
    at: created_at.toISOString(),
  })),
  cancelled: cancelled.map(({ payment_id, cancelled_at }) => ({
    paymentId: payment_id,
    at: cancelled_at.toISOString(),
  })),
})

/** What customers have bought; never with a key. */
export const connectionsConsoleRoutes = (app: FastifyInstance, deps: Deps): void => {
  const connectionOf = async (id: string): Promise<ConnectionFacts> => {
    const row = await findConnection(deps, id)
    if (!row) throw new Problem('connection-not-found')
    return row
  }

  serveList(
    app,
    deps,
    { list: listConsoleConnections, file: exportConnections, fileName: 'connections' },
    connections,
  )

  implementForOperators(app, deps, getConsoleConnection, async ({ params, operator }) => {
    const report = await getConnectionReport(deps, params.connectionId)
    if (!report) throw new Problem('connection-not-found')
    return presentPage(report, operator, await isKnownUnreadable(deps, report.connection.id))
  })

  implementForOperators(app, deps, expireConsoleConnection, async ({ params }) => {
    const status = statusOf(await connectionOf(params.connectionId))
    const hasEnded = status === 'expired' || status === 'cut-off'
    return { isChanged: !hasEnded && (await expireConnection(deps, params.connectionId)) }
  })

  implementForOperators(app, deps, revokeConsoleConnection, async ({ params }) => {
    const { removed_at } = await connectionOf(params.connectionId)
    return { isChanged: removed_at === null && (await revokeConnection(deps, params.connectionId)) }
  })

  implementForOperators(app, deps, moveConsoleConnection, async ({ params, body: { to } }) => {
    const row = await connectionOf(params.connectionId)
    const target = await getNodeReport(deps, to)
    if (!target) throw invalidField('to', `There is no node ${to}.`)
    if (row.node_id === target.id) return { isChanged: false }
    try {
      await moveConnection(deps, row, { from: row.node_id, to: target.id })
    } catch (error) {
      const why = error instanceof Problem ? whyNotMoved(to)[error.kind] : undefined
      throw why ? refused(why) : error
    }
    return { isChanged: true }
  })

  implementForOperators(app, deps, rekeyConsoleConnection, async ({ params, body: { cutOffOld } }) => {
    const { id, customer_id: customerId, ...row } = await connectionOf(params.connectionId)
    if (!customerId) throw refused('its account was erased')
    const status = statusOf({ ...row, id, customer_id: customerId })
    if (status === 'expired' || status === 'cut-off') throw new Problem('connection-expired')
    await rekeyConnection(deps, { id, customerId }, cutOffOld)
    return {}
  })

  implementForOperators(app, deps, mailConsoleConnection, async ({ params }) => {
    const { id, customer_id } = await connectionOf(params.connectionId)
    if (!customer_id) throw refused('its account was erased')
    await mailConnection(deps, customer_id, id)
    return {}
  })
}
