/** Why a refund cannot be requested, or nothing said of one. */
export type RefundRefusal =
  | {
      code:
        | 'no-payment'
        | 'too-small'
        | 'too-much'
        | 'all-back'
        | 'disputed'
        | 'waits-for-hand'
        | 'waits-for-claim'
        | 'under-way'
        | 'no-refund'
        | 'several'
        | 'none-sent'
        | 'none-failed'
        | 'none-dropped'
    }
  | { code: 'not-paid'; status: string }

const WORDS: Readonly<Record<RefundRefusal['code'], string>> = {
  'no-payment': 'There is no such payment.',
  'too-small': 'The smallest refund is 0.01.',
  'too-much': 'That is more than is left of the payment.',
  'all-back': 'All of it has already been refunded.',
  disputed:
    'The customer’s bank disputes this money, and the gateway has taken it back until that is decided.',
  'waits-for-hand':
    'Another refund of this payment is waiting to be sent by hand. First record that it was sent, or that it is no longer owed.',
  'waits-for-claim':
    'Another refund of this payment is waiting for the customer to claim it. Wait for that, or first record that it was sent another way, or that it is no longer owed.',
  'under-way':
    'Another refund of this payment is under way. Wait until it has ended, or after an hour record that it failed.',
  'no-refund': 'The payment has no such refund.',
  several: 'There are several such refunds. Name one.',
  'none-sent':
    'It is not waiting to be sent by hand, was not refused, and has not been under way for an hour.',
  'none-failed': 'It has not been under way for an hour. Wait that long for the gateway.',
  'none-dropped':
    'It was not refused, and is not waiting to be sent by hand. One that is stuck is first recorded as failed.',
  'not-paid': 'The payment is not paid: its status is',
}

/** A sentence for operators. */
export const refundRefusalText = (refusal: RefundRefusal): string =>
  'status' in refusal ? `${WORDS[refusal.code]} ${refusal.status}.` : WORDS[refusal.code]
