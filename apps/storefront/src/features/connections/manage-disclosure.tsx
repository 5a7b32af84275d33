import { ChevronDown } from '@hedgerow/ui/icons.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { lazy, Suspense, useState } from 'react'
import type { ManageConnectionProps } from '#features/connections/manage-connection.tsx'

/** Its forms come when someone looks for them. */
const ManageConnection = lazy(async () => ({
  default: (await import('#features/connections/manage-connection.tsx')).ManageConnection,
}))

type ManageDisclosureProps = ManageConnectionProps & { describedBy: string }

export const ManageDisclosure = ({ describedBy, ...props }: ManageDisclosureProps) => {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      className="group mt-4 print:hidden"
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary
        aria-describedby={describedBy}
        className="inline-flex min-h-11 list-none items-center gap-2 rounded-field font-semibold text-hedge hover:text-hedge-deep [&::-webkit-details-marker]:hidden"
      >
        Manage
        <ChevronDown className="size-5 shrink-0 transition-transform group-open:rotate-180" />
      </summary>
      {isOpen && (
        <Suspense fallback={<Skeleton lines={4} className="py-5" />}>
          <ManageConnection {...props} />
        </Suspense>
      )}
    </details>
  )
}
