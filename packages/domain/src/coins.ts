import { METHOD_NAMES, type PaymentMethod } from './payment-methods.ts'

/** A transaction of a payment in bitcoin: the gateway's name for its way, how much came, at which rate, and its id there. */
export type Coin = { way: string; value: string; rate: string; id: string }

const ON_CHAIN = /-CHAIN$/
const LIGHTNING = /-(LN|LNURL|LightningNetwork|LNURLPAY)$/

/** How it was paid: as it came, where that is known. */
export const methodName = (method: PaymentMethod, coins: readonly Coin[] | null): string => {
  const ways = coins ?? []
  if (ways.length > 0 && ways.every(({ way }) => ON_CHAIN.test(way))) return 'Bitcoin'
  if (ways.length > 0 && ways.every(({ way }) => LIGHTNING.test(way))) return 'Lightning'
  return METHOD_NAMES[method]
}
