import { describe, expect, test } from 'vitest'
import {
  BILLING_MESSAGES,
  commissionKindOf,
  readPartnersVatNumber,
  SELF_BILLING_DAYS,
  sumsOfCommission,
} from './commissions.ts'
import { DAY_MS } from './dates.ts'

describe("a partner's VAT number", () => {
  test.each([
    ['gb 123 4567 89', 'GB123456789'],
    ['XI123456789', 'GB123456789'],
    ['GB123456789001', 'GB123456789001'],
    ['GBHA599', 'GBHA599'],
    ['de 811.907.980', 'DE811907980'],
    ['EL123456789', 'EL123456789'],
    ['GR123456789', 'EL123456789'],
    ['\u202AGB\u200B１２３ 4567 89', 'GB123456789'],
  ])('%s is %s', (typed, number) => expect(readPartnersVatNumber(typed)).toEqual({ number }))

  test.each(['123456789', 'US123456789', ''])('%s does not name its country', (typed) =>
    expect(readPartnersVatNumber(typed)).toHaveProperty('fault'),
  )

  test('says which form it should have', () => {
    expect(readPartnersVatNumber('GB12345678')).toEqual({
      fault: expect.stringContaining('the United Kingdom'),
    })
    expect(readPartnersVatNumber('DE12')).toEqual({ fault: expect.stringContaining('Germany') })
    expect(readPartnersVatNumber('123456789')).toEqual({ fault: BILLING_MESSAGES.prefix })
  })
})

describe('what is written of a commission', () => {
  const agreedAt = new Date('2026-11-28T10:00:00Z')
  const lastDay = new Date(agreedAt.getTime() + SELF_BILLING_DAYS * DAY_MS)

  test.each([
    ['GB123456789', agreedAt, 'self-billed'],
    ['DE811907980', agreedAt, 'reverse-charge'],
    [null, null, 'statement'],
    ['GB123456789', null, 'statement'],
  ] as const)('of %s, agreed %s: %s', (vatNumber, agreed, kind) =>
    expect(commissionKindOf({ vatNumber, agreedAt: agreed }, agreedAt)).toBe(kind),
  )

  test('is a statement once the agreement has ended', () => {
    const billing = { vatNumber: 'GB123456789', agreedAt }
    expect(commissionKindOf(billing, lastDay)).toBe('self-billed')
    expect(commissionKindOf(billing, new Date(lastDay.getTime() + 1))).toBe('statement')
  })

  test('has VAT only of one who is registered here, and within what is paid', () => {
    expect(sumsOfCommission('self-billed', 25_000)).toEqual({
      totalMinor: 25_000,
      netMinor: 20_833,
      vatMinor: 4_167,
      vatRate: 20,
    })
    for (const kind of ['reverse-charge', 'statement'] as const)
      expect(sumsOfCommission(kind, 25_000)).toMatchObject({ netMinor: 25_000, vatMinor: 0, vatRate: 0 })
  })
})
