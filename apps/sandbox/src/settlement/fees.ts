/** What the gateway takes, in minor units of the operation's currency. The rates are invented; that there are some is not. */
type Fee = { perMille: number; fixed: number }

const SALE_FEES: Readonly<Record<string, Fee>> = {
  card: { perMille: 14, fixed: 20 },
  'Open Banking': { perMille: 5, fixed: 10 },
  blik: { perMille: 12, fixed: 50 },
}

const REFUND_FEE = 15
export const TRANSFER_FEE = 25

/** Half up. */
export const saleFee = (method: string, amount: number): number => {
  // Banks have their country in the method: 'Open Banking UK'.
  const name = method.startsWith('Open Banking') ? 'Open Banking' : method
  const { perMille, fixed } = SALE_FEES[name] ?? { perMille: 20, fixed: 20 }
  return Math.floor((amount * perMille + 500) / 1_000) + fixed
}

export const refundFee = (): number => REFUND_FEE
