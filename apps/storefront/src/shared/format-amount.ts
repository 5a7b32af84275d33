import { type CurrencyCode, formatMoney, toMinor } from '@hedgerow/domain/money'

/** An amount of the wire as it is shown: 312.4, 'GBP' → '£312.40'. */
export const formatAmount = (units: number, currency: CurrencyCode): string =>
  formatMoney(toMinor(units) ?? 0, currency)
