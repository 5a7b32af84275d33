import { type Month, parseMonth } from '#accounting/month-end/month.ts'
import { creditPartners } from '#partners/earnings/earnings.service.ts'
import { insertAccountingRate } from '#sales/invoices/sterling.ts'
import { eraseAccount, type TestCustomer } from '#testing/customers.ts'
import { type Dated, type DatedWithdrawal, dateSale, dateWithdrawal } from '#testing/months/clocks.ts'
import { CERTAIN, DEEDS, payOtherSum } from '#testing/months/deeds.ts'
import { hearOfDispute } from '#testing/months/disputes.ts'
import { takeReport } from '#testing/months/gateway-report.ts'
import { holdPapers, issuePapers } from '#testing/months/papers.ts'
import { payByFiles } from '#testing/months/pay-by-file.ts'
import { drawTime } from '#testing/months/times.ts'
import type { Deed, World } from '#testing/months/world.ts'
import { COMPANY } from '#testing/oss-shops.ts'
import { setRate } from '#testing/payment-methods.ts'
import type { TestShop } from '#testing/test-shop.ts'
import { type Chance, chanceOf } from '#testing/torture/chance.ts'

const LANES = 4
/** Of the month, the one before and the one after: something of it may fall into either. */
const setRates = async (shop: TestShop, chance: Chance, { from, to, firstDay }: Month): Promise<void> => {
  const dayOf = (at: number) => `${new Date(at).toISOString().slice(0, 7)}-01`
  const days = [dayOf(from.getTime() - 10 * 86_400_000), firstDay, dayOf(to.getTime() + 86_400_000)]
  for (const day of days) {
    const rateMicro = 1_100_000 + chance.below(150_000)
    await insertAccountingRate(shop.db, 'sterling', { currency: 'EUR', day, rateMicro })
  }
  for (const currency of ['EUR', 'GBP'] as const)
    await setRate(shop, currency, 4_000_000 + chance.below(1_000_000))
}

const drawDeed = (chance: Chance): Deed => {
  const all = DEEDS.flatMap(([often, deed]) => Array.from({ length: often }, () => deed))
  return chance.pick(all)
}

/** Where customers are, where the shop asks for it. */
const PLACES = [
  ...[{ country: 'GB' }, { country: 'GB' }, { country: 'GB' }, { country: 'DE' }, { country: 'FI' }],
  ...[{ country: 'FR' }, { country: 'US' }, { country: 'DE', vatNumber: 'DE123456789', ...COMPANY }],
]

/** The month, the one before it, and the one after. What falls on the last instant before it is of these. */
export const withNeighbours = ({ name }: Month): Month[] => {
  const [year = 0, month = 0] = name.split('-').map(Number)
  return [-1, 0, 1].map(
    (by) => parseMonth(new Date(Date.UTC(year, month - 1 + by, 1)).toISOString().slice(0, 7)) as Month,
  )
}

type Lived = { month: Month; paymentIds: string[]; withdrawalIds: string[] }

/**
 * A month of a shop, made by the shop itself with its gateway: so many things happen, as a seed says, and `also` what is
 * named. They are lived now, a
 * few at a time, and dated afterwards (clocks.ts). Then the shop issues its papers, and some customers leave.
 */
export const liveMonth = async (
  shop: TestShop,
  {
    seed,
    month,
    deeds,
    also = [],
    earlier = [],
  }: { seed: number; month: Month; deeds: number; also?: readonly Deed[]; earlier?: readonly Month[] },
): Promise<Lived> => {
  const dated: Dated[] = []
  const withdrawals: DatedWithdrawal[] = []
  const leaving: TestCustomer[] = []
  const byFile = new Map<string, () => Date>()
  const world: World = {
    shop,
    month,
    date: (paymentId, chance) =>
      dated.push({
        paymentId,
        paidAt: drawTime(chance, month),
        refundedAt: Array.from({ length: 5 }, () => drawTime(chance, month)),
      }),
    place: (chance) => (shop.settings.vatScheme === 'oss' ? chance.pick(PLACES) : {}),
    payByFile: (id, draw) => byFile.set(id, draw),
    dateWithdrawal: (id, draw) => {
      const [askedAt, endedAt] = [draw(), draw()].toSorted((one, other) => Number(one) - Number(other))
      if (askedAt && endedAt) withdrawals.push({ id, askedAt, endedAt })
    },
    leave: (customer) => leaving.push(customer),
    credit: async () => {
      await creditPartners(shop)
    },
  }
  await holdPapers(shop)
  await setRates(shop, chanceOf(seed, 'rates'), month)
  const drawn = Array.from({ length: deeds }, (_, at) => drawDeed(chanceOf(seed, `kind ${at}`)))
  const todo = [...CERTAIN, ...also, ...drawn].map((deed, at) => ({
    deed,
    chance: chanceOf(seed, `deed ${at}`),
  }))
  const lane = async () => {
    for (let next = todo.shift(); next; next = todo.shift()) await next.deed(world, next.chance)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  await payOtherSum(world, chanceOf(seed, 'other sum'))
  await hearOfDispute(world, chanceOf(seed, 'heard of'))
  await payByFiles(shop, new Set(byFile.keys()))
  for (const [id, draw] of byFile) world.dateWithdrawal(id, draw)
  await world.credit()
  for (const one of dated) await dateSale(shop, one)
  for (const one of withdrawals) await dateWithdrawal(shop, one)
  for (const customer of leaving) await eraseAccount(shop, customer)
  await issuePapers(shop)
  const months = new Map([...earlier, ...withNeighbours(month)].map((one) => [one.name, one]))
  await takeReport(shop, [...months.values()])
  return {
    month,
    paymentIds: dated.map(({ paymentId }) => paymentId),
    withdrawalIds: withdrawals.map(({ id }) => id),
  }
}
