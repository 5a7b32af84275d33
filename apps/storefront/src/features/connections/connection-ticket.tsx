import type { Connection } from '@hedgerow/contract/connections'
import { formatLocalDay } from '@hedgerow/domain/dates'
import { Badge } from '@hedgerow/ui/badge.tsx'
import { ButtonLink } from '@hedgerow/ui/button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Ring } from '@hedgerow/ui/ring.tsx'
import { Ticket } from '@hedgerow/ui/ticket.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useId, useState } from 'react'
import { AddToDevice } from '#features/connections/add-to-device.tsx'
import { BlockedNetworks } from '#features/connections/blocked-networks.tsx'
import { boughtDays } from '#features/connections/bought-days.ts'
import { ConnectionActions } from '#features/connections/connection-actions.tsx'
import { Stub } from '#features/connections/connection-code.tsx'
import { appOf } from '#features/connections/connection-config.ts'
import { ConnectionFeatures } from '#features/connections/connection-features.tsx'
import { ConnectionStatus } from '#features/connections/connection-status.tsx'
import { expiryLine } from '#features/connections/expiry-line.ts'
import { FileFormChoice } from '#features/connections/file-form-choice.tsx'
import { useHandheld } from '#features/connections/handheld.ts'
import { isOver } from '#features/connections/is-over.ts'
import { ManageDisclosure } from '#features/connections/manage-disclosure.tsx'
import { isKeyMissing, useHeldKey } from '#features/connections/own-key.ts'
import { OwnKeyNotice } from '#features/connections/own-key-notice.tsx'
import { RenameForm } from '#features/connections/rename-form.tsx'
import type { OldCode } from '#features/connections/scan-again.tsx'
import { timeLeft } from '#features/connections/time-left.ts'
import { Unreadable } from '#features/connections/unreadable.tsx'
import { useFileForm } from '#features/connections/use-file-form.ts'

type ConnectionTicketProps = {
  connection: Connection
  email: string
  now: Date
  /** The one that is to be set up next. */
  isFirst: boolean
  /** It is time, and there is a button: for several together, or the ticket's own, which leads here. */
  isRenewing: boolean
  renewPath: string | undefined
  onCancel: (paymentIds: readonly string[]) => void
}

