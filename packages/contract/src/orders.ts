import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { ORDER_STATUSES } from '@hedgerow/domain/order-status'
import { CONNECTIONS, DAYS } from '@hedgerow/domain/pricing'
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import {
  CurrencyInput,
  CurrencyReply,
  FeaturesInput,
  FeaturesReply,
  Instant,
  locationChoice,
  PageQuery,
  PromocodeField,
  RenewField,
  Total,
  Uuid,
} from './fields.ts'
import { routes } from './routes.ts'

/** What the calculator sends. The total is what the customer saw; the server computes its own and compares. */
export const CreateOrderRequest = z
  .object({
    days: z
      .int(OUR_MESSAGES.days)
      .check(z.gte(DAYS.min, OUR_MESSAGES.days), z.lte(DAYS.max, OUR_MESSAGES.days)),
    connections: z
      .int(OUR_MESSAGES.connections)
      .check(
        z.gte(CONNECTIONS.min, OUR_MESSAGES.connections),
        z.lte(CONNECTIONS.max, OUR_MESSAGES.connections),
      ),
    features: FeaturesInput,
    currency: CurrencyInput,
    total: Total,
    /** Connections of the customer's that are extended by the days; the others that are bought are new. */
    renew: z._default(RenewField, []),
    /** Someone's code. `total` is then the price, as the calculator shows it, or what the code leaves of it. */
    promocode: z.optional(PromocodeField),
    ...locationChoice,
  })
  .check(
    z.refine(({ renew, connections }) => renew.length <= connections, {
      path: ['renew'],
      error: OUR_MESSAGES.renewMany,
    }),
  )

/** `insteadOf` is the location that was chosen, where that had no room when the connections were made. */
const OrderLocation = z.object({
  _id: z.string(),
  name: z.string(),
  isChosen: z.boolean(),
  insteadOf: z.optional(z.string()),
})

/** An order (spec §3). The last three are there once it was paid by card. */
export const Order = z.object({
  orderId: z.string(),
  /** What it costs, what the promocode takes off, and what is to be paid, in units. */
  price: z.number(),
  discount: z.number(),
  total: z.number(),
  /** The code that takes it off. */
  promocode: z.optional(z.string()),
  currency: CurrencyReply,
  days: z.int(),
  connections: z.int(),
  /** Those of its connections that it extends, or has extended. */
  renew: z.array(z.object({ _id: z.string(), name: z.string() })),
  features: FeaturesReply,
  /** Where its new connections are to be or, once they are made, are. Left out: wherever there is most room. */
  location: z.optional(OrderLocation),
  status: z.enum(ORDER_STATUSES),
  createdAt: Instant,
  updatedAt: Instant,
  /** Until when it can be paid. */
  expiresAt: Instant,
  authCode: z.optional(z.string()),
  pan: z.optional(z.string()),
  cardHolder: z.optional(z.string()),
})
export type Order = z.infer<typeof Order>

export const createOrder = endpoint({
  ...routes.createOrder,
  access: 'signed-in',
  limits: [
    { calls: 60, minutes: 10, by: 'address' },
    { calls: 200, minutes: 60, by: 'customer' },
  ],
  summary: 'Order what the calculator shows',
  schema: {
    body: CreateOrderRequest,
    response: {
      201: z.object({
        orderId: z.string(),
        price: z.number(),
        discount: z.number(),
        total: z.number(),
      }),
    },
  },
})

export const getOrder = endpoint({
  ...routes.getOrder,
  access: 'signed-in',
  summary: 'One order of the account',
  schema: { params: z.object({ id: Uuid }), response: { 200: Order } },
  problems: [404],
})

export const listOrders = endpoint({
  ...routes.listOrders,
  access: 'signed-in',
  summary: "The account's orders, newest first, a hundred at once; the header Link leads to the next",
  schema: { querystring: PageQuery, response: { 200: z.array(Order) } },
})

export const setPromocode = endpoint({
  ...routes.setPromocode,
  access: 'signed-in',
  limits: [
    { calls: 60, minutes: 10, by: 'address' },
    { calls: 200, minutes: 60, by: 'customer' },
  ],
  summary: 'Enter a promocode for an order that is not paid, or take it off again (null or empty)',
  schema: {
    params: z.object({ id: Uuid }),
    body: z.object({
      promocode: z.pipe(
        z.union([z.null(), z.literal(''), PromocodeField]),
        z.transform((code) => code || null),
      ),
    }),
    response: { 200: Order },
  },
  problems: [404, 409],
})
