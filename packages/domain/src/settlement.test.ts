import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CurrencyTotals,
  matchSettlement,
  OPERATION_KINDS,
  type OperationKind,
  pairOperations,
  type SettlementOperation,
  type ShopEntry,
  signedFor,
  totalsOf,
} from './settlement.ts'

const operation = (
  id: string,
  kind: OperationKind,
  minor: number,
  paymentId: string | null = 'p1',
  currency = 'EUR',
): SettlementOperation => {
  const sum = { minor: signedFor(kind, minor), currency }
  return { id, kind, paymentId, initial: sum, booked: sum, feeMinor: 0 }
}

const entry = (
  kind: ShopEntry['kind'],
  id: string,
  minor: number,
  paymentId = 'p1',
  currency = 'EUR',
): ShopEntry => ({ id, kind, paymentId, minor, currency })

const anOperation = fc.record({
  id: fc.integer({ min: 1, max: 40 }).map(String),
  kind: fc.constantFrom(...OPERATION_KINDS),
  paymentId: fc.constantFrom(null, 'p1', 'p2', 'p3'),
  minor: fc.integer({ min: -5, max: 5 }).map((units) => units * 100),
  currency: fc.constantFrom('EUR', 'GBP', 'PLN', 'JPY'),
  feeMinor: fc.integer({ min: -50, max: 500 }),
})

/** As the gateway tells them: of one id always the same. */
const operations = fc.uniqueArray(anOperation, { selector: ({ id }) => id, maxLength: 40 }).map((all) =>
  all.map(({ id, kind, paymentId, minor, currency, feeMinor }) => ({
    ...operation(id, kind, minor, paymentId, currency),
    feeMinor,
  })),
)

const entries = fc.array(
  fc.record({
    id: fc.uuid(),
    paymentId: fc.constantFrom('p1', 'p2', 'p3'),
    kind: fc.constantFrom('sale' as const, 'refund' as const, 'dispute' as const),
    minor: fc.integer({ min: 1, max: 5 }).map((units) => units * 100),
    currency: fc.constantFrom('EUR', 'GBP'),
    operationId: fc.option(fc.integer({ min: 1, max: 40 }).map(String)),
  }),
  { maxLength: 20 },
)

const PARTS = [
  ...(['salesMinor', 'refundsMinor', 'chargebacksMinor', 'representmentsMinor'] as const),
  ...(['feesMinor', 'payoutsMinor', 'correctionsMinor', 'exchangesMinor'] as const),
  ...(['reservesMinor', 'releasesMinor', 'otherShopsMinor'] as const),
]

describe('totals', () => {
  test('of each currency are the sum of their parts, and of all operations', () => {
    fc.assert(
      fc.property(operations, (all) => {
        for (const total of totalsOf(all)) {
          const own = all.filter(({ booked }) => booked.currency === total.currency)
          expect(PARTS.reduce((sum, part) => sum + total[part], 0)).toBe(total.changeMinor)
          expect(own.reduce((sum, { booked, feeMinor }) => sum + booked.minor - feeMinor, 0)).toBe(
            total.changeMinor,
          )
          expect(total.operations).toBe(own.length)
        }
      }),
    )
  })

  test('stand by currency in alphabetical order, each operation in its part', () => {
    const all = [
      { ...operation('1', 'sale', 3000, 'p1', 'PLN'), feeMinor: 40 },
      operation('2', 'refund', 500, 'p1', 'EUR'),
    ]
    expect(totalsOf(all)).toMatchObject([
      { currency: 'EUR', operations: 1, refundsMinor: -500, changeMinor: -500 },
      { currency: 'PLN', operations: 1, salesMinor: 3000, feesMinor: -40, changeMinor: 2960 },
    ])
  })

  test('of two halves of a period add up to those of the whole', () => {
    fc.assert(
      fc.property(operations, fc.nat(40), (all, at) => {
        const sum = (totals: CurrencyTotals[]) => totals.reduce((total, one) => total + one.changeMinor, 0)
        expect(sum(totalsOf(all.slice(0, at))) + sum(totalsOf(all.slice(at)))).toBe(sum(totalsOf(all)))
      }),
    )
  })

  test('do not depend on the order, nor on repeats', () => {
    fc.assert(
      fc.property(operations, (all) => {
        expect(totalsOf([...all, ...all].reverse())).toEqual(totalsOf(all))
      }),
    )
  })
})