export const ConnectionTicket = (props: ConnectionTicketProps) => {
  const { email, now, isFirst, isRenewing, renewPath, onCancel } = props
  const { shown: connection, isHeld, hold, onSaved } = useHeldKey(props.connection)
  const headingId = useId()
  const device = useHandheld()
  /** How often the code has changed while the ticket was looked at, and what became of the one before. */
  const [newCode, setNewCode] = useState<{ count: number; old: OldCode }>()
  const { forms, choose, problem } = useFileForm(connection)
  const config = { ...connection, fileForm: forms }
  const expiresAt = connection.expirationDate === null ? null : new Date(connection.expirationDate)
  const isExpired = isOver(connection, now)
  const isMissing = isKeyMissing(connection)
  const hasNoKey = connection.isUnreadable === true || isMissing
  const isUnused = connection.status === 'never-connected' && !isExpired
  const { fraction, words } = timeLeft(expiresAt, boughtDays(connection), now)
  const code = { config, newCode: isExpired ? undefined : newCode, isExpired }
  return (
    <Ticket
      expired={isExpired}
      stamp="Expired"
      stub={<Stub {...code} hasNoKey={hasNoKey} isOnDevice={device !== undefined} />}
      isStubLast={device !== undefined}
    >
      <div className="flex h-full flex-col">
        <div className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1.5">
          <h3 id={headingId} className="min-w-0 text-xl wrap-anywhere">
            {connection.name}
          </h3>
          {!isExpired && (
            <ConnectionStatus
              status={connection.status}
              hasSteps={device !== undefined || appOf(config) === 'AmneziaWG'}
            />
          )}
          {isExpired && device && <Badge tone="bad">Expired</Badge>}
        </div>
        {!isExpired && !connection.isUnreadable && (
          <BlockedNetworks config={config} isOffered={connection.isLongUnused === true} onUse={choose} />
        )}
        <div className="mt-1 grid gap-x-8 gap-y-4 lg:grid-cols-[auto_1fr]">
          <div>
            <p className="tabular-nums">{expiryLine(expiresAt, isExpired)}</p>
            <p className="text-quiet-ink">{`Location: ${connection.location.name}`}</p>
            {connection.givenDays?.slice(0, 3).map(({ days, at }) => (
              <p key={at} className="text-quiet-ink">
                {`${days === 1 ? '1 day' : `${days} days`} added by us on ${formatLocalDay(new Date(at))}, free of charge`}
              </p>
            ))}
            {!isExpired && (
              <p className="mt-4 flex items-center gap-3">
                <span aria-hidden="true">
                  <Ring fraction={fraction} label={words} />
                </span>
                <span>{words}</span>
              </p>
            )}
          </div>
          {device && !isExpired && !hasNoKey && (
            <AddToDevice
              config={config}
              device={device}
              onSaved={onSaved}
              isFirst={isFirst}
              describedBy={headingId}
            />
          )}
          <div className={device ? 'lg:col-span-2' : ''}>
            <ConnectionFeatures connection={connection} isExpired={isExpired} labelledBy={headingId} />
          </div>
        </div>
        {connection.insteadOf && !isExpired && (
          <p className="mt-4 wrap-anywhere text-quiet-ink">
            {`${connection.insteadOf} was full, so this one is in ${connection.location.name}. You can move it at any time, free of charge.`}
          </p>
        )}
        {connection.isUsedTwice && !isExpired && (
          <Notice kind="warning" className="mt-4" title="Two devices seem to use this connection at once">
            Each cuts the other off. Use one connection for each device, or make new keys under “Manage” and
            scan the new code on one device only.
          </Notice>
        )}
        {connection.areKeysWaiting && !isExpired && (
          <Notice kind="info" className="mt-4" title="This code has new keys">
            Scan it on your device, or import the new file there. The old ones work until you do.
          </Notice>
        )}
        {connection.isUnreadable && !isExpired && <Unreadable name={connection.name} />}
        {isHeld && !isExpired && (
          <Notice kind="warning" className="mt-4" title="Save the file now: we cannot show it again">
            Its private key is on this page and nowhere else. When you leave the page, the key is gone.
          </Notice>
        )}
        {isMissing && !isExpired && <OwnKeyNotice config={config} newCode={newCode} />}
        <div className="mt-auto pt-6">
          {renewPath && (
            <ButtonLink to={renewPath} aria-describedby={headingId} className="mb-3 w-full sm:w-auto">
              Renew
            </ButtonLink>
          )}
          <ConnectionActions
            connection={connection}
            config={config}
            isExpired={isExpired}
            onSaved={onSaved}
            isMainDownload={(isFirst || isHeld) && !device}
            email={email}
            describedBy={headingId}
          >
            <ButtonLink
              to={connection.isRenewable ? `/products?renew=${connection._id}` : '/products'}
              variant={isExpired && !isRenewing ? 'solid' : 'quiet'}
            >
              Buy more
            </ButtonLink>
          </ConnectionActions>
          {!isExpired && !connection.isUnreadable && (
            <FileFormChoice forms={forms} onChange={choose} tunnel={connection} name={connection.name} />
          )}
          {problem && (
            <Notice kind="problem" title="The choice was not kept" className="mt-2">
              {messageOf(problem)} Download uses it, an email does not.
            </Notice>
          )}
        </div>
        {isUnused && (
          <div className="mt-6">
            <RenameForm connection={connection} />
          </div>
        )}
        {(!isExpired || connection.cancellable) && (
          <ManageDisclosure
            connection={connection}
            isExpired={isExpired}
            onCancel={onCancel}
            onNewCode={(old, held) => {
              if (held || !isHeld) hold(held)
              setNewCode((last) => ({ count: (last?.count ?? 0) + 1, old }))
            }}
            describedBy={headingId}
          />
        )}
      </div>
    </Ticket>
  )
}
