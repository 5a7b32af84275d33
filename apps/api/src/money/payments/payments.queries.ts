import { randomUUID } from 'node:crypto'
import type { Coin } from '@hedgerow/domain/coins'
import type { BLIK_CURRENCY } from '@hedgerow/domain/exchange'
import type { GatewayName } from '@hedgerow/domain/gateways'
import type { CurrencyCode } from '@hedgerow/domain/money'
import type { OrderStatus } from '@hedgerow/domain/order-status'
import type { PaymentMethod } from '@hedgerow/domain/payment-methods'
import { AWAITING_CONFIRMATION, PROMISE_DAYS, statusesThatWaitFor } from '@hedgerow/domain/payment-status'
import { sql, type Updateable } from 'kysely'
import type { Carried } from '#money/gateway/gateway.ts'
import { FIRST_CHECK_S } from '#money/gateway/status-checks.ts'
import { type CountedBy, countAttempt } from '#money/payments/attempts/velocity.queries.ts'
import { NO_PLACE, type PlaceOfSale } from '#money/payments/place-of-sale/place-of-sale.queries.ts'
import { type CountedNetwork, forgetReturnsOf } from '#money/refunds/returned-purchases.queries.ts'
import { IS_CANCELLABLE } from '#network/connections/cancellable.ts'
import { roomFor } from '#network/nodes/locations.service.ts'
import { IS_TO_BE_EARNED } from '#partners/earnings/earnings.service.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import { CHANGED } from '#platform/database/notified-cache.ts'
import type { PaymentRow, PaymentsTable } from '#platform/database/tables/payments.table.ts'
import { readPage } from '#platform/http/keyset.ts'
import { RENEWED } from '#sales/renewals/renewals.service.ts'

/** Notifies every process that a payment has changed. */
export const NOTIFY_PAYMENT = sql`pg_notify(${sql.lit(CHANGED)}, 'payment:' || payments.id)`

export type NewPayment = {
  id: string
  orderId: string
  customerId: string
  method: PaymentMethod
  gateway: GatewayName
  shownMinor: number
  currency: CurrencyCode
  /** What the gateway is asked for, where that is not the price itself. */
  converted?: { minor: number; currency: typeof BLIK_CURRENCY; rateMicro: number; ratedAt: Date }
  /** Whom it is to, for its tax, where that is asked. */
  place?: PlaceOfSale & { bankCountry?: string | undefined }
  panMasked?: string
  cardHolder?: string
  /** Keyed hashes of the card's number and of the network that it is paid from. */
  cardHash?: Buffer
  networkHash: Buffer
  /** The networks that its return would count for. */
  networks: readonly CountedNetwork[]
  /** The terms that were accepted with it. */
  termsHash: Buffer
  /** What the attempt counts for. */
  countedBy: readonly CountedBy[]
}

/** The partner whom a payment of this order credits: the promocode on it wins over the referral (product, Partnership). */
const PARTNER = sql`case when payable.promocode is null
  then (select referred_by from customers where customers.id = payable.customer_id)
  else (select id from customers where customers.promocode = payable.promocode and id <> payable.customer_id) end`

/** The order's promocode is another customer's, open, and has no limit of uses. */
const IS_FREE_TO_USE = sql`exists (
  select from customers as owner left join partners on partners.customer_id = owner.id
  where owner.promocode = orders.promocode and owner.id <> orders.customer_id
    and promocode_limit is null and promocode_closed_at is null)`

/** There is room for the order's new connections. */
const ROOM = roomFor(
  sql`(orders.connections - cardinality(orders.renews))`,
  sql`orders.plan_id`,
  sql`(case when orders.location_is_chosen then orders.location_id end)`,
)

/**
 * Starts an attempt, if the order is the customer's, payable, costs what was shown, has room, and no attempt under way.
 * Locks the order: a success that completes it and a second click take turns.
 * Returns the customer's e-mail, which the gateway wants to know; undefined when nothing was started. A promocode whose
 * uses are counted has to be taken before. Fails, and does nothing, where it is an attempt too many.
 */