describe('matching', () => {
  test('puts every operation in one place, and every entry in one at most', () => {
    fc.assert(
      fc.property(operations, entries, (all, known) => {
        const { matched, onlyAtGateway, onlyInShop, differing } = matchSettlement(all, known)
        const placed = [...matched, ...onlyAtGateway, ...differing.map((one) => one.operation)]
        expect(placed.map(({ id }) => id).sort()).toEqual(all.map(({ id }) => id).sort())
        const entries = [...onlyInShop, ...differing.map((one) => one.entry)]
        expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
      }),
    )
  })

  test('does not depend on the order, nor on repeats', () => {
    fc.assert(
      fc.property(operations, entries, (all, known) => {
        const once = matchSettlement(all, known)
        expect(matchSettlement([...all, ...all].reverse(), [...known].reverse())).toEqual(once)
      }),
    )
  })

  test('finds nothing where both sides have the same', () => {
    fc.assert(
      fc.property(entries, (known) => {
        const kinds = { sale: 'sale', refund: 'refund', dispute: 'chargeback' } as const
        const entries = known.map(({ id, kind, minor, paymentId, currency }) =>
          operation(id, kinds[kind], minor, paymentId, currency),
        )
        const own = known.map((one) => ({ ...one, operationId: null }))
        const { onlyAtGateway, onlyInShop, differing } = matchSettlement(entries, own)
        expect([onlyAtGateway, onlyInShop, differing]).toEqual([[], [], []])
      }),
    )
  })

  const found = (all: SettlementOperation[], known: ShopEntry[]) => {
    const { onlyAtGateway, onlyInShop, differing } = matchSettlement(all, known)
    return {
      gateway: onlyAtGateway.map(({ id }) => id),
      shop: onlyInShop.map(({ id }) => id),
      differing: differing.map(({ operation: { id }, entry: one }) => `${id} ${one.id}`),
    }
  }
  const nothing = { gateway: [], shop: [], differing: [] }
  const sale = operation('1', 'sale', 3000)
  const sold = entry('sale', 'p1', 3000)

  test.each<[string, SettlementOperation[], ShopEntry[], object]>([
    ['a sale that the shop never saw', [sale], [], { gateway: ['1'] }],
    ['a sale that the report lacks', [], [sold], { shop: ['p1'] }],
    ['another sum', [operation('1', 'sale', 2999)], [sold], { differing: ['1 p1'] }],
    ['another currency', [operation('1', 'sale', 3000, 'p1', 'GBP')], [sold], { differing: ['1 p1'] }],
    ['a sale that was charged twice', [sale, operation('2', 'sale', 3000)], [sold], { gateway: ['2'] }],
    ['a part that went back', [sale, operation('2', 'refund', 500)], [sold, entry('refund', 'r1', 500)], {}],
    [
      'the same part that went back twice, and once in the shop',
      [sale, operation('2', 'refund', 500), operation('3', 'refund', 500)],
      [sold, entry('refund', 'r1', 500)],
      { gateway: ['3'] },
    ],
    [
      'two refunds that the gateway booked as one',
      [sale, operation('2', 'refund', 700)],
      [sold, entry('refund', 'r1', 500), entry('refund', 'r2', 200)],
      {},
    ],
    [
      'a refund known by its id, of another sum',
      [sale, operation('2', 'refund', 600), operation('3', 'refund', 500)],
      [sold, { ...entry('refund', 'r1', 500), operationId: '2' }],
      { differing: ['2 r1'], gateway: ['3'] },
    ],
    ['a correction', [operation('1', 'correction', -1, null)], [], { gateway: ['1'] }],
    [
      'fees, payouts, exchanges and reserves',
      ['fee', 'payout', 'exchange', 'reserve', 'release'].map((kind, at) =>
        operation(String(at), kind as OperationKind, 5, null),
      ),
      [],
      {},
    ],
    [
      'a chargeback that nobody recorded',
      [sale, operation('2', 'chargeback', 3000)],
      [sold],
      { gateway: ['2'] },
    ],
    [
      'a dispute that was lost',
      [sale, operation('2', 'chargeback', 3000)],
      [sold, entry('dispute', 'r1', 3000)],
      {},
    ],
    [
      'a lost dispute that the gateway did not book',
      [sale],
      [sold, entry('dispute', 'r1', 3000)],
      { shop: ['r1'] },
    ],
    [
      'a chargeback that came back',
      [sale, operation('2', 'chargeback', 3000), operation('3', 'representment', 3000)],
      [sold],
      {},
    ],
    [
      'one that came back and was taken again',
      [
        ...[sale, operation('2', 'chargeback', 3000), operation('3', 'representment', 3000)],
        operation('4', 'chargeback', 3000),
      ],
      [sold, entry('dispute', 'r1', 3000)],
      {},
    ],
    [
      'a chargeback while its dispute is open',
      [sale, operation('2', 'chargeback', 3000)],
      [sold, entry('open-dispute', 'd1', 3000)],
      {},
    ],
  ])('tells of %s', (_, all, known, expected) => {
    expect(found(all, known)).toEqual({ ...nothing, ...expected })
  })
})

