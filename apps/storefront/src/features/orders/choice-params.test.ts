import { CURRENCY_CODES } from '@hedgerow/domain/money'
import { CONNECTIONS, DAYS, DEFAULT_CHOICE, fromMask } from '@hedgerow/domain/pricing'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  calculatorPath,
  choiceFrom,
  currencyFrom,
  orderingPath,
  placeFrom,
  renewFrom,
} from '#features/orders/choice-params.ts'

const read = (path: string) => new URL(path, 'http://here.invalid').searchParams

const anyChoice = fc.record({
  days: fc.integer({ min: DAYS.min, max: DAYS.max }),
  connections: fc.integer({ min: CONNECTIONS.min, max: CONNECTIONS.max }),
  features: fc.nat({ max: 15 }).map(fromMask),
})

test('the same choice comes back', () => {
  void fc.assert(
    fc.property(anyChoice, fc.constantFrom(...CURRENCY_CODES), (choice, currency) => {
      const params = read(calculatorPath(choice, currency))
      expect(choiceFrom(params)).toEqual(choice)
      expect(currencyFrom(params)).toBe(currency)
    }),
  )
})

test('the connections to extend come back, each once and no more than an order extends', () => {
  void fc.assert(
    fc.property(fc.array(fc.uuid(), { maxLength: 20 }), (ids) => {
      const params = read(calculatorPath(DEFAULT_CHOICE, 'EUR', ids))
      expect(renewFrom(params)).toEqual([...new Set(ids)].slice(0, CONNECTIONS.max))
    }),
  )
})

test.each(['', '?renew=', '?renew=all', '?renew=1,2,', "?renew=' or 1=1"])('%s extends nothing', (search) => {
  expect(renewFrom(read(`/products${search}`))).toEqual([])
})

test('the location comes back', () => {
  void fc.assert(
    fc.property(fc.uuid(), (id) => {
      expect(placeFrom(read(calculatorPath(DEFAULT_CHOICE, 'EUR', [], id)))).toEqual({ location: id })
      expect(placeFrom(read(orderingPath(DEFAULT_CHOICE, 'EUR', { near: id })))).toEqual({ near: id })
    }),
  )
  expect(calculatorPath(DEFAULT_CHOICE, 'EUR')).not.toContain('location')
})

test.each(['', '?location=', '?location=London', "?location=' or 1=1"])(
  '%s chooses no location',
  (search) => {
    expect(placeFrom(read(`/calculator${search}`))).toEqual({})
  },
)

test('what is out of range is clamped', () => {
  expect(choiceFrom(read('/calculator?days=9999&connections=-4'))).toMatchObject({
    days: DAYS.max,
    connections: CONNECTIONS.min,
  })
})

test.each(['', '?days=&connections=', '?days=many&connections=1e9&features=feature9', '?days=1.5'])(
  'what makes no sense is left at its default: %s',
  (search) => {
    expect(choiceFrom(read(`/calculator${search}`))).toEqual(DEFAULT_CHOICE)
  },
)

test('an unknown currency is none', () => {
  expect(currencyFrom(read('/calculator?currency=PLN'))).toBeUndefined()
})
