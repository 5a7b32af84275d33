import { PASSWORD } from '#testing/customers.ts'
import { type Buyer, insist, strange } from '#testing/torture/customer.ts'
import { count } from '#testing/torture/history.ts'
import { ask } from '#testing/torture/shop-door.ts'

/** Not paid for any more, or not yet known to be paid: the page says so, and nothing happens. */
const isRefusal = (status: number | undefined) => status === 409

/** One press of the button that shows the sum, and of the one that confirms it. */
const cancelOnce = async (buyer: Buyer, paymentId: string): Promise<void> => {
  const { shopUrl, token, history } = buyer
  const url = `${shopUrl}/api/v1/payment/${paymentId}/cancellation`
  const shown = await insist(buyer, () => ask(url, { token }))
  if (isRefusal(shown?.status)) return count(history, 'cancellations: not offered')
  if (shown?.status !== 200) return strange(buyer, 'what a cancellation would give back', shown)
  const { refund, asksPassword } = shown.body
  const body = { refund, ...(asksPassword ? { password: PASSWORD } : {}) }
  const answer = await insist(buyer, () => ask(url, { token, body }))
  if (isRefusal(answer?.status)) return count(history, 'cancellations: refused')
  if (answer?.status !== 200) return strange(buyer, 'a cancellation', answer)
  count(history, 'cancellations: done')
}

/** Presses as often as planned, all at once: one cancellation comes of it. */
export const cancelAsPlanned = async (buyer: Buyer, paymentId: string, presses: number): Promise<void> => {
  await Promise.all(Array.from({ length: presses }, () => cancelOnce(buyer, paymentId)))
}
