import { Link, useParams } from 'wouter'
import { api, type ReplyOf } from '#lib/api.ts'
import { Act } from '#shared/act.tsx'
import { ConnectionBadge } from '#shared/connection-words.tsx'
import { Facts } from '#shared/facts.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { Section } from '#shared/section.tsx'
import { useMay } from '#shared/session.tsx'
import { Time } from '#shared/time.tsx'
import { Timeline } from '#shared/timeline.tsx'
import { useData } from '#shared/use-data.ts'

type Report = ReplyOf<'getConsoleConnection'>

const REFRESHED = ['getConsoleConnection', 'listConsoleConnections', 'getCustomer'] as const

/** Nodes that take new connections, but for the one that it is on. */
const useOtherNodes = (mine: string | null) => {
  const may = useMay()
  const nodes = useData('listConsoleNodes', {}, { isEnabled: may('connections.change') })
  return (nodes.data ?? [])
    .filter(({ name, isOpen }) => isOpen && name !== mine)
    .map(({ name }) => [name, name] as const)
}

const OLD_KEYS = [
  ['works', 'work until the new are used, a day at most'],
  ['cut-off', 'stop working at once'],
] as const

const Acts = ({ connection: { id, status, node } }: { connection: Report }) => {
  const nodes = useOtherNodes(node)
  const params = { connectionId: id }
  const shared = { may: 'connections.change', tone: 'quiet', refreshes: REFRESHED } as const
  const isThere = status !== 'cut-off'
  const lives = isThere && status !== 'expired'
  return (
    <>
      {lives && (
        <>
          <Act
            {...shared}
            label="Mail it again"
            title="Mail this connection to its owner again?"
            may="customers.help"
            run={() => api.call('mailConsoleConnection', { params })}
            done="The mail is on its way"
          />
          <Act
            {...shared}
            label="Move"
            title="Move it to which node?"
            verb="Move"
            fields={[{ name: 'to', label: 'Node', kind: 'choice', options: nodes }]}
            run={({ to = '' }) => api.call('moveConsoleConnection', { params, body: { to } })}
            done="Moved. The customer gets a mail."
          >
            <p>
              It gets new keys there, and the old ones stop working within a day. The customer gets a mail.
            </p>
          </Act>
          <Act
            {...shared}
            label="New keys"
            title="Give this connection new keys?"
            verb="Make new keys"
            fields={[{ name: 'old', label: 'The old keys', kind: 'choice', options: OLD_KEYS }]}
            run={({ old }) =>
              api.call('rekeyConsoleConnection', { params, body: { cutOffOld: old === 'cut-off' } })
            }
            done="New keys made. The customer gets a mail."
          >
            <p>The customer has to scan its code again. Any link to it ends.</p>
          </Act>
          <Act
            {...shared}
            label="End it"
            title="End this connection now?"
            verb="End it"
            run={() => api.call('expireConsoleConnection', { params })}
            done="Ended"
          >
            <p>Its devices see the page that says so, and the customer can extend it.</p>
          </Act>
        </>
      )}
      {isThere && (
        <Act
          {...shared}
          label="Revoke"
          title="Revoke this connection?"
          tone="danger"
          verb="Revoke"
          run={() => api.call('revokeConsoleConnection', { params })}
          done="Revoked"
        >
          <p>It is removed from its node at once, for good.</p>
        </Act>
      )}
    </>
  )
}

const featureText = ({ name, isOn }: Report['features'][number]) =>
  isOn === null ? name : `${name} (${isOn ? 'on' : 'off'})`

const momentsOf = (report: Report) => [
  { at: report.createdAt, what: 'Made', tone: 'good' as const },
  { at: report.keysMadeAt, what: 'Its keys were made' },
  ...report.renewals.map(({ at, days, newEnd, paymentId }) => ({
    at,
    what: `Extended by ${days} days`,
    more: (
      <Link to={`/payments/${paymentId}`} className="link">
        until <Time at={newEnd} as="day" />
      </Link>
    ),
  })),
  ...report.endedByHandAt.map((at) => ({ at, what: 'Ended by hand', tone: 'bad' as const })),
  ...report.cancelled.map(({ at }) => ({ at, what: 'Its payment was cancelled' })),
  ...(report.cutOffAt ? [{ at: report.cutOffAt, what: 'Removed from its node', tone: 'bad' as const }] : []),
]

const ConnectionPage = () => {
  const { id = '' } = useParams<{ id: string }>()
  const connection = useData(
    'getConsoleConnection',
    { params: { connectionId: id } },
    { live: { kinds: ['node', 'payment'] } },
  )
  return (
    <Page
      title={connection.data?.name ?? 'Connection'}
      name="Connection"
      up={{ to: '/connections', label: 'Connections' }}
      actions={connection.data && <Acts connection={connection.data} />}
    >
      <Loaded query={connection}>
        {(report) => (
          <div className="grid gap-6 lg:grid-cols-2">
            <Section title="What it is">
              <Facts
                facts={[
                  ['Status', <ConnectionBadge key="s" status={report.status} />],
                  ['Ends', <Time key="e" at={report.expiresAt} none="never" />],
                  [
                    'Node',
                    <Link key="n" to={`/nodes/${encodeURIComponent(report.node)}`} className="link">
                      {report.node}
                    </Link>,
                  ],
                  ['Keys', report.isUnreadable && 'cannot be opened: make new ones'],
                  ['Addresses', `${report.addresses.ipv4}, ${report.addresses.ipv6}`],
                  ['Bought', report.features.map(featureText).join(', ') || 'no options'],
                  [
                    'Customer',
                    report.customerId ? (
                      <Link key="c" to={`/customers/${report.customerId}`} className="link">
                        The account
                      </Link>
                    ) : (
                      'erased account'
                    ),
                  ],
                  [
                    'Payment',
                    <Link key="p" to={`/payments/${report.paymentId}`} className="link">
                      The payment that made it
                    </Link>,
                  ],
                  ['Older keys work until', report.oldKeysUntil && <Time key="o" at={report.oldKeysUntil} />],
                  ['Shared by a link until', report.sharedUntil && <Time key="l" at={report.sharedUntil} />],
                  [
                    'Connection',
                    <span key="i" className="font-mono text-sm">
                      {report.id}
                    </span>,
                  ],
                ]}
              />
            </Section>
            <Section title="What happened">
              <Timeline moments={momentsOf(report)} />
            </Section>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

export default ConnectionPage