test('a refund that came back stands for nothing beside the booking that sent it, unless the shop takes it for sent', () => {
  const sent = { ...operation('1', 'refund', 500), source: 're_1' }
  const back = { ...operation('2', 'refund', 500), source: 're_1', initial: { minor: 500, currency: 'EUR' } }
  const other = { ...operation('3', 'refund', 500), source: 're_2' }
  const known = { ...entry('refund', 'r2', 500), operationId: 're_2' }
  const matchOf = (entries: ShopEntry[]) => {
    const { matched, onlyAtGateway, onlyInShop } = matchSettlement([back, other, sent], entries)
    const ids = (of: { id: string }[]) => of.map(({ id }) => id).sort()
    return [ids(matched), ids(onlyAtGateway), ids(onlyInShop)]
  }
  expect(matchOf([known])).toEqual([['1', '2', '3'], [], []])
  expect(matchOf([known, { ...entry('refund', 'r1', 500), operationId: 're_1' }])).toEqual([
    ['1', '3'],
    ['2'],
    [],
  ])
  expect(pairOperations([back, other, sent], [known]).map(([{ id }]) => id)).toEqual(['3'])
})

test('a sum is signed as it changes the balance, however the report writes it', () => {
  expect(signedFor('sale', -5)).toBe(5)
  expect(signedFor('refund', 5)).toBe(-5)
  expect(signedFor('payout', -5)).toBe(-5)
  expect(signedFor('correction', -5)).toBe(-5)
  expect([signedFor('reserve', 5), signedFor('release', -5)]).toEqual([-5, 5])
  expect(Object.is(signedFor('fee', 0), 0)).toBe(true)
})

test('operations are paired with entries of their payment by id, then by kind and sum, then by kind alone', () => {
  const operations = [
    operation('1', 'refund', 500),
    operation('2', 'refund', 700),
    operation('3', 'refund', 900),
    operation('4', 'sale', 900),
    operation('5', 'refund', 700, 'p2'),
  ]
  const entries = [
    { ...entry('refund', 'a', 900), operationId: '1' },
    entry('refund', 'b', 700),
    entry('refund', 'c', 100),
    entry('sale', 'd', 700, 'p3'),
  ]
  expect(pairOperations(operations, entries).map(([{ id }, other]) => id + other.id)).toEqual([
    '1a',
    '2b',
    '3c',
  ])
})
