import type { Connection } from '@hedgerow/contract/connections'
import { formatLocalTime } from '@hedgerow/domain/dates'
import { Ticket } from '@hedgerow/ui/ticket.tsx'
import { useId } from 'react'
import { Link } from 'wouter'
import { AddToDevice } from '#features/connections/add-to-device.tsx'
import { ConnectionActions } from '#features/connections/connection-actions.tsx'
import { Stub } from '#features/connections/connection-code.tsx'
import { type App, appOf } from '#features/connections/connection-config.ts'
import { useHandheld } from '#features/connections/handheld.ts'
import { isKeyMissing } from '#features/connections/own-key.ts'
import { OwnKeyNotice } from '#features/connections/own-key-notice.tsx'
import { RenameForm } from '#features/connections/rename-form.tsx'
import { Unreadable } from '#features/connections/unreadable.tsx'
import { useSession } from '#shared/session.tsx'

const worksUntil = ({ expirationDate }: Connection): string =>
  expirationDate === null ? 'It never expires' : `It works until ${formatLocalTime(new Date(expirationDate))}`

const StepsAtDesk = ({ app }: { app: App }) => (
  <ol className="max-w-measure list-decimal space-y-2 pl-6">
    <li>
      {`Install ${app} on the device. `}
      <Link to={app === 'WireGuard' ? '/clients' : '/manual/amneziawg'} className="link">
        Where to get it
      </Link>
    </li>
    <li>
      Add the connection. Scan the code with a phone, or download the file and import it on this computer.
    </li>
    <li>Turn it on.</li>
  </ol>
)

/** What was just bought: until when it works, where it is, and what to do with it here. */
export const BoughtTicket = ({ connection }: { connection: Connection }) => {
  const headingId = useId()
  const device = useHandheld()
  const { profile } = useSession()
  const code = { config: connection, newCode: undefined }
  const hasNoKey = connection.isUnreadable === true || isKeyMissing(connection)
  const steps = device ? (
    <AddToDevice config={connection} device={device} isFirst describedBy={headingId} />
  ) : (
    <StepsAtDesk app={appOf(connection)} />
  )
  return (
    <Ticket
      stub={<Stub {...code} hasNoKey={hasNoKey} isOnDevice={device !== undefined} />}
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
        ) : isKeyMissing(connection) ? (
          <OwnKeyNotice config={connection} newCode={undefined} />
        ) : connection.status === 'never-connected' && profile ? (
          <div className="space-y-6">
            {steps}
            <div>
              <ConnectionActions
                connection={connection}
                config={connection}
                isExpired={false}
                isMainDownload={!device}
                email={profile.email}
                describedBy={headingId}
              />
            </div>
            <RenameForm connection={connection} />
          </div>
        ) : (
          <p>Its keys stay the same. If it is already on your device, there is nothing to do.</p>
        )}
      </div>
    </Ticket>
  )
}
