import type { CurrencyCode } from '@hedgerow/domain/money'

export const CURRENCY_NAMES: Readonly<Record<CurrencyCode, string>> = { EUR: 'Euros', GBP: 'Pounds' }
