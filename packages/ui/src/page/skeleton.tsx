type SkeletonProps = { label?: string; lines?: number; className?: string }

/** The room that content will take while it loads. */
export const Skeleton = ({ label = 'Loading', lines = 3, className = '' }: SkeletonProps) => (
  <div role="status" className={className}>
    <span className="sr-only">{label}</span>
    <div aria-hidden="true" className="animate-pulse space-y-3">
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className={`h-4 rounded-field bg-line ${line === lines - 1 ? 'w-2/3' : ''}`} />
      ))}
    </div>
  </div>
)
