import { convertBack } from './exchange.ts'
import { addMonths } from './periods.ts'

/** What a month comes to, in the order in which it is read; all but the last two add up to what remains. */
export const STATEMENT_PARTS = [
  'sales',
  'credit-notes',
  'fees',
  'earnings',
  'bad-debts',
  'vat',
  'withdrawals',
] as const
export type StatementPart = (typeof STATEMENT_PARTS)[number]

/** VAT is the tax authorities' money, and withdrawals are paid out of earnings that were counted when they were earned. */
const IS_BESIDE: readonly StatementPart[] = ['vat', 'withdrawals']

export const isBeside = (part: StatementPart): boolean => IS_BESIDE.includes(part)

export const STATEMENT_WORDS: Readonly<Record<StatementPart | 'remains', string>> = {
  sales: 'Sales, without VAT',
  'credit-notes': 'Refunds, without VAT',
  fees: 'Gateway’s fees',
  earnings: 'Partners’ earnings',
  'bad-debts': 'Lost disputes without a credit note',
  remains: 'What remains',
  vat: 'VAT on sales, less refunds',
  withdrawals: 'Paid to partners',
}

/** Signed as it changes what remains; null: documents of it say nothing in pounds, for want of a rate. */
export type StatementSum = { part: StatementPart; currency: string; minor: number | null }

export type StatementLine = {
  part: StatementPart
  /** In pence; null while a rate is missing. */
  pence: number | null
  /** What it was made of, by currency; what documents say in pounds is in pounds. */
  sums: { currency: string; minor: number | null }[]
}

export type MonthStatement = {
  lines: StatementLine[]
  remainsPence: number | null
  /** Currencies that have no rate in the month, and moved in it. */
  missing: string[]
}

const plus = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : one + other

/**
 * In pounds, each currency's sum at the rate of the month: `rateOf` tells how many millionths of it one pound is worth, and
 * undefined where no rate is set. Nothing is guessed: what has no rate has no pounds, and nothing that it is part of.
 */
export const statementOf = (
  sums: readonly StatementSum[],
  rateOf: (currency: string) => number | undefined,
): MonthStatement => {
  const missing = new Set<string>()
  const pence = (currency: string, minor: number | null): number | null => {
    if (minor === 0 || (currency === 'GBP' && minor !== null)) return minor
    const rate = minor === null ? undefined : rateOf(currency)
    if (rate !== undefined && minor !== null) return convertBack(minor, rate)
    missing.add(currency)
    return null
  }
  const lines = STATEMENT_PARTS.map((part): StatementLine => {
    const byCurrency = new Map<string, number | null>()
    for (const { currency, minor } of sums.filter((sum) => sum.part === part)) {
      const known = byCurrency.get(currency)
      byCurrency.set(currency, known === undefined ? minor : plus(known, minor))
    }
    const made = [...byCurrency].toSorted(([one], [other]) => (one < other ? -1 : 1))
    return {
      part,
      pence: made.reduce<number | null>((all, [currency, minor]) => plus(all, pence(currency, minor)), 0),
      sums: made.map(([currency, minor]) => ({ currency, minor })),
    }
  })
  return {
    lines,
    remainsPence: lines.reduce<number | null>(
      (all, { part, pence: of }) => (isBeside(part) ? all : plus(all, of)),
      0,
    ),
    missing: [...missing].toSorted(),
  }
}

export type Correction = { part: StatementPart | 'remains'; closedPence: number; nowPence: number | null }

/** What has come to be another sum since the month was closed; null: it cannot be told now. */
export const correctionsOf = (closed: MonthStatement, now: MonthStatement): Correction[] => {
  const all = (of: MonthStatement) => [
    ...of.lines.map(({ part, pence }) => [part, pence] as const),
    ['remains', of.remainsPence] as const,
  ]
  const current = new Map<string, number | null>(all(now))
  return all(closed).flatMap(([part, pence]) => {
    const nowPence = current.get(part) ?? null
    return pence === null || nowPence === pence ? [] : [{ part, closedPence: pence, nowPence }]
  })
}

/** Months are closed one after another. Which one is next, where that is another one than `month`. */
export const closesBefore = (month: string, lastClosed: string | undefined): string | undefined => {
  if (lastClosed === undefined) return undefined
  const next = addMonths(lastClosed, 1)
  return month === next ? undefined : next
}
