import { maskLabel } from '@hedgerow/domain/masked'
import { describeOrder } from '@hedgerow/domain/order-description'
import type { OperatorCaller } from '#people/operators/guard-operators.ts'

type Caller = Pick<OperatorCaller, 'permissions'>
type Described = Parameters<typeof describeOrder>[0]

/** Of a connection. Customers choose these names, and some tell whose device it is. */
export const shownName = (name: string, { permissions }: Caller): string =>
  permissions.has('customers.open') ? name : maskLabel(name)

/** What an operator wrote of a person: it may be anything. */
export const shownText = (text: string, { permissions }: Caller): string =>
  permissions.has('customers.open') ? text : '…'

/** What an order is for: it names the connections that it extends. */
export const shownOrder = (order: Described, operator: Caller): string =>
  describeOrder({
    ...order,
    renew: (order.renew ?? []).map(({ name }) => ({ name: shownName(name, operator) })),
  })
