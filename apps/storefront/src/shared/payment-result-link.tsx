import { resultAddress } from '#lib/result-address.ts'

type ResultLinkProps = { paymentId: string; className: string; children: string }

/** To where a payment is waited for. A plain link: that page is a document of its own. */
export const ResultLink = ({ paymentId, ...rest }: ResultLinkProps) => (
  <a href={resultAddress(paymentId)} {...rest} />
)
