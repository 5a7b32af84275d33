import { Button } from '@hedgerow/ui/button.tsx'
import { ChevronDown, EyeOff, KeyRound } from '@hedgerow/ui/icons.tsx'
import { useState } from 'react'
import { appOf, isForRouterOs, type NamedConfig } from '#features/connections/connection-config.ts'
import { ConnectionQr } from '#features/connections/connection-qr.tsx'
import { useHiddenCodes } from '#features/connections/hidden-codes.ts'
import { type OldCode, ScanAgain } from '#features/connections/scan-again.tsx'

type CodeProps = {
  config: NamedConfig
  /** How often the code has changed while the ticket was looked at, and what became of the one before. */
  newCode: { count: number; old: OldCode } | undefined
  /** There is nothing to scan any more. */
  isExpired?: boolean
}

const Code = ({ config, newCode }: CodeProps) => (
  <div className="grid justify-items-center gap-4">
    {newCode && <ScanAgain key={newCode.count} old={newCode.old} />}
    <ConnectionQr config={config} />
  </div>
)

/** Beside the ticket; it waits to be asked for where the customer wants that. A new code is one to be scanned at once. */
const CodeInView = ({ config, newCode, isExpired = false }: CodeProps) => {
  const [isHidden] = useHiddenCodes()
  const [isAskedFor, setIsAskedFor] = useState(false)
  if (!isHidden || isAskedFor || newCode) return <Code config={config} newCode={newCode} />
  return (
    <div
      // The room of the code (250 px) and of its white border.
      className="grid size-70.5 max-w-full place-content-center justify-items-center gap-4 rounded-field border border-dashed border-outline"
    >
      <EyeOff className="size-8 text-quiet-ink" />
      {!isExpired && (
        <Button variant="outline" onClick={() => setIsAskedFor(true)}>
          Show <span className="sr-only">{`the QR code of ${config.name}`}</span>
        </Button>
      )}
    </div>
  )
}

/** Folded away on the device that would have to scan it. */
export const FoldedCode = ({ config, newCode, isExpired = false }: CodeProps) => {
  const [isOpen, setIsOpen] = useState(false)
  const isShown = isOpen || newCode !== undefined
  return (
    <details
      open={isShown}
      className="group w-full"
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary className="flex min-h-11 list-none items-center justify-between gap-2 font-semibold text-hedge hover:text-hedge-deep [&::-webkit-details-marker]:hidden">
        <span>{isExpired ? 'Its code' : 'For another device'}</span>
        <ChevronDown className="size-5 shrink-0 transition-transform group-open:rotate-180" />
      </summary>
      {isShown && (
        <div className="grid justify-items-center gap-3 pt-2">
          {!isExpired && !isForRouterOs(config) && (
            <p className="text-quiet-ink">{`Scan this code with the ${appOf(config)} app there.`}</p>
          )}
          <div className={isExpired ? 'opacity-30' : ''}>
            <Code config={config} newCode={newCode} />
          </div>
        </div>
      )}
    </details>
  )
}

/** The code of a ticket; nothing where there is no key to put in it. */
export const Stub = ({
  hasNoKey,
  isOnDevice,
  ...code
}: CodeProps & { hasNoKey: boolean; isOnDevice: boolean }) => {
  if (hasNoKey)
    return (
      <div className="grid size-70.5 max-w-full place-content-center justify-items-center gap-3 rounded-field border border-dashed border-outline p-6 text-center">
        <KeyRound className="size-8 text-quiet-ink" />
        <p className="text-quiet-ink">Its code cannot be shown.</p>
      </div>
    )
  return isOnDevice ? <FoldedCode {...code} /> : <CodeInView {...code} />
}
