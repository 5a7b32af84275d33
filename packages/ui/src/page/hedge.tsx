type HedgeProps = { className?: string; ground?: boolean }

/**
 * The one drawn hedge, as long as its place is wide. The drawing is a mask in front of the text's colour, so that it
 * takes on the scheme, repeats without end, and costs the script nothing. Without ground it stands on what is below.
 */
export const Hedge = ({ className = 'text-hedge', ground = true }: HedgeProps) => (
  <div className={`${ground ? 'border-b border-current' : ''} ${className}`} aria-hidden="true">
    <div className="hedge" />
  </div>
)
