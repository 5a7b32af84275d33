import type { ReactNode } from 'react'
import { Link } from 'wouter'

type OrderAheadProps = {
  /** What is ordered, in a line: '45 days, 3 connections'. */
  what: ReactNode
  total?: string
  /** Where another choice is made. */
  changeAt: string
}

/** What somebody goes on to buy, beside the form by which they log in or sign up for it. */
export const OrderAhead = ({ what, total, changeAt }: OrderAheadProps) => (
  <section
    aria-label="Your order"
    className="mb-6 rounded-card border border-line bg-surface px-4 pt-3 pb-1 sm:px-5"
  >
    <div className="flex items-baseline justify-between gap-4">
      <p className="min-w-0">
        <span className="font-semibold">Your order:</span> {what}
      </p>
      {total && <p className="shrink-0 text-lg font-semibold tabular-nums">{total}</p>}
    </div>
    <Link to={changeAt} className="link inline-flex min-h-11 items-center">
      Change your order
    </Link>
  </section>
)
