import type { EvidenceSection } from '@hedgerow/documents/evidence-pdf'
import { formatCharged } from '@hedgerow/domain/exchange'
import { creditNoteNumber } from '@hedgerow/domain/invoices'
import { listDisputesOf } from '#money/disputes/disputes.queries.ts'
import { type EvidencePurchase, listNotes, listStatements } from '#money/disputes/evidence.queries.ts'
import { time } from '#money/disputes/evidence-text.ts'
import { listReferences, listRefunds } from '#money/refunds/refunds.queries.ts'
import type { Db } from '#platform/database/client.ts'
import type { DisputeRow } from '#platform/database/tables/disputes.table.ts'

const REFUNDS = { Pending: 'under way', Success: 'given back', Decline: 'not given back' } as const

export const refundSection = async (db: Db, purchase: EvidencePurchase): Promise<EvidenceSection> => {
  const notes = new Map((await listNotes(db, purchase.id)).map((note) => [note.refund_id, note]))
  const refunds = await listRefunds(db, [purchase.id])
  const references = await listReferences(db, [purchase.id])
  const statements = purchase.email === null ? [] : await listStatements(db, purchase.email)
  return {
    heading: 'Refunds and cancellations',
    facts: [
      ['Cancelled', purchase.cancelled_at ? time(purchase.cancelled_at) : 'The purchase was not cancelled.'],
      ...statements.map(
        (one) =>
          ['Said without logging in', `${time(one.received_at)}: ${one.contract}. ${one.message}`] as const,
      ),
    ],
    table: {
      none: 'There was no refund.',
      heads: ['Asked for', 'Amount', 'Ended', 'Credit note', 'ARN, or operation at the gateway'],
      widths: [0.18, 0.12, 0.23, 0.2, 0.27],
      rows: refunds.map((one) => {
        const note = notes.get(one.id)
        return [
          time(one.created_at),
          formatCharged(one.amount_minor, purchase.received_currency ?? purchase.charged_currency),
          `${REFUNDS[one.status]}${one.ended_at ? `, ${time(one.ended_at)}` : ''}${one.reversed_at ? `; reversed, ${time(one.reversed_at)}` : ''}`,
          note ? creditNoteNumber(note.year, note.number) : '',
          references.get(one.id) ?? one.gate_operation_id ?? '',
        ]
      }),
    },
  }
}

export const disputesSection = async (db: Db, dispute: DisputeRow): Promise<EvidenceSection[]> => {
  const others = (await listDisputesOf(db, [dispute.payment_id])).filter(({ id }) => id !== dispute.id)
  if (others.length === 0) return []
  return [
    {
      heading: 'Other disputes of this payment',
      table: {
        heads: ['Opened', 'Amount', 'Status'],
        widths: [0.3, 0.3, 0.4],
        rows: others.map((one) => [
          time(one.opened_at),
          formatCharged(one.amount_minor, one.currency),
          one.status,
        ]),
      },
    },
  ]
}
