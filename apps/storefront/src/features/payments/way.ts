import type { Profile } from '@hedgerow/contract/accounts'
import type { PayableOrder } from '#features/payments/payable-order.ts'

/** What is paid on the order's checkout, and by whom. */
export type Checkout = {
  order: PayableOrder
  payer: Pick<Profile, 'firstName' | 'lastName' | 'email'>
  /** The order may not be as it was shown: ask again. */
  onChanged: () => void
  onReject: () => void
  /** Takes the promocode off the order, if it has one. */
  removePromocode?: (() => Promise<void>) | undefined
}

/** What a tab is given. What it has to ask for is asked when it is shown. */
export type Way = Checkout & { isShown: boolean }
