import * as nodes from '@hedgerow/contract/console/nodes'
import { isOpenUpgrade } from '@hedgerow/domain/node-upgrades'
import { Button } from '@hedgerow/ui/button.tsx'
import { Dialog } from '@hedgerow/ui/dialog.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useRef, useState } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import { api, type ReplyOf } from '#lib/api.ts'
import { counted, countText } from '#lib/format.ts'
import { Enrolment, NEEDS_AMNEZIAWG } from '#pages/nodes/enrolment.tsx'
import { NodeHistory } from '#pages/nodes/node-history.tsx'
import { type Node, NodeBadge, UpgradeBadge, VersionBadge } from '#pages/nodes/node-words.tsx'
import { Act } from '#shared/act.tsx'
import { CallAct } from '#shared/call-act.tsx'
import { Facts } from '#shared/facts.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { Section } from '#shared/section.tsx'
import { useMay } from '#shared/session.tsx'
import { Time } from '#shared/time.tsx'
import { useData, useRefresh } from '#shared/use-data.ts'

const REFRESHED = ['getConsoleNode', 'listConsoleNodes', 'getToday'] as const

/** Empties a node, some connections at a time, until none is left, none finds room, or it is stopped. */
const MoveAll = ({ node: { name } }: { node: Node }) => {
  /** Undefined: none is under way. */
  const [progress, setProgress] = useState<string>()
  const isStopped = useRef(false)
  const toast = useToast()
  const refresh = useRefresh()
  const may = useMay()
  const run = async () => {
    isStopped.current = false
    let sum = 0
    setProgress('Moving connections …')
    try {
      for (;;) {
        const answer = await api.call('clearConsoleNode', { params: { name } })
        sum += answer.moved
        setProgress(`${countText(sum)} moved, ${countText(answer.left)} left …`)
        if (answer.left === 0 || isStopped.current || answer.moved === 0) {
          toast(
            answer.left === 0
              ? `${sum} moved. The old keys work here until the new ones are used.`
              : `${sum} moved, ${answer.left} left${answer.noRoom > 0 ? ': there is no room elsewhere' : ''}`,
          )
          break
        }
      }
    } catch (error) {
      toast(messageOf(error))
    } finally {
      setProgress(undefined)
      await refresh(...REFRESHED)
    }
  }
  if (!may('nodes.remove')) return null
  if (progress !== undefined)
    return (
      <span role="status" className="inline-flex items-center gap-3">
        {progress}
        <Button variant="outline" onClick={() => (isStopped.current = true)}>
          Stop
        </Button>
      </span>
    )
  return (
    <Act
      label="Move connections"
      title={`Move all connections on ${name} to other nodes?`}
      may="nodes.remove"
      tone="quiet"
      verb="Move connections"
      run={async () => {
        void run()
      }}
    >
      <p>
        They get new keys there, which their customers have to import. Each customer gets an email. The old
        keys work here until the new ones are used, for a day at most. You can stop at any time.
      </p>
    </Act>
  )
}

const UpgradeAct = ({ node: { name, upgrade } }: { node: Node }) => {
  const isOpen = upgrade !== null && isOpenUpgrade(upgrade.state)
  return (
    <Act
      label={isOpen ? 'Stop upgrade' : 'Upgrade'}
      title={isOpen ? `Stop the upgrade of ${name}?` : `Upgrade ${name}`}
      may="nodes.change"
      tone="quiet"
      verb={isOpen ? 'Stop upgrade' : 'Upgrade'}
      refreshes={REFRESHED}
      fields={
        isOpen
          ? []
          : [
              {
                name: 'to',
                label: 'To',
                kind: 'choice',
                first: 'newest',
                options: [
                  ['newest', 'Newest stored version'],
                  ['former', 'The version it ran before'],
                ],
              },
            ]
      }
      run={({ to }) =>
        api.call('upgradeConsoleNode', {
          params: { name },
          body: { to: isOpen ? 'stop' : to === 'former' ? 'former' : 'newest' },
        })
      }
      done={isOpen ? 'Stopped' : 'The upgrade is in the queue'}
    >
      <p>
        {isOpen ? 'An installation that has begun will finish. ' : ''}
        Customers stay connected. If the new version does not work within two minutes, the node goes back to
        the one before. To store archives, run ops node upgrade on the shop’s server.
      </p>
    </Act>
  )
}

