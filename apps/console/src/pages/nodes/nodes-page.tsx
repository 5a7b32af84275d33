import { Dialog } from '@hedgerow/ui/dialog.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import { Table } from '@hedgerow/ui/table.tsx'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { api, type ReplyOf } from '#lib/api.ts'
import { counted, countText } from '#lib/format.ts'
import { Enrolment } from '#pages/nodes/enrolment.tsx'
import { NodeBadge, VersionBadge } from '#pages/nodes/node-words.tsx'
import { Act } from '#shared/act.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

const WorldMap = lazy(() => import('#pages/nodes/world-map.tsx'))

type Added = { name: string; enrolment: ReplyOf<'addConsoleNode'> }

const ASKED_EVERY_MS = 30_000

const AddNode = () => {
  const [added, setAdded] = useState<Added>()
  return (
    <>
      <Act
        label="Add a node"
        title="Add a node"
        may="nodes.change"
        tone="solid"
        verb="Add it"
        fields={[
          { name: 'name', label: 'Name', hint: 'As customers read it: London 1' },
          {
            name: 'timeZone',
            label: 'Where it is',
            isOptional: true,
            hint: 'Its time zone, like Europe/London',
          },
          { name: 'endpoint', label: 'Endpoint', hint: 'Host and UDP port, like vpn.example.org:51820' },
          {
            name: 'ipv4',
            label: 'IPv4 pool',
            first: '10.8.0.0/16',
            hint: 'Of the tunnel; as large as the node may get',
          },
          { name: 'ipv6', label: 'IPv6 pool', first: 'fd00:8::/64' },
        ]}
        run={async ({ name = '', endpoint = '', ipv4 = '', ipv6 = '', timeZone }) => {
          const body = { name, endpoint, ipv4, ipv6, timeZone: timeZone || undefined }
          setAdded({ name, enrolment: await api.call('addConsoleNode', { body }) })
        }}
        refreshes={['listConsoleNodes']}
      />
      <Dialog open={added !== undefined} onClose={() => setAdded(undefined)} title={`Install ${added?.name}`}>
        {added && <Enrolment {...added} />}
      </Dialog>
    </>
  )
}

const NodesPage = () => {
  const nodes = useData('listConsoleNodes', {}, { live: { kinds: ['node'] }, everyMs: ASKED_EVERY_MS })
  return (
    <Page title="Nodes" actions={<AddNode />}>
      <Loaded query={nodes}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title="No nodes yet">Without one, nothing that is sold can be delivered.</EmptyState>
          ) : (
            <div className="space-y-6">
              {rows.some(({ place }) => place) && (
                <Card isSnug>
                  <Suspense fallback={<div className="mx-auto aspect-[360/138] w-full max-w-[52rem]" />}>
                    <WorldMap nodes={rows} />
                  </Suspense>
                </Card>
              )}
              <Table
                caption="Nodes"
                keyOf={({ id }) => id}
                rows={rows}
                columns={[
                  {
                    header: 'Node',
                    isName: true,
                    cell: ({ name }) => (
                      <Link to={`/nodes/${encodeURIComponent(name)}`} className="link">
                        {name}
                      </Link>
                    ),
                  },
                  { header: 'State', cell: ({ state }) => <NodeBadge state={state} /> },
                  { header: 'Place', cell: ({ timeZone }) => timeZone ?? 'not said' },
                  { header: 'Peers', isNumber: true, cell: ({ peers }) => countText(peers) },
                  {
                    header: 'Room',
                    isNumber: true,
                    cell: ({ addresses: { free, size } }) => `${countText(free)} of ${countText(size)}`,
                  },
                  {
                    header: 'Behind',
                    isNumber: true,
                    cell: ({ lag, isDemonstration }) =>
                      lag === 0 || isDemonstration ? '–' : counted(lag, 'change'),
                  },
                  {
                    header: 'Version',
                    cell: ({ agent, upgrade, isDemonstration }) =>
                      isDemonstration ? '–' : <VersionBadge agent={agent} upgrade={upgrade} />,
                  },
                  {
                    header: 'Heard of',
                    cell: ({ seenAt, isDemonstration }) => (
                      <Time at={seenAt} as="ago" none={isDemonstration ? '–' : 'never'} />
                    ),
                  },
                ]}
              />
            </div>
          )
        }
      </Loaded>
    </Page>
  )
}

export default NodesPage
