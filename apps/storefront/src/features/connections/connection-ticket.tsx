import type { Connection } from '@hedgerow/contract/connections'
import { useId, useState } from 'react'
import { ConnectionActions } from '#features/connections/connection-actions.tsx'
import { ConnectionFeatures } from '#features/connections/connection-features.tsx'
import { ConnectionQr } from '#features/connections/connection-qr.tsx'
import { ConnectionStatus } from '#features/connections/connection-status.tsx'
import { expiryLine } from '#features/connections/expiry-line.ts'
import { isOver } from '#features/connections/is-over.ts'
import { ManageDisclosure } from '#features/connections/manage-disclosure.tsx'
import { type OldCode, ScanAgain } from '#features/connections/scan-again.tsx'
import { timeLeft } from '#features/connections/time-left.ts'
import { Ring } from '#ui/ring.tsx'
import { Ticket } from '#ui/ticket.tsx'

type ConnectionTicketProps = {
  connection: Connection
  email: string
  now: Date
  onCancel: (paymentIds: readonly string[]) => void
}

export const ConnectionTicket = ({ connection, email, now, onCancel }: ConnectionTicketProps) => {
  const headingId = useId()
  /** How often the code has changed while the ticket was looked at, and what became of the one before. */
  const [newCode, setNewCode] = useState<{ count: number; old: OldCode }>()
  const expiresAt = connection.expirationDate === null ? null : new Date(connection.expirationDate)
  const isExpired = isOver(connection, now)
  const { fraction, words } = timeLeft(expiresAt, now)
  const stub = (
    <div className="grid justify-items-center gap-4">
      {newCode && !isExpired && <ScanAgain key={newCode.count} old={newCode.old} />}
      <ConnectionQr config={connection} />
    </div>
  )
  return (
    <Ticket expired={isExpired} stamp="Expired" stub={stub}>
      <div className="flex h-full flex-col">
        <div className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1.5">
          <h3 id={headingId} className="min-w-0 text-xl wrap-anywhere">
            {connection.name}
          </h3>
          {!isExpired && <ConnectionStatus status={connection.status} />}
        </div>
        <div className="mt-1 grid gap-x-8 gap-y-4 lg:grid-cols-[auto_1fr]">
          <div>
            <p className="tabular-nums">{expiryLine(expiresAt, isExpired)}</p>
            {!isExpired && (
              <p className="mt-4 flex items-center gap-3">
                <span aria-hidden="true">
                  <Ring fraction={fraction} label={words} />
                </span>
                {words}
              </p>
            )}
          </div>
          <ConnectionFeatures connection={connection} isExpired={isExpired} labelledBy={headingId} />
        </div>
        {connection.insteadOf && !isExpired && (
          <p className="mt-4 wrap-anywhere text-quiet-ink">
            {connection.insteadOf} had no room, so this one is in {connection.location.name}. You can move it
            at any time, at no charge.
          </p>
        )}
        <div className="mt-auto pt-6">
          <ConnectionActions
            connection={connection}
            isExpired={isExpired}
            email={email}
            describedBy={headingId}
            onCancel={onCancel}
          />
        </div>
        {(!isExpired || connection.sharedAt) && (
          <ManageDisclosure
            connection={connection}
            isExpired={isExpired}
            onNewCode={(old) => setNewCode((last) => ({ count: (last?.count ?? 0) + 1, old }))}
            describedBy={headingId}
          />
        )}
      </div>
    </Ticket>
  )
}
