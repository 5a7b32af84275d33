import { toMajor } from '@hedgerow/domain/money'
import { totalMinor } from '@hedgerow/domain/pricing'
import anyAscii from 'any-ascii'
import { type Chance, chanceOf } from '#demo/chance.ts'
import type { Bought, DemoMethod, Going } from '#demo/choices.ts'
import { DEMO_BANKS } from '#demo/gateway.ts'
import type { Customer, World } from '#demo/world.ts'
import type { Payer } from '#money/gateway/payer.ts'
import { buyPlan } from '#money/payments/attempts/buy-plan.ts'
import { payByBank } from '#money/payments/attempts/pay-by-bank.ts'
import { payByBlik } from '#money/payments/attempts/pay-by-blik.ts'
import { payByCard } from '#money/payments/attempts/pay-by-card.ts'
import { applyUpdate } from '#money/payments/updates/apply-update.ts'
import { createOrder } from '#sales/orders/orders.service.ts'

/** What is ordered: for the first time or on from the connections that are there, perhaps with a partner's code. */
export type Wish = { bought: Bought; renew: readonly string[]; promocode: string | undefined }

const payerOf = ({ address, userAgent }: Customer): Payer => ({
  ipAddress: address,
  userAgent,
  accept: 'text/html',
  acceptLanguage: 'en',
})

const cardOf = ({ first, last, pan }: Customer, chance: Chance) => ({
  pan,
  card_holder: anyAscii(`${first} ${last}`).toUpperCase(),
  month: chance.between(1, 12),
  year: 29 + chance.below(3),
  cvv: '123',
  acceptTerms: true as const,
})

export const order = async ({ deps, nodes }: World, customer: Customer, wish: Wish) => {
  const { days, connections, features } = wish.bought
  const choice = { days, connections, features }
  const { currency, near } = customer.country
  const { renew, promocode } = wish
  const total = toMajor(totalMinor(choice))
  return createOrder(deps, customer.id, {
    ...choice,
    ...{ total, currency, renew, promocode, near: nodes.get(near) },
  })
}

type Ordered = { orderId: string; total: number }

/** Hands an attempt to pay to the gateway. Returns its id. */
export const startToPay = async (
  world: World,
  customer: Customer,
  method: DemoMethod,
  { orderId, total }: Ordered,
  chance: Chance,
): Promise<string> => {
  const { deps } = world
  const { currency } = customer.country
  const [shown, payer] = [{ total, currency, acceptTerms: true as const }, payerOf(customer)]
  const names = { firstName: customer.first, lastName: customer.last }
  const bankId = String(DEMO_BANKS[currency].id)
  const ways: Readonly<Record<DemoMethod, () => Promise<string>>> = {
    card: () =>
      payByCard(deps, {
        customerId: customer.id,
        orderId,
        request: { ...shown, ...cardOf(customer, chance) },
        payer,
      }),
    blik: () => payByBlik(deps, customer.id, orderId, { ...shown, ...names }, payer),
    open_banking: () => payByBank(deps, customer.id, orderId, { ...shown, ...names, bankId }, payer),
  }
  return ways[method]()
}

/** A plan is ordered and paid by the same press. */
export const startToBuyPlan = (
  { deps, nodes }: World,
  customer: Customer,
  { bought, renew, promocode }: Wish,
  chance: Chance,
): Promise<string> =>
  buyPlan(
    deps,
    customer.id,
    {
      ...{ id: bought.plan ?? '', renew: [...renew], promocode, near: nodes.get(customer.country.near) },
      ...cardOf(customer, chance),
    },
    payerOf(customer),
  )

/** What the customer is shown on the way, by the way of paying. */
const SHOWN = {
  card: {
    status: 'awaiting 3ds result',
    shown: {
      acs: { acs_url: 'https://acs.bank.example/challenge', pa_req: 'demonstration', md: 'demonstration' },
    },
  },
  open_banking: {
    status: 'awaiting redirect result',
    shown: { redirect_data: { url: 'https://bank.example/consent', method: 'GET', body: {} } },
  },
  blik: {
    status: 'awaiting redirect result',
    shown: { redirect_data: { url: 'https://blik.example/code', method: 'GET', body: {} } },
  },
} as const

const ENDS = {
  paid: [['success', '0']],
  declined: [
    ['decline', '10105'],
    ['decline', '10105'],
    ['decline', '10000'],
    ['decline', '104'],
  ],
  expired: [['expired', '20602']],
  cancelled: [['cancelled', '20301']],
  left: [['expired', '20602']],
} as const satisfies Record<Going, readonly (readonly [string, string])[]>

const ASKED = 0.45
const [MINUTE_MS, SECOND_MS] = [60_000, 1_000]

/** How long the customer takes: whoever lets it expire, half an hour. */
const takes = (going: Going, chance: Chance) =>
  going === 'expired' || going === 'left' ? 30 * MINUTE_MS : chance.between(9, 110) * SECOND_MS

/** The gateway works on it and tells, with a question to the customer on the way or without. Then `then`, at the same time. */
export const followPayment = (
  world: World,
  paid: { paymentId: string; method: DemoMethod; going: Going },
  then: (world: World) => Promise<void>,
): void => {
  const { paymentId, method, going } = paid
  const { deps, gateway, seed } = world
  const chance = chanceOf(seed, `way of ${world.sales} at ${Date.now()}`)
  const isAsked = method !== 'card' || going === 'cancelled' || going === 'expired' || chance.is(ASKED)
  const asked = Date.now() + chance.between(2, 6) * SECOND_MS
  if (isAsked)
    world.at(asked, async () => {
      const { status, shown } = SHOWN[method]
      await applyUpdate(deps, gateway.move(paymentId, status, '9999', shown))
    })
  world.at(isAsked ? asked + takes(going, chance) : asked, async (now) => {
    const [status, code] = chance.pick<readonly [string, string]>(ENDS[going])
    await applyUpdate(deps, gateway.move(paymentId, status, code))
    await then(now)
  })
}
