import type { Order } from '@hedgerow/contract/orders'
import { formatDiscount, toMinor } from '@hedgerow/domain/money'

type DiscountLineProps = Partial<Pick<Order, 'promocode' | 'discount'>> & Pick<Order, 'currency'>

/** What a promocode took off, below what was to be paid. */
export const DiscountLine = ({ promocode, discount = 0, currency }: DiscountLineProps) =>
  promocode !== undefined && (
    <span className="block text-sm text-quiet-ink">
      {`${promocode} ${formatDiscount(toMinor(discount) ?? 0, currency.code)}`}
    </span>
  )
