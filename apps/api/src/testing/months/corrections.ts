import { invoiceNumber } from '@hedgerow/domain/invoices'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { correctInvoice, type RightFacts } from '#sales/invoices/correct-invoice.ts'
import { isOver } from '#testing/months/give-back.ts'
import { issuePapers } from '#testing/months/papers.ts'
import { COMPANY } from '#testing/oss-shops.ts'
import type { TestShop } from '#testing/test-shop.ts'
import type { Chance } from '#testing/torture/chance.ts'

const BUYER = { name: COMPANY.company, address: COMPANY.companyAddress.split('\n') }
const NAMED: RightFacts = { buyer: BUYER }
/** What a shop that asks where customers are can have had wrong. */
const TAXES: readonly RightFacts[] = [
  { country: 'GB', vatNumber: null },
  { country: 'FI', vatNumber: null },
  { country: 'US', vatNumber: null },
  { country: 'DE', vatNumber: { number: 'DE123456789', standing: 'unchecked' }, buyer: BUYER },
]

const listLive = ({ db }: Pick<TestShop, 'db'>, paymentIds: readonly string[]) =>
  db
    .selectFrom('payments')
    .innerJoin('live_invoices', 'live_invoices.order_id', 'payments.order_id')
    .select(['payments.id', 'payments.charged_minor', 'live_invoices.year', 'live_invoices.number'])
    .where('payments.is_invoiced', '=', true)
    .where('payments.id', 'in', paymentIds)
    .orderBy('payments.ended_at')
    .execute()

/**
 * Invoices of a month that was lived are corrected, some twice, and of some a part goes back afterwards. It happens now: a
 * correction is numbered in the year in which it is made. Returns how many there were.
 */
export const correctSome = async (
  shop: TestShop,
  chance: Chance,
  paymentIds: readonly string[],
): Promise<number> => {
  const isOss = shop.settings.vatScheme === 'oss'
  let count = 0
  const correct = async (share: number) => {
    for (const { id, charged_minor, year, number } of await listLive(shop, paymentIds)) {
      if (!chance.is(share)) continue
      const right = isOss ? chance.pick([NAMED, ...TAXES]) : NAMED
      const answer = await correctInvoice(shop, invoiceNumber(year, number), right)
      if (answer.kind === 'refused') continue
      count++
      const amountMinor = 1 + chance.below(Math.floor(charged_minor / 20))
      // Refused where a dispute holds the rest.
      if (chance.is(0.4)) await requestRefund(shop, { paymentId: id, amountMinor, isAgain: true })
      await isOver({ shop }, id)
    }
    await issuePapers(shop)
  }
  await correct(0.5)
  await correct(0.2)
  return count
}
