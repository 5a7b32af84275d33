import { Card } from '#ui/page/card.tsx'
import { Skeleton } from '#ui/page/skeleton.tsx'

/** The room that a page takes while it loads: its heading, and a card below it. */
export const PageSkeleton = ({ label = 'Loading' }: { label?: string }) => (
  <>
    <div aria-hidden="true" className="mb-8 h-9 w-48 max-w-full animate-pulse rounded-field bg-line" />
    <Card className="min-h-100">
      <Skeleton label={label} lines={8} className="max-w-measure" />
    </Card>
  </>
)
