import { planCheckoutPath } from '@hedgerow/domain/plans'

type Payable = {
  order_id: string
  plan_id: string | null
  renews: readonly string[]
  location_id: string | null
  location_is_chosen: boolean
}

/** The page where an order can be paid again. That of a plan begins anew, with what it extends and the location that was chosen. */
export const checkoutPath = ({
  order_id,
  plan_id,
  renews,
  location_id,
  location_is_chosen,
}: Payable): string =>
  plan_id
    ? planCheckoutPath(plan_id, renews, location_is_chosen ? location_id : null)
    : `/checkout/${order_id}`
