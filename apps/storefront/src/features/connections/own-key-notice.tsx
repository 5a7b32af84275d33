import { ChevronDown } from '@hedgerow/ui/icons.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { lazy, Suspense, useState } from 'react'
import type { NamedConfig } from '#features/connections/connection-config.ts'
import type { OldCode } from '#features/connections/scan-again.tsx'

/** Comes when someone looks for it. */
const OwnKeyFields = lazy(async () => ({
  default: (await import('#features/connections/own-key-fields.tsx')).OwnKeyFields,
}))

type OwnKeyNoticeProps = {
  config: NamedConfig
  newCode: { count: number; old: OldCode } | undefined
}

/** What a ticket has in the place of its code, where the shop has no key to put in it. What has changed is shown at once. */
export const OwnKeyNotice = ({ config, newCode }: OwnKeyNoticeProps) => {
  const [isOpen, setIsOpen] = useState(false)
  const isShown = isOpen || newCode !== undefined
  return (
    <div className="mt-4">
      <p>
        We cannot show its code or its file: the private key is on your device. For another device, make new
        keys under “Manage”.
      </p>
      <details
        className="group mt-1"
        open={isShown}
        onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      >
        <summary className="inline-flex min-h-11 list-none items-center gap-2 rounded-field font-semibold text-hedge hover:text-hedge-deep [&::-webkit-details-marker]:hidden">
          What to type on the device <span className="sr-only">{`for ${config.name}`}</span>
          <ChevronDown className="size-5 shrink-0 transition-transform group-open:rotate-180" />
        </summary>
        {isShown && (
          <Suspense fallback={<Skeleton lines={6} className="py-3" />}>
            <OwnKeyFields config={config} newCode={newCode} />
          </Suspense>
        )}
      </details>
    </div>
  )
}
