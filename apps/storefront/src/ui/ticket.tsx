import type { ReactNode } from 'react'

type TicketProps = { stub: ReactNode; expired?: boolean; stamp?: string; children: ReactNode }

/** A card with a stub, torn off along a row of dots. One that is over is greyed, and stamped when a stamp is given. */
export const Ticket = ({ stub, expired = false, stamp, children }: TicketProps) => (
  <article className="relative grid rounded-card border border-line bg-surface md:grid-cols-[auto_1fr]">
    <div className="ticket-stub relative grid content-start justify-items-center p-5 sm:p-6">
      <div className="relative grid place-items-center">
        <div className={expired ? 'opacity-30 grayscale' : ''}>{stub}</div>
        {expired && stamp && (
          <p className="pointer-events-none absolute -rotate-12 rounded-field border-2 border-berry bg-surface px-3 py-1 font-serif text-lg font-semibold text-berry">
            {stamp}
          </p>
        )}
      </div>
    </div>
    <div className={`min-w-0 p-5 sm:p-6 ${expired ? 'text-quiet-ink' : ''}`}>{children}</div>
  </article>
)
