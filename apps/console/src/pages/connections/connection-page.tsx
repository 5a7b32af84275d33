import {
  assignConsoleConnection,
  expireConsoleConnection,
  mailConsoleConnection,
  moveConsoleConnection,
  rekeyConsoleConnection,
  revokeConsoleConnection,
} from '@hedgerow/contract/console/connections'
import { formatDate, londonDayBegins } from '@hedgerow/domain/dates'
import { Link, useParams } from 'wouter'
import type { ReplyOf } from '#lib/api.ts'
import { counted } from '#lib/format.ts'
import { CallAct } from '#shared/call-act.tsx'
import { ConnectionBadge } from '#shared/connection-words.tsx'
import { Facts } from '#shared/facts.tsx'
import { GiveDaysAct } from '#shared/give-days-act.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { Section } from '#shared/section.tsx'
import { useMay } from '#shared/session.tsx'
import { Time } from '#shared/time.tsx'
import { Timeline } from '#shared/timeline.tsx'
import { useData } from '#shared/use-data.ts'

type Report = ReplyOf<'getConsoleConnection'>

const REFRESHED = ['getConsoleConnection', 'listConsoleConnections', 'getCustomer'] as const

const renewalText = ({ everyDays, nextOn }: NonNullable<Report['keyRenewal']>): string =>
  `every ${everyDays} days, ${nextOn === null ? 'next when the device has the last ones' : `next on ${formatDate(londonDayBegins(nextOn))}`}`

/** Nodes that take new connections, but for the one that it is on. */
const useOtherNodes = (mine: string | null) => {
  const may = useMay()
  const nodes = useData('listConsoleNodes', {}, { isEnabled: may('connections.change') })
  return (nodes.data ?? [])
    .filter(({ name, isOpen }) => isOpen && name !== mine)
    .map(({ name }) => [name, name] as const)
}

const Acts = ({ connection }: { connection: Report }) => {
  const { id, status, node, hasOwnKey } = connection
  const nodes = useOtherNodes(node)
  const act = { params: { connectionId: id }, refreshes: REFRESHED }
  const isThere = status !== 'cut-off'
  const lives = isThere && status !== 'expired'
  return (
    <>
      {connection.paymentId === null && connection.customerId === null && (
        <CallAct
          call="assignConsoleConnection"
          endpoint={assignConsoleConnection}
          label="Set the account"
          {...act}
        />
      )}
      {isThere && <GiveDaysAct connection={connection} />}
      {lives && (
        <>
          {!hasOwnKey && (
            <CallAct
              call="mailConsoleConnection"
              endpoint={mailConsoleConnection}
              label="Email it again"
              {...act}
            />
          )}
          <CallAct
            call="moveConsoleConnection"
            endpoint={moveConsoleConnection}
            label="Move"
            choices={{ to: nodes }}
            {...act}
          />
          {!hasOwnKey && (
            <CallAct
              call="rekeyConsoleConnection"
              endpoint={rekeyConsoleConnection}
              label="New keys"
              verb="Make new keys"
              {...act}
            />
          )}
          <CallAct call="expireConsoleConnection" endpoint={expireConsoleConnection} label="End" {...act} />
        </>
      )}
      {isThere && (
        <CallAct
          call="revokeConsoleConnection"
          endpoint={revokeConsoleConnection}
          label="Revoke"
          tone="danger"
          {...act}
        />
      )}
    </>
  )
}

const featureText = ({ name, isOn }: Report['features'][number]) =>
  isOn === null ? name : `${name} (${isOn ? 'on' : 'off'})`

const momentsOf = (report: Report) => [
  { at: report.createdAt, what: 'Created', tone: 'good' as const },
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
  ...report.given.map(({ at, days, reason, by, newEnd }) => ({
    at,
    what: `${counted(days, 'day')} given by ${by ?? 'an operator'}`,
    more: (
      <>
        {reason}, until <Time at={newEnd} as="day" />
      </>
    ),
    tone: 'good' as const,
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
            <Section title="Details">
              <Facts
                facts={[
                  ['Status', <ConnectionBadge key="s" status={report.status} />],
                  ['Ends', <Time key="e" at={report.expiresAt} none="never" />],
                  [
                    'Node',
                    report.isNodeRemoved ? (
                      `${report.node}, since removed`
                    ) : (
                      <Link key="n" to={`/nodes/${encodeURIComponent(report.node)}`} className="link">
                        {report.node}
                      </Link>
                    ),
                  ],
                  [
                    'Keys',
                    report.hasOwnKey
                      ? 'only its customer has the private one: there is no file to mail, and only they can make new ones'
                      : report.isUnreadable && 'cannot be opened: make new ones',
                  ],
                  [
                    'Devices',
                    report.isUsedTwice &&
                      'two seem to use it at once, and cut each other off: advise a connection for each device, or new keys on one device only',
                  ],
                  ['Addresses', `${report.addresses.ipv4}, ${report.addresses.ipv6}`],
                  ['Bought', report.features.map(featureText).join(', ') || 'no options'],
                  [
                    'Customer',
                    report.customerId ? (
                      <Link key="c" to={`/customers/${report.customerId}`} className="link">
                        The account
                      </Link>
                    ) : report.paymentId ? (
                      'erased account'
                    ) : (
                      'none yet'
                    ),
                  ],
                  [
                    'Payment',
                    report.paymentId ? (
                      <Link key="p" to={`/payments/${report.paymentId}`} className="link">
                        The payment that made it
                      </Link>
                    ) : (
                      'none: it was brought from another panel'
                    ),
                  ],
                  ['Older keys work until', report.oldKeysUntil && <Time key="o" at={report.oldKeysUntil} />],
                  ['Keys renewed', report.keyRenewal && renewalText(report.keyRenewal)],
                  ['Keys last renewed', report.keysRenewedAt && <Time key="k" at={report.keysRenewedAt} />],
                  [
                    'New keys',
                    report.areKeysWaiting &&
                      'wait for the device, whose old ones work until it has the new code or file',
                  ],
                  ['Shared by a link until', report.sharedUntil && <Time key="l" at={report.sharedUntil} />],
                  [
                    'Address of its file since',
                    report.fileAddressAt && <Time key="f" at={report.fileAddressAt} />,
                  ],
                  ['File last fetched', report.fileReadAt && <Time key="r" at={report.fileReadAt} />],
                  [
                    'Connection',
                    <span key="i" className="font-mono text-sm">
                      {report.id}
                    </span>,
                  ],
                ]}
              />
            </Section>
            <Section title="Timeline">
              <Timeline moments={momentsOf(report)} />
            </Section>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

export default ConnectionPage
