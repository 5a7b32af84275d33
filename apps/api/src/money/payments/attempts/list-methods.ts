import type { PaymentMethods } from '@hedgerow/contract/payment-actions'
import { BANK_COUNTRIES } from '@hedgerow/domain/bank-countries'
import { CURRENCY_CODES } from '@hedgerow/domain/money'
import { listRates } from '#money/rates/rates.queries.ts'
import type { With } from '#platform/dependencies.ts'
import type { Settings } from '#platform/settings.ts'

/** The card is typed on a page of a gateway's. */
export const isCardOnPage = ({ cardForm, carriers }: Pick<Settings, 'cardForm' | 'carriers'>): boolean =>
  cardForm === 'hosted' || carriers.card !== 'gate'

/** What can be paid with by open banking and by Blik, so that the checkout says it before a customer pays. */
export const listMethods = async ({ db, settings }: With<'db' | 'settings'>): Promise<PaymentMethods> => {
  const bankCurrencies = new Set(settings.bankCountries.map((country) => BANK_COUNTRIES[country]?.currency))
  // The rates are for Blik, which the Gate alone carries.
  const rates = settings.gate ? await listRates(db) : []
  const asksCountry = settings.vatScheme === 'oss'
  return {
    ...(asksCountry ? { asksCountry } : {}),
    ...(asksCountry && settings.viesUrl ? { looksUpVatNumbers: true } : {}),
    card: { hosted: isCardOnPage(settings) },
    ...(settings.carriers.crypto ? { takesCrypto: true } : {}),
    openBanking: {
      currencies: settings.gate ? CURRENCY_CODES.filter((code) => bankCurrencies.has(code)) : [],
      ...(settings.gate?.pageUrl ? {} : { needsBank: true }),
    },
    blik: {
      rates: rates.map(({ currency, rate_micro, set_at }) => ({
        currency,
        rateMicro: rate_micro,
        setAt: set_at.toISOString(),
      })),
    },
  }
}
