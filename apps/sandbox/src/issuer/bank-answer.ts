import { decodeBankMessage, encodeBankMessage } from '#next-actions/bank-message.ts'

/**
 * The PaRes that the bank's page hands over for a PaReq, and the cres for a creq. Tests and load tests may skip the page
 * with it.
 */
export const bankAnswer = (request: string, isApproved: boolean): string =>
  encodeBankMessage({
    challenge: decodeBankMessage(request)?.challenge,
    transaction_status: isApproved ? 'Y' : 'N',
  })

/** Anything but the right bank's yes is a no. */
export const isApproval = (answer: string, challengeId: string): boolean => {
  const message = decodeBankMessage(answer)
  return message?.challenge === challengeId && message.transaction_status === 'Y'
}
