/** Where a payment is waited for. */
export const paymentResultPath = (paymentId: string) => `/payment/result/${encodeURIComponent(paymentId)}`

type PaymentResultLinkProps = { paymentId: string; className: string; children: string }

/** To where a payment is waited for. A plain link: that page is a document of its own. */
export const PaymentResultLink = ({ paymentId, ...rest }: PaymentResultLinkProps) => (
  <a href={paymentResultPath(paymentId)} {...rest} />
)
