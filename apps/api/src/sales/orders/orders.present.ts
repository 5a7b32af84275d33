import type { OrderData } from '@hedgerow/contract/account-data'
import type { Order } from '@hedgerow/contract/orders'
import { CURRENCIES, toMajor } from '@hedgerow/domain/money'
import { fromMask, toWireFeatures } from '@hedgerow/domain/pricing'
import type { OrderedLocation } from '#network/nodes/locations.service.ts'
import type { AnyOrderWithPayment, OrderWithPayment } from '#sales/orders/orders.queries.ts'

const presentLocation = (location: OrderedLocation | null) =>
  location && {
    location: {
      _id: location.id,
      name: location.name,
      isChosen: location.is_chosen,
      ...(location.instead_of === null ? {} : { insteadOf: location.instead_of }),
    },
  }

const presentCommon = (row: AnyOrderWithPayment): Omit<Order, 'days'> => ({
  orderId: row.id,
  price: toMajor(row.price_minor),
  discount: toMajor(row.discount_minor),
  total: toMajor(row.total_minor),
  ...(row.promocode === null ? {} : { promocode: row.promocode }),
  currency: CURRENCIES[row.currency],
  connections: row.connections,
  renew: row.renew.map(({ id, name }) => ({ _id: id, name })),
  features: toWireFeatures(fromMask(row.options)),
  ...presentLocation(row.location),
  status: row.status,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  ...(row.auth_code === null ? {} : { authCode: row.auth_code }),
  ...(row.pan_masked === null ? {} : { pan: row.pan_masked }),
  ...(row.card_holder === null ? {} : { cardHolder: row.card_holder }),
})

export const presentOrder = (row: OrderWithPayment): Order => ({ ...presentCommon(row), days: row.days })

/** An order of a plan too, as the file with all data of an account has it. */
export const presentOrderData = (row: AnyOrderWithPayment): OrderData => ({
  ...presentCommon(row),
  days: row.days,
  plan: row.plan_name,
  period: row.plan_period,
})
