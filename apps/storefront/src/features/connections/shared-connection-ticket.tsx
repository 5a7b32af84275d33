import type { SharedConnection } from '@hedgerow/contract/connections'
import { isActive } from '@hedgerow/domain/connections'
import { formatLocalTime } from '@hedgerow/domain/dates'
import type { FileForm } from '@hedgerow/domain/file-form'
import { Button } from '@hedgerow/ui/button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Ticket } from '@hedgerow/ui/ticket.tsx'
import { useId, useState } from 'react'
import { Link } from 'wouter'
import { AddToDevice } from '#features/connections/add-to-device.tsx'
import { BlockedNetworks } from '#features/connections/blocked-networks.tsx'
import { FoldedCode } from '#features/connections/connection-code.tsx'
import { appOf, downloadConfig, isForRouterOs } from '#features/connections/connection-config.ts'
import { ConnectionQr } from '#features/connections/connection-qr.tsx'
import { expiryLine } from '#features/connections/expiry-line.ts'
import { FileFormChoice } from '#features/connections/file-form-choice.tsx'
import { useHandheld } from '#features/connections/handheld.ts'
import { sharedUntilLine } from '#features/connections/shared-until.ts'
import { useNow } from '#features/connections/use-now.ts'

/** What a link shows of someone's connection. */
export const SharedConnectionTicket = ({ sharedConnection }: { sharedConnection: SharedConnection }) => {
  const now = useNow()
  const headingId = useId()
  const device = useHandheld()
  const [chosen, setChosen] = useState<readonly FileForm[]>()
  const { name, expirationDate, sharedUntil, configuration } = sharedConnection
  const linkEnds = new Date(sharedUntil)
  const expiresAt = expirationDate === null ? null : new Date(expirationDate)
  // It ran out while the page was open.
  if (!isActive(linkEnds, now))
    return (
      <Notice kind="problem" title="This link has ended">
        {`It worked until ${formatLocalTime(linkEnds)}. Ask the person who gave it to you for a new one.`}
      </Notice>
    )
  if (sharedConnection.isUnreadable)
    return (
      <Notice kind="problem" title={`${name} cannot be shown`}>
        Ask the person who gave you the link to make new keys, and for a new link.
      </Notice>
    )
  if (!configuration || !isActive(expiresAt, now))
    return (
      <Notice kind="warning" title={`${name} has expired`}>
        {`${expiryLine(expiresAt, true)}. Ask the person who gave you the link to extend it.`}
      </Notice>
    )
  const forms = chosen ?? configuration.fileForm ?? []
  const config = { ...configuration, fileForm: forms, name }
  return (
    <Ticket
      stub={device ? <FoldedCode config={config} newCode={undefined} /> : <ConnectionQr config={config} />}
      isStubLast={device !== undefined}
    >
      <div className="flex h-full flex-col">
        <h2 id={headingId} className="text-xl break-words">
          {name}
        </h2>
        <p className="mt-2 tabular-nums">{expiryLine(expiresAt, false)}</p>
        <p className="mt-4 max-w-measure text-quiet-ink">
          <span>
            {!device &&
              !isForRouterOs(config) &&
              `Scan the code with the ${appOf(config)} app, or open the file on the device. `}
          </span>
          Anyone with this link can use the connection, so keep it to yourself.
        </p>
        <BlockedNetworks config={config} isOffered={false} onUse={setChosen} />
        {device && (
          <div className="mt-5">
            <AddToDevice config={config} device={device} isFirst describedBy={headingId} />
          </div>
        )}
        <p className="mt-2 max-w-measure text-quiet-ink tabular-nums">
          {`The link ends ${sharedUntilLine(linkEnds, now)}. A device set up by then keeps the connection.`}
        </p>
        <FileFormChoice forms={forms} onChange={setChosen} tunnel={configuration} name={name} />
        <div className="mt-auto flex flex-wrap items-center gap-x-6 gap-y-3 pt-6">
          <Button variant={device ? 'outline' : 'solid'} onClick={() => downloadConfig(config)}>
            Download
          </Button>
          <Link to="/clients" className="link inline-flex min-h-11 items-center">
            How to connect
          </Link>
        </div>
      </div>
    </Ticket>
  )
}
