import type { Connection } from '@hedgerow/contract/connections'
import { isActive } from '@hedgerow/domain/connections'
import { formatDateTime } from '@hedgerow/domain/dates'
import { useId } from 'react'
import { ConnectionActions } from '#features/connections/connection-actions.tsx'
import { ConnectionQr } from '#features/connections/connection-qr.tsx'
import { timeLeft } from '#features/connections/time-left.ts'
import { Ring } from '#ui/ring.tsx'
import { Ticket } from '#ui/ticket.tsx'

type ConnectionTicketProps = { connection: Connection; email: string; now: Date }

const expiryLine = (expiresAt: Date | null, isExpired: boolean) =>
  expiresAt ? `${isExpired ? 'Expired' : 'Expires'}: ${formatDateTime(expiresAt)}` : 'Never expires'

export const ConnectionTicket = ({ connection, email, now }: ConnectionTicketProps) => {
  const headingId = useId()
  const expiresAt = connection.expirationDate === null ? null : new Date(connection.expirationDate)
  const isExpired = !isActive(expiresAt, now)
  const { fraction, words } = timeLeft(expiresAt, now)
  return (
    <Ticket expired={isExpired} stamp="Expired" stub={<ConnectionQr connection={connection} />}>
      <div className="flex h-full flex-col">
        <h3 id={headingId} className="text-xl break-words">
          {connection.name}
        </h3>
        <p className="mt-2 tabular-nums">{expiryLine(expiresAt, isExpired)}</p>
        {!isExpired && (
          <p className="mt-4 flex items-center gap-3">
            <span aria-hidden="true">
              <Ring fraction={fraction} label={words} />
            </span>
            {words}
          </p>
        )}
        <div className="mt-auto pt-6">
          <ConnectionActions
            connection={connection}
            isExpired={isExpired}
            email={email}
            describedBy={headingId}
          />
        </div>
      </div>
    </Ticket>
  )
}
