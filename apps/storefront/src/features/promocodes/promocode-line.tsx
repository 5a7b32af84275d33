import type { ReactNode } from 'react'

/** What a code takes off a price, as it is shown. */
export type Discount = {
  promocode: string
  /** What it is taken off; left out where the line above says it. */
  price?: string
  amount: string
}

const Line = ({ label, children }: { label: ReactNode; children: ReactNode }) => (
  <div className="flex items-baseline justify-between gap-4 py-1.5">
    <dt className="min-w-0">{label}</dt>
    <dd className="shrink-0 tabular-nums">{children}</dd>
  </div>
)

/** What stands between the lines of a receipt and its total, where a promocode was entered. */
export const PromocodeLine = ({
  promocode,
  price,
  amount,
  children,
}: Discount & { children?: ReactNode }) => (
  <>
    <dl className="divide-y divide-line border-t border-line">
      {price && <Line label="Price">{price}</Line>}
      <Line
        label={
          <>
            Promocode <span className="font-medium break-all">{promocode}</span>
          </>
        }
      >
        {amount}
      </Line>
    </dl>
    {children}
  </>
)
