import type { PaymentMethods } from '@hedgerow/contract/payment-actions'
import { formatLocalDay } from '@hedgerow/domain/dates'
import { BLIK_CURRENCY, convertMinor, formatCharged, formatRate } from '@hedgerow/domain/exchange'
import { toMinor } from '@hedgerow/domain/money'
import type { PayableOrder } from '#features/checkout/pay.ts'

/** What an order comes to in złoty, in minor units, and the rate that makes it so. */
export type BlikPrice = { minor: number; rateMicro: number; setAt: string }

/** Undefined where the operator has set no rate for the order's currency. */
export const blikPrice = (
  { total, currency }: PayableOrder,
  { blik }: Pick<PaymentMethods, 'blik'>,
): BlikPrice | undefined => {
  const rate = blik.rates.find((one) => one.currency === currency.code)
  return rate && { ...rate, minor: convertMinor(toMinor(total) ?? 0, rate.rateMicro) }
}

/** '€30.00 = 127.50 PLN at 4.25, rate of 21/11/2026'. */
export const rateLine = (
  { total, currency }: PayableOrder,
  { minor, rateMicro, setAt }: BlikPrice,
): string => {
  const sum = formatCharged(toMinor(total) ?? 0, currency.code)
  return `${sum} = ${formatCharged(minor, BLIK_CURRENCY)} at ${formatRate(rateMicro)}, rate of ${formatLocalDay(new Date(setAt))}`
}
