import type { StatementEntry, Withdrawal } from '@hedgerow/contract/partnership'
import { LEDGER_KINDS, LEDGER_POSTINGS } from '@hedgerow/domain/ledger'
import { expect, test } from 'vitest'
import { describeEntry, entryAmount, entryRoute } from '#features/partnership/describe-entry.ts'
import { anEntry, aWithdrawal } from '#testing/fixtures.ts'

const words = (more: Partial<StatementEntry>, withdrawal?: Withdrawal) => {
  const { title, detail } = describeEntry(anEntry(more), withdrawal)
  return detail ? `${title} / ${detail}` : title
}
const earning = {
  source: 'promocode' as const,
  level: 2,
  percentage: 15,
  availableAt: '2026-12-05T14:05:00.000Z',
}

test('says of each movement what happened', () => {
  expect(words({ kind: 'earned', earning })).toBe(
    'Earned by your promocode, 15% at level 2 / Held until 05/12/2026',
  )
  expect(words({ kind: 'earned', earning: { ...earning, source: 'referral' } })).toContain(
    'Earned by your link, 15%',
  )
  expect(words({ kind: 'matured' })).toBe('Available now')
  expect(words({ kind: 'reversed' })).toBe('Taken back: the payment was refunded')
  expect(words({ kind: 'given-up' })).toBe('Given up')
})

test('says of a withdrawal where it goes and why it does not', () => {
  const withdrawal = aWithdrawal({ reason: 'The name differs from the account’s.' })
  expect(words({ kind: 'requested' }, withdrawal)).toBe('Requested / To be paid to …6819')
  expect(words({ kind: 'paid' }, withdrawal)).toBe('Paid to …6819')
  expect(words({ kind: 'refused' }, withdrawal)).toBe(
    'Refused: The name differs from the account’s. / Available again',
  )
})

test('has words where the withdrawal is not known here', () => {
  for (const kind of LEDGER_KINDS) expect(words({ kind })).not.toMatch(/undefined|…/)
})

test('signs what comes and what leaves, and nothing that only moves on', () => {
  const signed = Object.fromEntries(
    LEDGER_KINDS.map((kind) => [
      kind,
      LEDGER_POSTINGS[kind].map(([from, to]) => entryAmount(anEntry({ kind, from, to, amount: 4.35 }))),
    ]),
  )
  expect(signed).toEqual({
    earned: ['+£4.35'],
    matured: ['£4.35'],
    reversed: ['−£4.35', '−£4.35'],
    restored: ['+£4.35', '+£4.35'],
    requested: ['−£4.35'],
    refused: ['+£4.35'],
    paid: ['£4.35'],
    'given-up': ['−£4.35', '−£4.35'],
  })
})

test('says from where to where, by the names that the account has', () => {
  const routes = LEDGER_KINDS.flatMap((kind) =>
    LEDGER_POSTINGS[kind].map(([from, to]) => `${kind}: ${entryRoute(anEntry({ kind, from, to }))}`),
  )
  expect(routes).toEqual([
    'earned: To Pending',
    'matured: Pending → Available',
    'reversed: From Pending',
    'reversed: From Available',
    'restored: To Pending',
    'restored: To Available',
    'requested: Available → Requested',
    'refused: Requested → Available',
    'paid: Requested → Paid',
    'given-up: From Pending',
    'given-up: From Available',
  ])
})
