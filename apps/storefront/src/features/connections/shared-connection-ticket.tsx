import type { SharedConnection } from '@hedgerow/contract/connections'
import { isActive } from '@hedgerow/domain/connections'
import { Link } from 'wouter'
import { downloadConfig } from '#features/connections/connection-config.ts'
import { ConnectionQr } from '#features/connections/connection-qr.tsx'
import { expiryLine } from '#features/connections/expiry-line.ts'
import { useNow } from '#features/connections/use-now.ts'
import { Button } from '#ui/button.tsx'
import { Notice } from '#ui/page/notice.tsx'
import { Ticket } from '#ui/ticket.tsx'

/** What a link shows of somebody's connection. */
export const SharedConnectionTicket = ({ sharedConnection }: { sharedConnection: SharedConnection }) => {
  const now = useNow()
  const { name, expirationDate, configuration } = sharedConnection
  const expiresAt = expirationDate === null ? null : new Date(expirationDate)
  if (!configuration || !isActive(expiresAt, now))
    return (
      <Notice kind="warning" title={`${name} has expired`}>
        {expiryLine(expiresAt, true)}. Ask whoever gave you the link to extend it.
      </Notice>
    )
  const config = { ...configuration, name }
  return (
    <Ticket stub={<ConnectionQr config={config} />}>
      <div className="flex h-full flex-col">
        <h2 className="text-xl break-words">{name}</h2>
        <p className="mt-2 tabular-nums">{expiryLine(expiresAt, false)}</p>
        <p className="mt-4 max-w-measure text-quiet-ink">
          Scan the code with the WireGuard app, or open the file on the device. Whoever has this link can do
          the same, so keep it to yourself.
        </p>
        <div className="mt-auto flex flex-wrap items-center gap-x-6 gap-y-3 pt-6">
          <Button onClick={() => downloadConfig(config)}>Download</Button>
          <Link to="/clients" className="link inline-flex min-h-11 items-center">
            How to connect
          </Link>
        </div>
      </div>
    </Ticket>
  )
}
