import { CopyButton } from '@hedgerow/ui/copy-button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import type { ReplyOf } from '#lib/api.ts'
import { NodeBadge } from '#pages/nodes/node-words.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type EnrolmentProps = { enrolment: ReplyOf<'addConsoleNode'> }

const ASKED_EVERY_MS = 3_000

/** The line that makes a server this node, and whether it has come. */
export const Enrolment = ({ enrolment: { name, install, start, expiresAt, warning } }: EnrolmentProps) => {
  const node = useData(
    'getConsoleNode',
    { params: { name } },
    { live: { kinds: ['node'] }, everyMs: ASKED_EVERY_MS },
  )
  const isUp = node.data?.state === 'up'
  return (
    <div className="space-y-4">
      {warning && <Notice kind="warning">{warning}</Notice>}
      <p>
        On the server, where the agent’s archive is unpacked, run this as root. It is shown this once, and
        works until <Time at={expiresAt} />.
      </p>
      <p className="rounded-field border border-line bg-paper p-3 font-mono text-sm wrap-anywhere">
        {install}
      </p>
      <CopyButton text={install} of="the line" />
      <details>
        <summary className="min-h-11 py-2">From a checkout instead</summary>
        <p className="font-mono text-sm wrap-anywhere">{start}</p>
      </details>
      <div role="status">
        {isUp ? (
          <Notice kind="done" title={`${name} is up`}>
            It gets new connections from now on.
          </Notice>
        ) : (
          <Notice kind="info" title="Waiting for its agent">
            {node.data && <NodeBadge state={node.data.state} />} This changes by itself when it has enrolled.
          </Notice>
        )}
      </div>
    </div>
  )
}
