import { listConsoleConnections } from '@hedgerow/contract/console/connections'
import { columnsFor, filtersFor } from '#shared/call-list.tsx'
import { type Connection, ConnectionBadge } from '#shared/connection-words.tsx'
import { List } from '#shared/list.tsx'
import { Page } from '#shared/page.tsx'
import { Time } from '#shared/time.tsx'

const ConnectionsPage = () => (
  <Page title="Connections" lead="What customers have bought. Keys are never shown.">
    <List<Connection>
      call="listConsoleConnections"
      file="/api/v1/connections.csv"
      caption="Connections"
      live={['payment', 'node']}
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/connections/${id}`}
      filters={filtersFor(listConsoleConnections.fields)}
      columns={columnsFor<Connection>(listConsoleConnections.columns, {
        status: ({ status }) => <ConnectionBadge status={status} />,
        expiresAt: ({ expiresAt }) => <Time at={expiresAt} none="never" />,
      })}
      empty={{ title: 'No connections yet' }}
    />
  </Page>
)

export default ConnectionsPage
