import { expect, test } from 'vitest'
import { methodName } from './coins.ts'

const by = (...ways: string[]) =>
  methodName(
    'crypto',
    ways.map((way) => ({ way, value: '0.1', rate: '50000', id: 'ff' })),
  )

test('a payment in bitcoin is named by the way that it came', () => {
  expect(by('BTC-CHAIN', 'BTC-CHAIN')).toBe('Bitcoin')
  expect(by('BTC-LN')).toBe('Lightning')
  expect(by('BTC-LN', 'BTC-LNURL')).toBe('Lightning')
  for (const unknown of [by(), by('BTC-CHAIN', 'BTC-LN'), by('XMR-OTHER'), methodName('crypto', null)])
    expect(unknown).toBe('Bitcoin and Lightning')
  expect(methodName('card', null)).toBe('Card')
})
