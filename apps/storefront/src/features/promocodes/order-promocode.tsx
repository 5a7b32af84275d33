import type { Order } from '@hedgerow/contract/orders'
import { orderDiscount } from '#features/promocodes/discounts.ts'
import { PromocodeBox, type PromocodeBoxProps } from '#features/promocodes/promocode-box.tsx'
import { PromocodeLine } from '#features/promocodes/promocode-line.tsx'

type OrderPromocodeProps = Pick<PromocodeBoxProps, 'apply' | 'remove' | 'applyTyped'> & {
  order: Order
  /** It is paid, or too old to be: its code stays as it is. */
  isSettled: boolean
}

/** An order's promocode: to be entered or removed as long as the order can be paid. */
export const OrderPromocode = ({ order, isSettled, ...box }: OrderPromocodeProps) => {
  const discount = orderDiscount(order)
  if (!isSettled) return <PromocodeBox discount={discount} {...box} />
  return discount && <PromocodeLine {...discount} />
}
