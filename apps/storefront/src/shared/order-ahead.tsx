import type { ReactNode } from 'react'
import { Link } from 'wouter'

type OrderAheadProps = {
  /** What is ordered, in a line: '45 days, 3 connections'. */
  what: ReactNode
  total?: string
  /** Where another choice is made. */
  changeAt: string
}

/** What someone goes on to buy, beside the form by which they log in or sign up for it. */
export const OrderAhead = ({ what, total, changeAt }: OrderAheadProps) => (
  <section
    aria-label="Your order"
    className="mb-6 rounded-card border border-line bg-surface px-4 pt-3 pb-1 sm:px-5"
  >
    {/* One sentence, of which the sum stands at the end of the first line. */}
    <div className="grid grid-cols-[1fr_auto] items-baseline gap-x-4">
      <p className="contents">
        <span className="font-semibold">Your order:</span>{' '}
        <span className="col-span-2 row-start-2">{what}</span>
      </p>
      {total && <p className="col-start-2 row-start-1 text-lg font-semibold tabular-nums">{total}</p>}
    </div>
    <Link to={changeAt} className="link inline-flex min-h-11 items-center">
      Change your order
    </Link>
  </section>
)
