type Payable = {
  order_id: string
  plan_id: string | null
  location_id: string | null
  location_is_chosen: boolean
}

/** The page where an order can be paid again. That of a plan begins anew, and is told which location was chosen. */
export const checkoutPath = ({ order_id, plan_id, location_id, location_is_chosen }: Payable): string =>
  plan_id ? planPath(plan_id, location_is_chosen ? location_id : null) : `/checkout/${order_id}`

export const planPath = (planId: string, location: string | null | undefined): string =>
  `/payment/checkout/${planId}${location ? `?location=${location}` : ''}`
