import { DAY_MS } from '@hedgerow/domain/dates'
import { PLAN_CURRENCY, periodDays } from '@hedgerow/domain/plans'
import { afterSale } from '#demo/after-sale.ts'
import { type Chance, chanceOf } from '#demo/chance.ts'
import {
  type Bought,
  type DemoMethod,
  drawChoice,
  drawGoing,
  drawMethod,
  type Going,
  type PlanOnSale,
} from '#demo/choices.ts'
import { followPayment, order, startToBuyPlan, startToPay, type Wish } from '#demo/pay.ts'
import { daysAfter } from '#demo/rhythm.ts'
import type { Customer, Deed, World } from '#demo/world.ts'
import { creditPartners } from '#partners/earnings/earnings.service.ts'
import { issueInvoice } from '#sales/invoices/issue-invoices.ts'

const [MINUTE_MS, MOST_TRIES] = [60_000, 3]
/** Of those who look at an order and never pay it. */
const ONLY_LOOKS = 0.1
const TRIES_AGAIN = 0.72
const GOES_ON = 0.68
const USES_CODE = 0.5

const listPlans = async ({ deps }: World): Promise<PlanOnSale[]> => {
  const rows = await deps.db
    .selectFrom('plans')
    .selectAll()
    .where('retired_at', 'is', null)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map(({ id, period, connections }) => ({ id, connections, days: periodDays(period) }))
}

/** Someone who came by a partner may use the code, if not the link, with the first purchase. */
const codeOf = ({ partner }: Customer, chance: Chance): string | undefined =>
  partner && chance.is(USES_CODE) ? partner.promocode : undefined

type Attempt = {
  customer: Customer
  wish: Wish
  orderId: string | undefined
  total: number
  tries: number
  round: number
  /** When what it extends ends, or the beginning. */
  ends: number
}

const questionOf = ({ customer, round, tries }: Attempt) => `buys ${customer.number} ${round} ${tries}`

const connectionsOf = async ({ deps }: World, paymentId: string): Promise<string[]> => {
  const rows = await deps.db
    .selectFrom('connections')
    .select('id')
    .where('payment_id', '=', paymentId)
    .orderBy('ordinal')
    .execute()
  return rows.map(({ id }) => id)
}

/** Days before the end, and after it: who takes a week decides in the last hours. */
const EARLY_DAYS = 4

/** Near its end, or a little after, some go on with what they have. */
const planRenewal = (world: World, attempt: Attempt, connections: readonly string[]): void => {
  const { customer, wish, round } = attempt
  const { bought } = wish
  const chance = chanceOf(world.seed, `goes on ${customer.number} ${round}`)
  if (bought.days === 0 || !chance.is(GOES_ON)) return
  const ends = Math.max(attempt.ends, Date.now()) + bought.days * DAY_MS
  const early = Math.min(EARLY_DAYS, bought.days / 8)
  const when = daysAfter(chance, ends - early * DAY_MS, chance.below(early + 2))
  const again = { bought, renew: connections, promocode: undefined }
  world.at(when, (now) => buy(now, customer, again, { round: round + 1, ends }))
}

const succeed = async (
  world: World,
  attempt: Attempt,
  method: DemoMethod,
  paymentId: string,
): Promise<void> => {
  const { deps } = world
  const { customer, wish } = attempt
  const { order_id, partner_id } = await deps.db
    .selectFrom('payments')
    .select(['order_id', 'partner_id'])
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow()
  await issueInvoice(deps, order_id)
  if (partner_id) await creditPartners(deps)
  const connections = wish.renew.length > 0 ? wish.renew : await connectionsOf(world, paymentId)
  world.sales++
  if (wish.renew.length === 0) world.buyers.push(customer)
  const isKept = afterSale(world, {
    customer,
    paymentId,
    method,
    ordinal: world.sales,
    first: wish.renew.length === 0 ? world.buyers.length : 0,
    days: wish.bought.days,
  })
  if (isKept) planRenewal(world, attempt, connections)
}

const fail = (world: World, attempt: Attempt, going: Going): void => {
  const chance = chanceOf(world.seed, `again ${questionOf(attempt)}`)
  if (attempt.tries >= MOST_TRIES || !chance.is(TRIES_AGAIN)) return
  const pause = going === 'expired' ? chance.between(5, 600) : chance.between(1, 9)
  world.at(Date.now() + pause * MINUTE_MS, (now) => tryToPay(now, { ...attempt, tries: attempt.tries + 1 }))
}

const tryToPay = async (world: World, attempt: Attempt): Promise<void> => {
  const { customer, wish, orderId, total } = attempt
  const chance = chanceOf(world.seed, questionOf(attempt))
  const method = drawMethod(chance, customer, wish.bought)
  const going = drawGoing(chance, method)
  const paymentId = orderId
    ? await startToPay(world, customer, method, { orderId, total }, chance)
    : await startToBuyPlan(world, customer, wish, chance)
  followPayment(world, { paymentId, method, going }, async (now) => {
    if (going === 'paid') await succeed(now, attempt, method, paymentId)
    else fail(now, attempt, going)
  })
}

const buy = async (
  world: World,
  customer: Customer,
  wish: Wish,
  { round, ends }: Pick<Attempt, 'round' | 'ends'>,
): Promise<void> => {
  const made = wish.bought.plan ? { orderId: undefined, total: 0 } : await order(world, customer, wish)
  const chance = chanceOf(world.seed, `looks ${customer.number} ${round}`)
  if (made.orderId && chance.is(ONLY_LOOKS)) return
  const attempt = { customer, wish, orderId: made.orderId, total: made.total, tries: 1, round, ends }
  world.at(Date.now() + chance.between(20, 200) * 1_000, (now) => tryToPay(now, attempt))
}

/** Plans are sold in one currency: whoever reckons in another mostly uses the calculator. */
const suits = ({ country }: Customer, { plan }: Bought) =>
  plan === undefined || country.currency === PLAN_CURRENCY

/** The first purchase of someone. */
export const buyFirst =
  (customer: Customer): Deed =>
  async (world) => {
    const chance = chanceOf(world.seed, `wants ${customer.number}`)
    const plans = await listPlans(world)
    const drawn = drawChoice(chance, plans)
    const bought = suits(customer, drawn)
      ? drawn
      : { ...drawn, plan: undefined, days: drawn.days || 365, connections: Math.max(3, drawn.connections) }
    await buy(
      world,
      customer,
      { bought, renew: [], promocode: codeOf(customer, chance) },
      { round: 1, ends: 0 },
    )
  }
