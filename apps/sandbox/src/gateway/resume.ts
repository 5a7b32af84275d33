import type { Gateway } from '#gateway/gateway.ts'
import { finishRefund } from '#gateway/refund.ts'
import { advanceSale, armTimeout, confirmLater } from '#gateway/sale.ts'

/** Takes up what a former run left: undelivered callbacks, undecided payments, customers at their bank. */
export const resumeGateway = (gateway: Gateway): void => {
  gateway.callbacks.resume()
  for (const payment of gateway.books.all()) {
    if (payment.wait) armTimeout(gateway, payment)
    if (payment.status === 'awaiting confirmation') confirmLater(gateway, payment)
    for (const operation of payment.operations) {
      if (operation.status !== 'processing') continue
      gateway.later(() =>
        operation.type === 'sale' ? advanceSale(gateway, payment) : finishRefund(gateway, payment, operation),
      )
    }
  }
}
