import type { DisputeStatus } from './dispute-status.ts'

/** Why something cannot be recorded of a dispute. */
export type DisputeRefusal =
  | {
      code:
        | 'no-payment'
        | 'no-dispute'
        | 'nothing-left'
        | 'too-small'
        | 'too-much'
        | 'lost-is-final'
        | 'won-before'
        | 'connections-have-ended'
    }
  | { code: 'not-paid'; status: string }
  | { code: 'ended-before'; status: DisputeStatus }

const WORDS: Readonly<Record<DisputeRefusal['code'], string>> = {
  'no-payment': 'There is no such payment.',
  'no-dispute': 'There is no such dispute.',
  'nothing-left':
    'Nothing is left of the payment that could be disputed: it was refunded, or is disputed already.',
  'too-small': 'The smallest dispute is 0.01.',
  'too-much': 'That is more than is left of the payment.',
  'lost-is-final': 'It was lost, which is final.',
  'won-before': 'It was won. If the bank goes on, reopen it first.',
  'connections-have-ended': 'Its connections have ended already, and do not come back.',
  'not-paid': 'The payment is not paid: its status is',
  'ended-before': 'It has ended already: it was',
}

/** A sentence for operators. */
export const disputeRefusalText = (refusal: DisputeRefusal): string =>
  'status' in refusal ? `${WORDS[refusal.code]} ${refusal.status}.` : WORDS[refusal.code]
