import type { ReactNode } from 'react'

type TicketProps = {
  stub: ReactNode
  /** The stub comes after the rest, at the foot. */
  isStubLast?: boolean
  expired?: boolean
  stamp?: string
  children: ReactNode
}

const stubLook = (isLast: boolean) =>
  isLast
    ? 'ticket-stub-last order-last px-5 py-3 sm:px-6'
    : 'ticket-stub grid content-start justify-items-center p-5 sm:p-6'

/** A card with a stub, torn off along a row of dots. One that is over is greyed, and stamped when a stamp is given. */
export const Ticket = ({ stub, isStubLast = false, expired = false, stamp, children }: TicketProps) => (
  <article
    className={`relative grid rounded-card border border-line bg-surface ${isStubLast ? '' : 'md:grid-cols-[auto_1fr]'}`}
  >
    <div className={`relative ${stubLook(isStubLast)}`}>
      <div className={`relative ${isStubLast ? '' : 'grid place-items-center'}`}>
        <div className={expired && !isStubLast ? 'opacity-30 grayscale' : ''}>{stub}</div>
        {expired && stamp && !isStubLast && (
          <p className="pointer-events-none absolute -rotate-12 rounded-field border-2 border-berry bg-surface px-3 py-1 font-serif text-lg font-semibold text-berry">
            {stamp}
          </p>
        )}
      </div>
    </div>
    <div className={`min-w-0 p-5 sm:p-6 ${expired ? 'text-quiet-ink' : ''}`}>{children}</div>
  </article>
)
