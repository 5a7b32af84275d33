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
        | 'no-papers-yet'
        | 'other-sum'
    }
  | { code: 'not-paid'; status: string }
  | { code: 'not-lost'; status: DisputeStatus }
  | { code: 'ended-before'; status: DisputeStatus }

const WORDS: Readonly<Record<DisputeRefusal['code'], string>> = {
  'no-payment': 'There is no such payment.',
  'no-dispute': 'There is no such dispute.',
  'nothing-left':
    'Nothing is left of the payment that could be disputed: it was refunded, or is disputed already.',
  'too-small': 'The smallest dispute is 0.01.',
  'too-much': 'That is more than is left of the payment.',
  'lost-is-final': 'It was lost. If the money has come back after all, say that it was reversed.',
  'won-before': 'It was won. If the bank goes on, reopen it first.',
  'connections-have-ended': 'Its connections have ended already, and do not come back.',
  'no-papers-yet': 'The invoice of its payment is not issued yet. Try again once it is.',
  'other-sum': 'Its payment brought another sum than was asked for, and is to be settled by hand.',
  'not-lost': 'Only what was lost can be reversed. It is',
  'not-paid': 'The payment is not paid: its status is',
  'ended-before': 'It has ended already: it was',
}

/** A sentence for operators. */
export const disputeRefusalText = (refusal: DisputeRefusal): string =>
  'status' in refusal ? `${WORDS[refusal.code]} ${refusal.status}.` : WORDS[refusal.code]