const Acts = ({ node, onLink }: { node: Node; onLink: (enrolment: ReplyOf<'addConsoleNode'>) => void }) => {
  const [, navigate] = useLocation()
  const { name, isOpen, connections, peers, timeZone, exits, agent } = node
  const params = { name }
  const shared = { params, refreshes: REFRESHED }
  return (
    <>
      {isOpen ? (
        <CallAct
          {...shared}
          call="drainConsoleNode"
          endpoint={nodes.drainConsoleNode}
          label="Drain"
          tone="outline"
          verb="Drain"
        />
      ) : (
        <CallAct
          {...shared}
          call="openConsoleNode"
          endpoint={nodes.openConsoleNode}
          label="Open"
          tone="outline"
          verb="Open"
        />
      )}
      {!isOpen && connections > 0 && <MoveAll node={node} />}
      <CallAct
        {...shared}
        call="placeConsoleNode"
        endpoint={nodes.placeConsoleNode}
        label="Set time zone"
        verb="Save"
        first={{ timeZone: timeZone ?? '' }}
      />
      <CallAct
        {...shared}
        call="exitsOfConsoleNode"
        endpoint={nodes.exitsOfConsoleNode}
        label="Exit addresses"
        verb="Save"
        first={{ addresses: exits.join('\n') }}
      />
      {agent.takesUpgrades && <UpgradeAct node={node} />}
      <CallAct
        {...shared}
        call="changeConsoleNode"
        endpoint={nodes.changeConsoleNode}
        label="Endpoint and MTU"
        verb="Save"
        says={({ effects }: ReplyOf<'changeConsoleNode'>) => effects.join(' ')}
      />
      <CallAct
        {...shared}
        call="resyncConsoleNode"
        endpoint={nodes.resyncConsoleNode}
        label="Resync"
        verb="Resync"
      />
      <CallAct
        {...shared}
        call="tokenOfConsoleNode"
        endpoint={nodes.tokenOfConsoleNode}
        label="New token"
        verb="Create"
        onDone={onLink}
      />
      <Act
        refreshes={REFRESHED}
        label="Remove"
        title={`Remove ${name}?`}
        may="nodes.remove"
        tone="danger"
        verb="Remove"
        word={name}
        run={async () => {
          await api.call('removeConsoleNode', { params })
          navigate('/nodes')
        }}
        done={`${name} is removed`}
      >
        <p>
          {connections > 0
            ? `It still has ${counted(connections, 'connection')}. Drain it and move them first.`
            : 'It has no connections. Its agent is refused from then on.'}
          {connections === 0 &&
            peers > 0 &&
            ` ${counted(peers, 'old key')} that still ${peers === 1 ? 'works' : 'work'} here will stop at once.`}
        </p>
      </Act>
    </>
  )
}

/** Keys that were replaced still work until the new ones are used. */
const peersText = ({ peers, connections }: Node) =>
  peers > connections
    ? `${countText(peers)}, of which ${counted(peers - connections, 'old key')}`
    : countText(peers)

/** When it is empty, and what that takes. */
const drainedText = ({ peers, connections }: Node): string => {
  if (connections > 0)
    return `Its ${counted(connections, 'connection')} ${connections === 1 ? 'stays' : 'stay'} until ${connections === 1 ? 'it ends' : 'they end'}. To empty it now, press Move connections.`
  return peers > 0
    ? `It has no connections left. ${counted(peers, 'old key')} of moved connections still ${peers === 1 ? 'works' : 'work'} here, for a day at most: remove it once there are none, and nobody is cut off.`
    : 'It is empty. You can remove it.'
}

