import {
  CONNECTION_COLUMNS,
  CONNECTION_STATUSES,
  type Connection,
  wordsOf,
} from '#shared/connection-words.tsx'
import { List } from '#shared/list.tsx'
import { Page } from '#shared/page.tsx'

const ConnectionsPage = () => (
  <Page title="Connections" lead="What customers have bought. No key is shown anywhere.">
    <List<Connection>
      call="listConsoleConnections"
      file="/api/v1/connections.csv"
      caption="Connections"
      live={['payment', 'node']}
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/connections/${id}`}
      filters={[
        {
          name: 'status',
          label: 'Status',
          kind: 'choice',
          options: CONNECTION_STATUSES.map((one) => [one, wordsOf(one)]),
        },
        { name: 'node', label: 'Node', kind: 'text' },
        { name: 'customerId', label: 'Customer', kind: 'hidden' },
      ]}
      columns={CONNECTION_COLUMNS}
      empty={{ title: 'No connections yet' }}
    />
  </Page>
)

export default ConnectionsPage
