export const ORDER_STATUSES = ['New', 'Completed', 'Rejected'] as const

export type OrderStatus = (typeof ORDER_STATUSES)[number]

/** Rejected is not the end: a declined order may be paid again, and a late Success completes it. */
export const ORDER_TRANSITIONS: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  New: ['Completed', 'Rejected'],
  Rejected: ['Completed'],
  Completed: [],
}

export const canTransitionOrder = (from: OrderStatus, to: OrderStatus): boolean =>
  ORDER_TRANSITIONS[from].includes(to)

/** How long the price of an order holds and it can be paid. */
export const ORDER_LIFETIME_HOURS = 24
