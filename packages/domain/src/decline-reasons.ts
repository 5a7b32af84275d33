/** What a customer may read of a decline, by the gateway's code (gate.md §12). What is not here is not shown. */
const REASONS: readonly [message: string, ...codes: string[]][] = [
  ['Card verification failed. Please try again.', '104', '10104', '10114', '2466'],
  ['Verification was not completed in time.', '108'],
  ['The billing address does not match.', '109'],
  ['You have reached a limit. Pay another way.', '10101', '20101'],
  ['Some of the details are wrong. Please check them.', '10102', '20102'],
  ['The security code is wrong.', '10103'],
  ['There is not enough money in the account.', '10105', '10112', '10113', '20105'],
  ['The card has expired.', '10106', '3021'],
  ['Your bank declined the payment. Ask your bank, or pay another way.', '10100', '10201', '20100'],
  ['The bank cannot be reached at the moment. Try again later.', '314', '10202', '10505', '20202'],
  ['This card cannot be used here.', '10203', '10204', '10205'],
  ['You cancelled the payment.', '301', '10301', '20301'],
  ['Your bank wants you to confirm the payment. Please try again.', '10403', '10709', '10722'],
  ['There was a temporary problem. Please try again.', '601', '602', '10601', '10602', '10603', '20601'],
  ['You cannot pay this way.', '20205'],
]

const BY_CODE = new Map(REASONS.flatMap(([message, ...codes]) => codes.map((code) => [code, message])))

/**
 * Why a payment was declined, in words for the customer. Undefined for what is not theirs to know: reasons of risk must
 * never be shown (gate.md §12), and faults between the gateway and us would help no one.
 */
export const declineReason = (code: string | null | undefined): string | undefined => BY_CODE.get(code ?? '')