export const insertPayment = async (
  db: Db,
  payment: NewPayment,
  takenCode?: string,
): Promise<string | undefined> => {
  const { converted, countedBy, place } = payment
  const { rows } = await sql<{ email: string }>`
    with payable as (
      select id, customer_id, promocode from orders
      where id = ${payment.orderId} and customer_id = ${payment.customerId}
        and status <> 'Completed' and expires_at > now()
        and total_minor = ${payment.shownMinor} and currency = ${payment.currency}
        and (cardinality(renews) >= connections or ${ROOM})
        and (promocode is null or promocode = ${takenCode ?? null}::text or ${IS_FREE_TO_USE})
      for update
    ),
    started as (
    insert into payments (id, order_id, customer_id, method, gateway, amount_minor, currency, charged_minor, charged_currency,
      rate_micro, rated_at, pan_masked, card_holder, card_hash, network_hash, networks, vat_country, vat_number,
      vat_number_standing, vat_number_consultation, vat_name, vat_address, vies_name, vies_address, network_country,
      bank_country, terms_hash, promocode, partner_id, next_check_at)
    select ${payment.id}, id, ${payment.customerId}, ${payment.method}, ${payment.gateway}, ${payment.shownMinor},
      ${payment.currency},
      ${converted?.minor ?? payment.shownMinor}, ${converted?.currency ?? payment.currency},
      ${converted?.rateMicro ?? null}, ${converted?.ratedAt ?? null}, ${payment.panMasked ?? null},
      ${payment.cardHolder ?? null}, ${payment.cardHash ?? null}, ${payment.networkHash},
      ${JSON.stringify(payment.networks)}::jsonb,
      ${place?.country ?? null}, ${place?.vatNumber ?? null}, ${place?.standing ?? null},
      ${place?.consultation ?? null}, ${place?.company?.name ?? null}, ${place?.company?.address.join('\n') ?? null},
      ${place?.viesName ?? null}, ${place?.viesAddress ?? null}, ${place?.networkCountry ?? null},
      ${place?.bankCountry ?? null},
      ${payment.termsHash}, promocode, ${PARTNER}, now() + make_interval(secs => ${FIRST_CHECK_S})
    from payable
    on conflict (order_id) where ended_at is null and abandoned_at is null do nothing
    returning id, (select email from customers where customers.id = customer_id)
    )${countedBy.length > 0 ? sql`, counted as (${countAttempt(countedBy)})` : sql``}
    select email from started`.execute(db)
  return rows[0]?.email
}

type Charged = Pick<PaymentRow, 'charged_minor' | 'charged_currency' | 'rate_micro'>

/**
 * Records an attempt to pay an order that was started before a restore: the gateway is asked for its status at once, and
 * it credits the order's partner. To be called with the order locked. False: the payment is here already.
 */
export const insertAdopted = async (
  trx: Trx,
  payment: Carried & { orderId: string; method: PaymentMethod } & Charged,
): Promise<boolean> => {
  const { rows } = await sql`
    insert into payments (id, gateway, gateway_ref, order_id, customer_id, method, amount_minor, currency, charged_minor,
      charged_currency, rate_micro, rated_at, promocode, partner_id, next_check_at)
    select ${payment.id}, ${payment.gateway}, ${payment.gateway_ref}::text, id, customer_id, ${payment.method}, total_minor, currency, ${payment.charged_minor},
      ${payment.charged_currency}, ${payment.rate_micro}::integer,
      case when ${payment.rate_micro}::integer is not null then now() end, promocode, ${PARTNER}, now()
    from orders as payable where id = ${payment.orderId}
    on conflict (id) do nothing
    returning ${NOTIFY_PAYMENT} as notified`.execute(trx)
  return rows.length === 1
}

