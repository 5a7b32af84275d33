import { sql } from 'kysely'
import { shownOperator } from '#people/operators/operator-actions.ts'
import type { Db } from '#platform/database/client.ts'

/** What operators do for a customer, in the words of a timeline, by the command that the record has. */
const ACT_WORDS: Readonly<Record<string, string>> = {
  'application set': 'Application decided',
  'connection expire': 'Connection ended',
  'connection extend': 'Days added to a connection',
  'connection mail': 'Connection emailed again',
  'connection move': 'Connection moved',
  'connection rekey': 'New keys made for a connection',
  'connection revoke': 'Connection revoked',
  'customer export': 'Account data exported',
  'customer let-buy': 'Allowed to buy again',
  'customer log-out': 'Logged out everywhere',
  'customer resend-confirmation': 'Confirmation emailed again',
  'customer reset-second-step': 'Second step reset',
  'customer withdraw-reset': 'Reset of the second step withdrawn',
  'dispute answered': 'Dispute answered',
  'payment cancel': 'Purchase cancelled',
  'payment settle': 'Payment settled',
  refund: 'Refund requested',
  'refund resolve': 'Refund settled by hand',
  'support close': 'Conversation closed',
  'support reply': 'Reply sent',
}

/** What operators did about one of these, the newest first. */
export const listActsAbout = async (db: Db, subjects: readonly string[], limit: number) => {
  const rows = await db
    .selectFrom('operator_actions')
    .select(['at', 'who', 'command'])
    .where('subject', '=', sql<string>`any(${subjects}::text[])`)
    .where('command', '=', sql<string>`any(${Object.keys(ACT_WORDS)}::text[])`)
    .where('outcome', '=', 'done')
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ at, who, command }) => ({
    at,
    who: shownOperator(who),
    what: ACT_WORDS[command] ?? command,
  }))
}
