import type { ChallengeMetadata, PaymentStatusReply, RedirectMetadata } from '@hedgerow/contract/payments'
import type { PaymentState } from './payments.queries.ts'

const metadataOf = (
  { id, prescription }: PaymentState,
  publicUrl: string,
): ChallengeMetadata | RedirectMetadata | Record<string, never> => {
  if (prescription.kind === 'challenge') {
    const { acsUrl, paReq, md } = prescription
    return { acs_url: acsUrl, pa_req: paReq, md, term_url: `${publicUrl}/api/v1/payment/challenge/${id}` }
  }
  if (prescription.kind === 'redirect') {
    const { url, method, body } = prescription
    return { url, method, body }
  }
  return {}
}

/** Where to go is told only while the customer is to go there. */
export const presentStatus = (row: PaymentState, publicUrl: string): PaymentStatusReply => {
  const isSent = row.status === 'awaiting 3ds result' || row.status === 'awaiting redirect result'
  return { status: row.status, metadata: JSON.stringify(isSent ? metadataOf(row, publicUrl) : {}) }
}
