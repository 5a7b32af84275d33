import { addConsoleNode } from '@hedgerow/contract/console/nodes'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import type { ReplyOf } from '#lib/api.ts'
import { NodeBadge } from '#pages/nodes/node-words.tsx'
import { CallAct } from '#shared/call-act.tsx'
import { CopyLine } from '#shared/copy-line.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

export type Enrolled = ReplyOf<'addConsoleNode'>

export const AddNodeAct = ({ onAdded }: { onAdded: (added: Enrolled) => void }) => (
  <CallAct
    call="addConsoleNode"
    endpoint={addConsoleNode}
    label="Add a node"
    tone="solid"
    verb="Add node"
    first={{ ipv4: '10.8.0.0/16', ipv6: 'fd00:8::/64' }}
    onDone={onAdded}
    refreshes={['listConsoleNodes', 'getSetUp']}
  />
)

const ASKED_EVERY_MS = 3_000

/** Said of an obfuscated node, for whose program we ship nothing. */
export const NEEDS_AMNEZIAWG =
  'Before that, the server needs amneziawg-go, or the AmneziaWG kernel module with awg: without it the agent sets up nothing.'

const useAwaited = (name: string) =>
  useData('getConsoleNode', { params: { name } }, { live: { kinds: ['node'] }, everyMs: ASKED_EVERY_MS }).data

type EnrolmentProps = { enrolment: Enrolled }

/** The line that makes a server this node, and what comes before it. */
export const InstallLine = ({ enrolment: { name, install, start, expiresAt, warning } }: EnrolmentProps) => {
  const { endpoint, isObfuscated } = useAwaited(name) ?? {}
  return (
    <div className="space-y-4">
      {warning && <Notice kind="warning">{warning}</Notice>}
      <ol className="list-decimal space-y-3 pl-5">
        <li>
          Let UDP to {endpoint ?? 'its endpoint'} through the provider’s firewall.
          {isObfuscated && ` ${NEEDS_AMNEZIAWG}`}
        </li>
        <li>
          Copy the agent’s archive of this release to the server (its name ends in linux-x64.tar.gz or
          linux-arm64.tar.gz; it lies where install-shop.sh came from), unpack it with <code>tar -xzf</code>{' '}
          and go into its folder.
        </li>
        <li>
          Run this line there, as root. It is shown only once, and works until <Time at={expiresAt} />. For
          upgrades from here, write AGENT_RELEASE_KEY= and your public key in front of it.
        </li>
      </ol>
      <CopyLine text={install} of="the line" />
      <details>
        <summary className="min-h-11 py-2">Or from a checkout</summary>
        <p className="font-mono text-sm wrap-anywhere">{start}</p>
      </details>
    </div>
  )
}

/** That, and whether the server has come. */
export const Enrolment = ({ enrolment }: EnrolmentProps) => {
  const { name } = enrolment
  const state = useAwaited(name)?.state
  return (
    <div className="space-y-4">
      <InstallLine enrolment={enrolment} />
      <div role="status">
        {state === 'up' ? (
          <Notice kind="done" title={`${name} is up`}>
            It gets new connections from now on.
          </Notice>
        ) : (
          <Notice kind="info" title="Waiting for the agent">
            {state && <NodeBadge state={state} />} This page notices when the agent enrols. You can close it:
            the node’s page shows the same, and New token makes another line.
          </Notice>
        )}
      </div>
    </div>
  )
}
