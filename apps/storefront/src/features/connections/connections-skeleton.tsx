const Line = ({ width }: { width: string }) => (
  <div className={`h-4 max-w-full rounded-field bg-line ${width}`} />
)

/** A ticket of the usual size. */
const TicketShape = () => (
  <div className="grid rounded-card border border-line bg-surface md:grid-cols-[auto_1fr]">
    <div className="hidden p-6 md:block">
      <div className="size-70.5 rounded-field bg-line" />
    </div>
    <div className="min-h-80 space-y-4 p-5 sm:p-6">
      <Line width="w-40" />
      <Line width="w-56" />
      <Line width="w-32" />
    </div>
  </div>
)

/** The room of the connections while they load, down to below the fold: nothing jumps when they come. */
export const ConnectionsSkeleton = () => (
  <div role="status" className="min-h-screen">
    <span className="sr-only">Loading</span>
    <div aria-hidden="true" className="animate-pulse space-y-6">
      <div className="space-y-4 pt-2 pb-1">
        <Line width="w-36" />
        <Line width="w-80" />
      </div>
      <TicketShape />
      <TicketShape />
    </div>
  </div>
)
