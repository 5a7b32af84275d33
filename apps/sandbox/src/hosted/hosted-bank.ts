import { randomUUID } from 'node:crypto'
import type { Gateway } from '#gateway/gateway.ts'
import type { PageQuery } from '#hosted/page-query.ts'
import { saleFrom } from '#hosted/page-sale.ts'
import { planAt } from '#open-banking/bank-sale.ts'
import { COUNTRIES, type Country, LARGEST_AMOUNT } from '#open-banking/banks.ts'
import type { Payment } from '#payments/payment.ts'
import { startSale } from '#v2/new-sale.ts'

/** Countries whose banks can pay it: nothing is converted. */
export const countriesFor = ({ payment_currency, payment_amount }: PageQuery): readonly Country[] =>
  Number(payment_amount) > LARGEST_AMOUNT
    ? []
    : COUNTRIES.filter(({ currency }) => currency === payment_currency)

/** The page of the bank, while the customer is expected there. */
export const pageAtBank = (gateway: Gateway, { id, wait }: Payment): string | undefined =>
  wait && `${gateway.publicUrl}/at-bank/${encodeURIComponent(id)}?session=${wait.id}`

/**
 * The customer has chosen a bank, and with that agreed to what the page says of it. Returns the bank's page; nothing for a
 * bank that is not offered. Throws where it is paid already.
 */
export const takeBank = (
  gateway: Gateway,
  query: PageQuery,
  bankId: unknown,
  ip: string,
): string | undefined => {
  for (const country of countriesFor(query)) {
    const bank = country.banks.find(({ id }) => String(id) === bankId)
    if (!bank) continue
    const sale = {
      method: `Open Banking ${country.name}`,
      bank: { id: bank.id, name: bank.name },
      plan: { ...planAt(bank, country), actions: ['bank' as const] },
    }
    // At once, because the same browser goes on to the bank's page.
    startSale(gateway, saleFrom(gateway, query, ip), randomUUID(), sale, true)
    return pageAtBank(gateway, gateway.getPayment(query.payment_id))
  }
  return undefined
}