const NodePage = () => {
  const { name = '' } = useParams<{ name: string }>()
  const node = useData('getConsoleNode', { params: { name } }, { live: { kinds: ['node'] }, everyMs: 15_000 })
  const [enrolment, setEnrolment] = useState<ReplyOf<'addConsoleNode'>>()
  return (
    <Page
      title={
        <span className="inline-flex flex-wrap items-center gap-3">
          {name} {node.data && <NodeBadge state={node.data.state} />}
        </span>
      }
      name={name}
      up={{ to: '/nodes', label: 'Nodes' }}
      actions={node.data && <Acts node={node.data} onLink={setEnrolment} />}
    >
      <Loaded query={node}>
        {(data) => (
          <div className="space-y-6">
            {data.state === 'down' && (
              <Notice kind="problem" title="The node does not answer">
                Its agent was last seen <Time at={data.seenAt} as="ago" none="never" />. Connections on it may
                still work, but no change reaches it. The log of the agent’s service on its server says why.
              </Notice>
            )}
            {data.faults.length > 0 && data.state !== 'down' && (
              <Notice kind="problem" title="Part of the service does not work">
                <ul className="list-disc pl-5">
                  {data.faults.map((fault) => (
                    <li key={fault}>{fault}</li>
                  ))}
                </ul>
                Nothing new is sold here until the agent reports that everything works.
              </Notice>
            )}
            {data.state === 'awaiting' && (
              <Notice kind="info" title="Waiting for the agent">
                Run the line that was shown when you added the node on its server, as root. If you no longer
                have it, press New token.
                {data.isObfuscated && ` ${NEEDS_AMNEZIAWG}`}
              </Notice>
            )}
            {data.state === 'drained' && (
              <Notice kind="info" title="This node gets no new connections">
                {drainedText(data)} To sell it again, press Open.
              </Notice>
            )}
            {data.fromOutside && <Notice kind="warning">{data.fromOutside}</Notice>}
            {data.lag > 0 && !data.isDemonstration && (
              <Notice kind="warning">The agent has {counted(data.lag, 'change')} still to apply.</Notice>
            )}
            {!data.isDemonstration && data.state !== 'awaiting' && (
              <NodeHistory name={name} since={data.createdAt} />
            )}
            <Section title="Details">
              <Facts
                facts={[
                  ['Time zone', data.timeZone ?? 'not set'],
                  ['Layer', data.layer],
                  ['Endpoint', data.endpoint],
                  ['Old ports', data.oldPorts.join(', ')],
                  [
                    'Second port',
                    data.secondPort &&
                      `${data.secondPort.port}${data.secondPort.answers || data.state === 'awaiting' ? '' : ' (does not answer)'}`,
                  ],
                  [
                    'Protocol',
                    data.isObfuscated ? 'AmneziaWG 2.0, for networks that block WireGuard' : 'WireGuard',
                  ],
                  ['MTU', data.mtu ?? 'automatic, from its uplink'],
                  [
                    'Connections',
                    <Link key="c" to={`/connections?node=${encodeURIComponent(name)}`} className="link">
                      {countText(data.connections)}
                    </Link>,
                  ],
                  ['Peers', peersText(data)],
                  [
                    'Free addresses',
                    `${countText(data.addresses.free)} of ${countText(data.addresses.size)} free, ${countText(data.addresses.resting)} resting`,
                  ],
                  ['Pools', `${data.ipv4}, ${data.ipv6}`],
                  [
                    'Block lists',
                    data.lists &&
                      Object.entries(data.lists)
                        .map(
                          ([list, names]) =>
                            `${list} ${names === 0 ? 'empty' : countText(names)}${data.oldLists.includes(list) ? ' (not updated for weeks)' : ''}`,
                        )
                        .join(', '),
                  ],
                  ['Exit addresses', data.exits.join(', ')],
                  [
                    'Version',
                    data.agent.version !== null && <VersionBadge key="v" agent={data.agent} upgrade={null} />,
                  ],
                  [
                    'Upgrade',
                    data.upgrade && (
                      <span key="u" className="inline-flex flex-wrap items-center gap-2">
                        <UpgradeBadge state={data.upgrade.state} />{' '}
                        {data.upgrade.version ?? 'its former version'}
                        {data.upgrade.reason && `: ${data.upgrade.reason}`}{' '}
                        <Time at={data.upgrade.at} as="ago" />
                      </span>
                    ),
                  ],
                  [
                    'Last seen',
                    !data.isDemonstration && <Time key="h" at={data.seenAt} as="ago" none="never" />,
                  ],
                  ['Token works until', data.tokenExpiresAt && <Time key="t" at={data.tokenExpiresAt} />],
                  ['Added', <Time key="a" at={data.createdAt} />],
                ]}
              />
            </Section>
          </div>
        )}
      </Loaded>
      <Dialog
        open={enrolment !== undefined}
        onClose={() => setEnrolment(undefined)}
        title={`Install ${name}`}
      >
        {enrolment && <Enrolment enrolment={enrolment} />}
      </Dialog>
    </Page>
  )
}

export default NodePage
