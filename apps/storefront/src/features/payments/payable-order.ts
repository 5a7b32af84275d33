import type { Order } from '@hedgerow/contract/orders'

/** What is sent with every payment of an order: the sum and currency that the customer saw. */
export type PayableOrder = Pick<Order, 'orderId' | 'total' | 'currency'>
