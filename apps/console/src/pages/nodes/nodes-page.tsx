import { Dialog } from '@hedgerow/ui/dialog.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import { Table } from '@hedgerow/ui/table.tsx'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import type { ReplyOf } from '#lib/api.ts'
import { counted, countText } from '#lib/format.ts'
import { AddNodeAct, Enrolment } from '#pages/nodes/enrolment.tsx'
import { NodeBadge, VersionBadge } from '#pages/nodes/node-words.tsx'
import { knownOf } from '#shared/line-path.ts'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { Sparkline } from '#shared/sparkline.tsx'
import { Time } from '#shared/time.tsx'
import { useData, useRefresh } from '#shared/use-data.ts'

const WorldMap = lazy(() => import('@hedgerow/ui/world-map.tsx'))

const LOOKS: Readonly<Record<ReplyOf<'listConsoleNodes'>[number]['state'], string>> = {
  up: 'fill-hedge',
  failing: 'fill-berry',
  down: 'fill-berry',
  drained: 'fill-straw',
  awaiting: 'fill-outline',
  demonstration: 'fill-outline',
}

const ASKED_EVERY_MS = 30_000

const AddNode = () => {
  const [added, setAdded] = useState<ReplyOf<'addConsoleNode'>>()
  const refresh = useRefresh()
  return (
    <>
      <AddNodeAct onAdded={setAdded} />
      <Dialog
        open={added !== undefined}
        onClose={() => {
          setAdded(undefined)
          void refresh('listConsoleNodes')
        }}
        title={`Install ${added?.name}`}
      >
        {added && <Enrolment enrolment={added} />}
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
            <EmptyState title="No nodes yet">Connections run on nodes. Add one before you sell.</EmptyState>
          ) : (
            <div className="space-y-6">
              {rows.some(({ place }) => place) && (
                <Card isSnug>
                  <div className="mx-auto max-w-[36rem]">
                    <Suspense fallback={<div className="aspect-2/1 w-full" />}>
                      <WorldMap
                        isClose
                        spots={rows.flatMap(({ id, name, state, place }) =>
                          place ? [{ id, name, look: LOOKS[state], ...place }] : [],
                        )}
                      />
                    </Suspense>
                  </div>
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
                    cell: ({ name, isObfuscated }) => (
                      <>
                        <Link to={`/nodes/${encodeURIComponent(name)}`} className="link">
                          {name}
                        </Link>
                        {isObfuscated && (
                          <span className="block text-sm font-normal text-quiet-ink">AmneziaWG</span>
                        )}
                      </>
                    ),
                  },
                  { header: 'Status', cell: ({ state }) => <NodeBadge state={state} /> },
                  { header: 'Time zone', cell: ({ timeZone }) => timeZone ?? 'not set' },
                  { header: 'Peers', isNumber: true, cell: ({ peers }) => countText(peers) },
                  {
                    header: 'Connected, 24 h',
                    cell: ({ peersByHour, lastDay }) =>
                      lastDay ? (
                        <span className="inline-flex items-center gap-2">
                          <Sparkline
                            of="Connected by the hour"
                            values={peersByHour}
                            textOf={countText}
                            top={Math.max(1, ...rows.flatMap((row) => knownOf(row.peersByHour)))}
                          />
                          <span className="text-sm text-quiet-ink">most {countText(lastDay.peersMost)}</span>
                        </span>
                      ) : (
                        '–'
                      ),
                  },
                  {
                    header: 'Free addresses',
                    isNumber: true,
                    cell: ({ addresses: { free, size } }) => `${countText(free)} of ${countText(size)}`,
                  },
                  {
                    header: 'Lag',
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
                    header: 'Last seen',
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