/** Records money for an unknown order, which is refunded. False: the payment is here already. */
export const insertUnknown = async (
  trx: Trx,
  payment: Carried & { orderId: string; customerId: string | null; method: PaymentMethod } & Charged,
  details: Updateable<PaymentsTable>,
): Promise<boolean> => {
  const { rows } = await sql`
    insert into payments (id, gateway, gateway_ref, order_id, customer_id, method, amount_minor, currency, charged_minor,
      charged_currency, rate_micro, rated_at, status, refund_due, is_unknown, ended_at)
    select ${payment.id}, ${payment.gateway}, ${payment.gateway_ref}::text, id, ${payment.customerId}::uuid, ${payment.method}, total_minor, currency,
      ${payment.charged_minor}, ${payment.charged_currency}, ${payment.rate_micro}::integer,
      case when ${payment.rate_micro}::integer is not null then now() end, 'Success', true, true, now()
    from orders where id = ${payment.orderId}
    on conflict (id) do nothing
    returning ${NOTIFY_PAYMENT} as notified`.execute(trx)
  if (rows.length === 1 && Object.keys(details).length > 0)
    await trx.updateTable('payments').set(details).where('id', '=', payment.id).execute()
  return rows.length === 1
}

/** Statuses in which nothing happens until the customer does something. */
const WAITS_FOR_CUSTOMER = statusesThatWaitFor('customer')

/**
 * The customer has left this attempt for another one. Nothing happens to one that has ended, or that a bank works on; but
 * a customer need not wait a week for what a bank has promised. True: it was left now, and a gateway has a page of it.
 */
