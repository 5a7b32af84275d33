import { sql } from 'kysely'
import type { CancellationIsPossible } from '#money/cancellations/cancellations.service.ts'
import type { OperatorCaller } from '#people/operators/guard-operators.ts'
import type { Trx } from '#platform/database/client.ts'
import { Problem } from '#platform/http/problems.ts'

/** When a customer first wrote to the shop after a time: in a conversation, or by a statement of cancellation. */
const findFirstWord = async (trx: Trx, customerId: string, since: Date | null): Promise<Date | null> => {
  const { rows } = await sql<{ at: Date | null }>`
    select least(
      (select min(conversation_messages.created_at) from conversation_messages
        join conversations on conversations.id = conversation_messages.conversation_id
        where customer_id = ${customerId} and author = 'customer' and conversation_messages.created_at >= ${since}),
      (select min(received_at) from cancellation_statements
        join customers on customers.email = lower(cancellation_statements.email)
        where customers.id = ${customerId} and received_at >= ${since})
    ) as at`.execute(trx)
  return rows[0]?.at ?? null
}

/**
 * What was used since the time when the customer asked is given back too: so that time has to be on record, unless the
 * operator may give back large sums. Throws 'cancellation-refused'.
 */
export const requireWordFrom = async (
  trx: Trx,
  operator: OperatorCaller,
  { customerId, paidAt, at }: CancellationIsPossible,
): Promise<void> => {
  if (operator.permissions.has('payments.refund-large')) return
  const word = await findFirstWord(trx, customerId, paidAt)
  if (!word || at < word)
    throw new Problem('cancellation-refused', {
      detail:
        'Nothing that the customer wrote by then is on record. Leave the time out, or ask someone who may give back large sums.',
    })
}
