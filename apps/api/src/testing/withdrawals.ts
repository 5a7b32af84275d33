import { randomUUID } from 'node:crypto'
import type { CurrencyCode } from '@hedgerow/domain/money'
import { applyRefundUpdates } from '#money/refunds/refunds.service.ts'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { anEarning } from '#testing/partners.ts'
import type { TestShop } from '#testing/test-shop.ts'

const IBAN = 'DE89370400440532013000'

/** What a partner's page sends: 250.00 of euros, unless set otherwise. */
export const aWithdrawal = (given: object = {}) => ({
  id: randomUUID(),
  currency: 'EUR',
  amount: 250,
  accountHolder: 'Ada Lovelace',
  iban: IBAN,
  ...given,
})

export const requestPayout = (
  { call }: Pick<TestShop, 'call'>,
  { token }: Pick<TestCustomer, 'token'>,
  body: object,
) => call('POST', '/api/v1/partnership/withdrawals', { token, body })

export const withdrawalsOf = async (
  { call }: Pick<TestShop, 'call'>,
  { token }: Pick<TestCustomer, 'token'>,
) => (await call('GET', '/api/v1/partnership/withdrawals', { token })).body

/** A partner who has earned so much, all of it available. */
export const aPartnerWith = async (
  shop: Pick<TestShop, 'db' | 'settings'>,
  earnedMinor: number,
  currency: CurrencyCode = 'EUR',
) => {
  const partner = await aCustomer(shop)
  await anEarning(shop, partner.id, earnedMinor, currency)
  return partner
}

export const withdrawalRow = ({ db }: Pick<TestShop, 'db'>, id: string) =>
  db.selectFrom('withdrawals').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** The payments of a partner's earnings are refunded in whole. */
export const takeBackEarnings = async (
  shop: Parameters<typeof applyRefundUpdates>[0] & Pick<TestShop, 'db'>,
  partnerId: string,
  currency: CurrencyCode = 'EUR',
) => {
  const earnings = await shop.db
    .selectFrom('earnings')
    .innerJoin('payments', 'payments.id', 'earnings.payment_id')
    .select(['payments.id', 'payments.charged_minor', 'payments.charged_currency'])
    .where('earnings.partner_id', '=', partnerId)
    .where('earnings.currency', '=', currency)
    .execute()
  for (const { id, charged_minor, charged_currency } of earnings)
    await applyRefundUpdates(shop, id, [
      {
        requestId: undefined,
        refundId: undefined,
        status: 'success',
        code: '0',
        amountMinor: charged_minor,
        currency: charged_currency,
        operationId: randomUUID(),
      },
    ])
}
