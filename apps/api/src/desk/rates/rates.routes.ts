import {
  importHmrcRates,
  listBlikRates,
  listEcbRates,
  listSterlingRates,
  setBlikRate,
  setEcbRate,
  setSterlingRate,
} from '@hedgerow/contract/console/rates'
import { BLIK_CURRENCY, formatRate, isFarFrom, parseRate } from '@hedgerow/domain/exchange'
import { isDay } from '@hedgerow/domain/periods'
import { type RateRefusal, rateRefusalText, rateWhen } from '@hedgerow/domain/rate-refusals'
import type { FastifyInstance } from 'fastify'
import { parseHmrcRates } from '#accounting/books/hmrc-rates.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import { refused } from '#desk/console/refused.ts'
import { bytesOf, fileRefused } from '#desk/console/sent-file.ts'
import { currentRate, currentRates, setRate } from '#money/rates/rates.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField } from '#platform/http/problems.ts'
import {
  BOOK_CURRENCIES,
  type RateKind,
  type SetRates,
  setBookRates,
} from '#sales/invoices/set-accounting-rate.ts'
import { listAccountingRates } from '#sales/invoices/sterling.ts'

const micro = (rate: string): number => {
  const rateMicro = parseRate(rate)
  if (!rateMicro) throw invalidField('rate', 'A rate is written like 4.2512.')
  return rateMicro
}

const done = <T>(result: T | RateRefusal): T => {
  if (typeof result === 'object' && result !== null && 'code' in result)
    throw refused(rateRefusalText(result as RateRefusal))
  return result as T
}

/** Rates for Blik, and of the books. */
export const ratesRoutes = (app: FastifyInstance | LocalCalls, deps: With<'db'>): void => {
  implementForOperators(app, deps, listBlikRates, async () =>
    (await currentRates(deps)).map(({ currency, rate_micro, set_at }) => ({
      currency,
      when: null,
      rate: formatRate(rate_micro),
      setAt: set_at.toISOString(),
    })),
  )

  const listOf = async (kind: RateKind) =>
    (await listAccountingRates(deps.db, kind))
      .map(({ currency, day, rateMicro, setAt }) => ({
        currency,
        when: rateWhen(kind, day),
        rate: formatRate(rateMicro),
        setAt: setAt.toISOString(),
      }))
      .toReversed()
  implementForOperators(app, deps, listSterlingRates, () => listOf('sterling'))
  implementForOperators(app, deps, listEcbRates, () => listOf('ecb'))

  implementForOperators(app, deps, setBlikRate, async ({ body: { currency, rate, isMeant } }) => {
    const rateMicro = micro(rate)
    const from = (await currentRate(deps, currency))?.rate_micro
    if (from && !isMeant && isFarFrom(rateMicro, from)) done({ code: 'far', rateMicro, from })
    await setRate(deps, currency, rateMicro)
    const was = from ? formatRate(from) : null
    return { isChanged: true, currency, when: null, rate: formatRate(rateMicro), was }
  })

  const setOne = async (
    kind: RateKind,
    { day, rate, currency = BOOK_CURRENCIES[kind] }: { day: string; rate: string; currency?: string },
    options: SetRates,
  ) => {
    const rateMicro = micro(rate)
    const [outcome] = done(await setBookRates(deps, kind, [{ currency, day, rateMicro }], options))
    return {
      isChanged: outcome?.kind !== 'known',
      currency,
      when: rateWhen(kind, day),
      rate: formatRate(rateMicro),
      was: outcome?.kind === 'corrected' ? formatRate(outcome.wasMicro) : null,
    }
  }

  implementForOperators(app, deps, setSterlingRate, ({ body: { month, currency, rate, ...options } }) =>
    setOne('sterling', { day: `${month}-01`, rate, currency }, options),
  )

  implementForOperators(app, deps, setEcbRate, async ({ body: { day, rate, ...options } }) => {
    if (!isDay(day)) throw invalidField('day', 'There is no such day.')
    return setOne('ecb', { day, rate }, options)
  })

  implementForOperators(app, deps, importHmrcRates, async ({ body: { file, ...options } }) => {
    const read = () => {
      try {
        return parseHmrcRates(bytesOf(file), [BOOK_CURRENCIES.sterling], [BLIK_CURRENCY])
      } catch (error) {
        throw fileRefused(error)
      }
    }
    const outcomes = done(await setBookRates(deps, 'sterling', read(), options))
    const known = outcomes.filter(({ kind }) => kind === 'known').length
    return { set: outcomes.length - known, known }
  })
}
