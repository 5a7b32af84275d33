import { describe, expect, test } from 'vitest'
import { isStatementDescriptor } from './statement-descriptor.ts'

describe('what a card statement can show', () => {
  test.each(['HEDGEROW*VPN', 'HEDGE', "J. O'Neill & Co, 2/3", 'A234567890123456789012'])('%s', (text) => {
    expect(isStatementDescriptor(text)).toBe(true)
  })

  test.each([
    '',
    'HEDG',
    'A2345678901234567890123',
    '1234567',
    'ХЕДЖРОУ',
    'CAFÉ VPN',
    'HEDGE<ROW>',
    'HEDGE\nROW',
  ])('is never "%s"', (text) => {
    expect(isStatementDescriptor(text)).toBe(false)
  })
})
