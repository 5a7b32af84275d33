import {
  importHmrcRates,
  listConsoleRates,
  type RateKindName,
  setConsoleRate,
} from '@hedgerow/contract/console/books'
import { formatRate, isFarFrom, parseRate } from '@hedgerow/domain/exchange'
import { isDay, isMonth } from '@hedgerow/domain/periods'
import type { FastifyInstance } from 'fastify'
import { parseHmrcRates } from '#accounting/books/hmrc-rates.ts'
import { BOOK_RATES, farFrom, futureFault, RateRefused, setBookRates } from '#desk/backoffice/book-rates.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import { refused } from '#desk/console/refused.ts'
import { bytesOf, fileRefused } from '#desk/console/sent-file.ts'
import { currentRate, currentRates, setRate } from '#money/rates/rates.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField } from '#platform/http/problems.ts'
import type { NewRate, RateKind } from '#sales/invoices/set-accounting-rate.ts'
import { listAccountingRates } from '#sales/invoices/sterling.ts'

const FAR = 'If it is meant, say so.'

/** 'YYYY-MM-DD'. Throws 'invalid'. */
const dayOf = (kind: RateKind, when: string | undefined): string => {
  if (kind === 'sterling') {
    if (!when || !isMonth(when)) throw invalidField('when', 'Please enter a month like 2026-11.')
    return `${when}-01`
  }
  if (!when || !isDay(when)) throw invalidField('when', 'Please enter a day.')
  return when
}

/** `field`: where the days were said. Throws 'invalid' and 'operator-refused'. */
const setAll = async (
  { db }: With<'db'>,
  kind: RateKind,
  rates: readonly NewRate[],
  { isMeant, mayCorrect }: { isMeant: boolean; mayCorrect: boolean },
  field: 'when' | 'file',
) => {
  for (const rate of rates) {
    const fault = futureFault(kind, rate)
    if (fault) throw invalidField(field, fault)
    const far = isMeant ? undefined : await farFrom(db, kind, rate)
    if (far) throw refused(`${formatRate(rate.rateMicro)}: ${far} ${FAR}`)
  }
  try {
    return await setBookRates(db, kind, rates, mayCorrect)
  } catch (error) {
    if (!(error instanceof RateRefused)) throw error
    const { isThere, isUsed } = error.refused
    throw refused(
      isUsed
        ? `${isThere}, and invoices were written with that: it stays`
        : `${isThere} already. If that is a mistake, say that it is corrected`,
    )
  }
}

/** Rates for Blik, and of the books. */
export const ratesRoutes = (app: FastifyInstance, deps: With<'db'>): void => {
  implementForOperators(app, deps, listConsoleRates, async () => {
    const blik = (await currentRates(deps)).map(({ currency, rate_micro, set_at }) => ({
      kind: 'blik' as RateKindName,
      currency,
      when: null,
      rate: formatRate(rate_micro),
      setAt: set_at.toISOString(),
    }))
    const ofBooks = async (kind: RateKind) =>
      (await listAccountingRates(deps.db, kind))
        .map(({ currency, day, rateMicro, setAt }) => ({
          kind: kind as RateKindName,
          currency,
          when: BOOK_RATES[kind].period(day),
          rate: formatRate(rateMicro),
          setAt: setAt.toISOString(),
        }))
        .toReversed()
    return [...blik, ...(await ofBooks('sterling')), ...(await ofBooks('ecb'))]
  })

  implementForOperators(app, deps, setConsoleRate, async ({ body }) => {
    const { kind, currency, rate, when, isMeant, mayCorrect } = body
    const rateMicro = parseRate(rate)
    if (!rateMicro) throw invalidField('rate', 'A rate is written like 4.2512.')
    if (kind === 'blik') {
      const last = await currentRate(deps, currency)
      if (last && isFarFrom(rateMicro, last.rate_micro) && !isMeant)
        throw refused(
          `it is more than a tenth away from the last rate, ${formatRate(last.rate_micro)}. ${FAR}`,
        )
      await setRate(deps, currency, rateMicro)
      return { isChanged: true }
    }
    if (currency !== BOOK_RATES[kind].currency)
      throw invalidField('currency', `Here the currency is ${BOOK_RATES[kind].currency}.`)
    const rates = [{ currency, day: dayOf(kind, when), rateMicro }]
    const [set] = await setAll(deps, kind, rates, { isMeant, mayCorrect }, 'when')
    return { isChanged: set?.outcome.kind !== 'known' }
  })

  implementForOperators(app, deps, importHmrcRates, async ({ body: { file, ...options } }) => {
    const read = () => {
      try {
        return parseHmrcRates(bytesOf(file), [BOOK_RATES.sterling.currency])
      } catch (error) {
        throw fileRefused(error)
      }
    }
    const outcomes = await setAll(deps, 'sterling', read(), options, 'file')
    const known = outcomes.filter(({ outcome }) => outcome.kind === 'known').length
    return { set: outcomes.length - known, known }
  })
}
