import type { Connection } from '@hedgerow/contract/connections'
import { formatLocalTime } from '@hedgerow/domain/dates'
import { Button } from '@hedgerow/ui/button.tsx'
import { Ticket } from '@hedgerow/ui/ticket.tsx'
import { useId } from 'react'
import { Link } from 'wouter'
import { AddToDevice } from '#features/connections/add-to-device.tsx'
import { Stub } from '#features/connections/connection-code.tsx'
import { downloadConfig } from '#features/connections/connection-config.ts'
import { useHandheld } from '#features/connections/handheld.ts'
import { Unreadable } from '#features/connections/unreadable.tsx'

const worksUntil = ({ expirationDate }: Connection): string =>
  expirationDate === null ? 'It never expires' : `It works until ${formatLocalTime(new Date(expirationDate))}`

type StepsProps = { connection: Connection; describedBy: string }

const StepsAtDesk = ({ connection, describedBy }: StepsProps) => (
  <>
    <ol className="max-w-measure list-decimal space-y-2 pl-6">
      <li>
        Install WireGuard on the device.{' '}
        <Link to="/clients" className="link">
          Where to get it
        </Link>
      </li>
      <li>Add the connection. A phone scans the code; on this computer, download the file and import it.</li>
      <li>Turn it on.</li>
    </ol>
    <Button className="mt-5" aria-describedby={describedBy} onClick={() => downloadConfig(connection)}>
      Download
    </Button>
  </>
)

/** What was just bought: until when it works, where it is, and what to do with it here. */
export const BoughtTicket = ({ connection }: { connection: Connection }) => {
  const headingId = useId()
  const device = useHandheld()
  const code = { config: connection, newCode: undefined }
  const steps = device ? (
    <AddToDevice config={connection} device={device} isFirst describedBy={headingId} />
  ) : (
    <StepsAtDesk connection={connection} describedBy={headingId} />
  )
  return (
    <Ticket
      stub={<Stub {...code} isUnreadable={connection.isUnreadable} isOnDevice={device !== undefined} />}
      isStubLast={device !== undefined}
    >
      <h3 id={headingId} className="text-xl wrap-anywhere">
        {connection.name}
      </h3>
      <p className="mt-1 font-medium tabular-nums">{worksUntil(connection)}</p>
      <p className="text-quiet-ink">Location: {connection.location.name}</p>
      <div className="mt-5">
        {connection.isUnreadable ? (
          <Unreadable name={connection.name} />
        ) : connection.status === 'never-connected' ? (
          <>
            <p className="mb-3 font-semibold">Three steps and you are connected.</p>
            {steps}
          </>
        ) : (
          <p>Its keys stay the same. If it is already on your device, there is nothing to do.</p>
        )}
      </div>
    </Ticket>
  )
}