export const abandonPayment = async (db: Db, orderId: string, id: string): Promise<boolean> => {
  const abandoned = await db
    .updateTable('payments')
    .set({ abandoned_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('order_id', '=', orderId)
    .where(({ eb, or, and }) =>
      or([
        eb('status', 'in', WAITS_FOR_CUSTOMER),
        and([eb('status', '=', 'processing'), eb('gate_status', '=', AWAITING_CONFIRMATION)]),
      ]),
    )
    .where('abandoned_at', 'is', null)
    .returning('gateway_ref')
    .executeTakeFirst()
  return Boolean(abandoned?.gateway_ref)
}

/** The account's attempts with what each was for, newest first. */
export const readPayments = (db: Db, customerId: string, rows: number, after?: string) =>
  readPage(
    db
      .selectFrom('payments')
      .innerJoin('orders', 'orders.id', 'payments.order_id')
      .select([
        'payments.id',
        'payments.order_id',
        'payments.created_at',
        'payments.ended_at',
        'payments.amount_minor',
        'payments.currency',
        'payments.method',
        'payments.gateway',
        'payments.coins',
        'payments.pan_masked',
        'payments.card_holder',
        'payments.auth_code',
        'payments.status',
        'payments.refund_due',
        'payments.abandoned_at',
        'payments.charged_minor',
        'payments.charged_currency',
        'payments.received_minor',
        'payments.received_currency',
        'payments.gate_code',
        'payments.gate_status',
        'payments.promocode',
        'payments.cancelled_at',
        'payments.disputed_minor',
        IS_CANCELLABLE.as('is_cancellable'),
        sql<Date>`now()`.as('now'),
        'orders.price_minor',
        'orders.status as order_status',
        'orders.plan_name',
        'orders.plan_period',
        RENEWED,
        'orders.days',
        'orders.connections',
      ])
      .where('payments.customer_id', '=', customerId),
    {
      key: { by: sql`payments.created_at`, type: 'timestamptz' },
      isDescending: true,
      id: { by: sql`payments.id`, type: 'text' },
    },
    rows,
    after,
  )

export type ListedPayment = Awaited<ReturnType<typeof readPayments>>['rows'][number]

/** What waiting customers see. */
export const findPaymentState = (db: Db, id: string) =>
  db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .select([
      'payments.id',
      'payments.method',
      'payments.status',
      'payments.next_action',
      'payments.gate_code',
      'payments.gate_status',
      'payments.charged_minor',
      'payments.charged_currency',
      'payments.received_minor',
      'payments.received_currency',
      'payments.order_id',
      'payments.notified_at',
      'orders.plan_id',
      'orders.renews',
      'orders.location_id',
      'orders.location_is_chosen',
    ])
    .where('payments.id', '=', id)
    .executeTakeFirst()

export type PaymentState = NonNullable<Awaited<ReturnType<typeof findPaymentState>>>

/** Kept as it was told first. */
export const noteCoins = async (db: Db, id: string, coins: readonly Coin[]): Promise<void> => {
  await db
    .updateTable('payments')
    .set({ coins: JSON.stringify(coins) })
    .where('id', '=', id)
    .where('coins', 'is', null)
    .execute()
}

/** The customer's page has shown how it ended. */
export const markNotified = async (db: Db, id: string): Promise<void> => {
  await db
    .updateTable('payments')
    .set({ notified_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('notified_at', 'is', null)
    .returning(NOTIFY_PAYMENT.as('notified'))
    .execute()
}

/** The payment, what its order bought, and the database's time. */
export const findPayment = (db: Db, id: string) =>
  db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .select([
      'payments.id',
      'payments.order_id',
      'payments.customer_id',
      'payments.status',
      'payments.method',
      'payments.gateway',
      'payments.gateway_ref',
      'payments.amount_minor',
      'payments.promocode',
      'payments.charged_minor',
      'payments.charged_currency',
      'payments.refunded_minor',
      'payments.disputed_minor',
      'payments.received_minor',
      'payments.received_currency',
      'payments.next_action',
      'payments.answered',
      'payments.checks',
      'payments.gate_request_id',
      'payments.gate_status',
      'payments.abandoned_at',
      'payments.gate_updated_at',
      'payments.delivered_at',
      'payments.ended_at',
      'payments.refund_due',
      'payments.cancelled_at',
      'payments.is_unknown',
      'payments.ended_by_dispute_at',
      'orders.status as order_status',
      'orders.days',
      'orders.connections',
      'orders.options',
      'orders.renews',
      'orders.plan_id',
      'orders.location_id',
      'orders.location_is_chosen',
      sql<Date>`now()`.as('now'),
    ])
    .where('payments.id', '=', id)
    .executeTakeFirst()

export type PaymentWithOrder = NonNullable<Awaited<ReturnType<typeof findPayment>>>

/**
 * The payment and its order, locked, if both are still as they were read; else nothing. Every change of a payment is
 * made through this, in one statement: of two that read the same state, one wins and the other reads again.
 */
export const unchanged = (read: PaymentWithOrder) => sql<{ payment_id: string; order_id: string }>`(
  select payments.id as payment_id, orders.id as order_id
  from payments join orders on orders.id = payments.order_id
  where payments.id = ${read.id} and payments.status = ${read.status} and orders.status = ${read.order_status}
    and payments.customer_id is not distinct from ${read.customer_id}
    and payments.gate_updated_at is not distinct from ${read.gate_updated_at}
    and payments.next_action = ${JSON.stringify(read.next_action)}::jsonb
    and payments.refunded_minor = ${read.refunded_minor}
    and payments.disputed_minor = ${read.disputed_minor}
    and payments.received_minor is not distinct from ${read.received_minor}
    and (payments.cancelled_at is null) = ${read.cancelled_at === null}
    and (payments.delivered_at is null) = ${read.delivered_at === null}
  for no key update of orders, payments)`

/**
 * What an order says of its sums once this payment has completed it: those of the payment. Another promocode may have
 * been entered between the payment's decline and its late success.
 */
export const asPaid = ({ amount_minor, promocode }: Pick<PaymentWithOrder, 'amount_minor' | 'promocode'>) =>
  sql`total_minor = ${amount_minor}::integer, discount_minor = price_minor - ${amount_minor}::integer,
    promocode = ${promocode}::text`

/** Changes a payment, and its order's status with it. False when either is no longer as it was read. */
export const updatePaymentIfUnchanged = async (
  db: Db,
  read: PaymentWithOrder,
  change: Updateable<PaymentsTable>,
  orderStatus: OrderStatus = read.order_status,
): Promise<boolean> => {
  const rows = await db
    .with('locked', () => unchanged(read))
    .with(
      'moved',
      () => sql<{ id: string }>`(
        update orders set status = ${orderStatus}, updated_at = now()
          ${orderStatus === 'Completed' ? sql`, ${asPaid(read)}` : sql``}
        where id in (select order_id from locked) and status <> ${orderStatus}
        returning id)`,
    )
    .updateTable('payments')
    .set(change)
    .where('id', 'in', sql<string>`(select payment_id from locked)`)
    .returning(NOTIFY_PAYMENT.as('notified'))
    .execute()
  return rows.length === 1
}

/** Every attempt of a customer, the oldest first. */
export const listPaymentsOf = (db: Db, customerId: string) =>
  db.selectFrom('payments').selectAll().where('customer_id', '=', customerId).orderBy('created_at').execute()

/** How payments came to where they are, step by step, the oldest first. */
export const listSteps = async (db: Db, paymentIds: readonly string[]) =>
  paymentIds.length === 0
    ? []
    : db
        .selectFrom('payment_steps')
        .select(['payment_id', 'at', 'status', 'gate_status', 'gate_code'])
        .where('payment_id', 'in', paymentIds)
        .orderBy('id')
        .execute()

/** Payments of a customer that may still succeed by themselves; of each, until when a bank has promised its money. */
export const listLivePaymentsOf = async (db: Db, customerId: string) => {
  const { rows } = await sql<{ promised_until: Date | null }>`
    select case when gate_status = ${AWAITING_CONFIRMATION} and promised.until > now() then promised.until end
      as promised_until
    from payments, lateral (
      select coalesce(gate_updated_at, created_at) + make_interval(days => ${PROMISE_DAYS}) as until
    ) as promised
    where customer_id = ${customerId} and ended_at is null`.execute(db)
  return rows
}

/**
 * The payments stay, without the customer. Those that a partner's earning waits for keep the card's hash until it is
 * earned: deleting an account must not hide whose card it was. What the tax of a sale was determined by stays with it, as
 * tax law wants; of attempts that sold nothing it goes.
 */
export const cutPaymentsFrom = async (db: Db, customerId: string): Promise<void> => {
  await sql`update payments set ${NO_PLACE}
    where customer_id = ${customerId} and status <> 'Success' and vat_country is not null`.execute(db)
  await sql`
    update payments set customer_id = null, card_holder = null, network_hash = null, networks = null,
      card_hash = case when ${IS_TO_BE_EARNED} then card_hash end,
      erased_account = case when ${IS_TO_BE_EARNED} and card_hash is not null then ${randomUUID()}::uuid end
    where customer_id = ${customerId}`.execute(db)
  await forgetReturnsOf(db, customerId)
}

/** A payment that was declined without the customer seeing it, and nothing has been paid since. */
export const findDeclined = (db: Db, id: string) =>
  db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .innerJoin('customers', 'customers.id', 'payments.customer_id')
    .select([
      'payments.order_id',
      'payments.method',
      'payments.amount_minor',
      'payments.currency',
      'payments.gate_code',
      'payments.gate_status',
      'payments.charged_minor',
      'payments.charged_currency',
      'payments.received_minor',
      'payments.received_currency',
      'orders.plan_id',
      'orders.renews',
      'orders.location_id',
      'orders.location_is_chosen',
      'orders.days',
      'orders.connections',
      'orders.plan_name',
      'orders.plan_period',
      RENEWED,
      'customers.name',
      'customers.email',
    ])
    .where('payments.id', '=', id)
    .where('payments.status', 'in', ['Decline', 'Error'])
    .where('payments.notified_at', 'is', null)
    .where('orders.status', '<>', 'Completed')
    // A customer who tries again knows how this one went.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('payments as later')
            .select('later.id')
            .whereRef('later.order_id', '=', 'payments.order_id')
            .whereRef('later.created_at', '>', 'payments.created_at'),
        ),
      ),
    )
    .executeTakeFirst()
