import type { Connection } from '@hedgerow/contract/connections'
import { Badge } from '@hedgerow/ui/badge.tsx'
import { ChevronDown } from '@hedgerow/ui/icons.tsx'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { expiryLine } from '#features/connections/expiry-line.ts'
import { isOver } from '#features/connections/is-over.ts'

type FoldProps = { connection: Connection; now: Date; onPress: () => void }

const Fold = ({ connection, now, onPress }: FoldProps) => {
  const { name, expirationDate } = connection
  const expiresAt = expirationDate === null ? null : new Date(expirationDate)
  const isExpired = isOver(connection, now)
  return (
    <article className="relative flex items-center gap-4 rounded-card border border-line bg-surface px-5 py-4 hover:border-hedge sm:px-6">
      <div className="min-w-0 flex-1">
        <h3 className="text-xl wrap-anywhere">
          <button
            type="button"
            aria-expanded="false"
            className="text-left after:absolute after:inset-0"
            onClick={onPress}
          >
            {name}
          </button>
        </h3>
        <p className="text-quiet-ink tabular-nums">{expiryLine(expiresAt, isExpired)}</p>
      </div>
      {isExpired && <Badge tone="bad">Expired</Badge>}
      <ChevronDown className="size-5 shrink-0 text-hedge" />
    </article>
  )
}

type FoldedTicketProps = {
  connection: Connection
  now: Date
  /** From the start. */
  isOpen: boolean
  children: ReactNode
}

/** The connection's name, which unfolds its ticket; a line among many others until then. */
export const FoldedTicket = ({ connection, now, isOpen, children }: FoldedTicketProps) => {
  const [isUnfolded, setIsUnfolded] = useState(false)
  const ticket = useRef<HTMLDivElement>(null)
  // What was pressed is gone.
  useEffect(() => {
    if (isUnfolded) ticket.current?.focus()
  }, [isUnfolded])
  if (!isOpen && !isUnfolded)
    return <Fold connection={connection} now={now} onPress={() => setIsUnfolded(true)} />
  return (
    <div ref={ticket} tabIndex={-1}>
      {children}
    </div>
  )
}
