import { expect, test } from 'vitest'
import { inWords } from '#shop/shop-client.ts'

test.each([
  [
    'CERT_HAS_EXPIRED',
    "its certificate has expired by this server's clock, which says 2031-01-02T03:04:05.000Z: correct the clock, or renew the certificate (CERT_HAS_EXPIRED)",
  ],
  [
    'CERT_NOT_YET_VALID',
    "its certificate is not valid yet by this server's clock, which says 2031-01-02T03:04:05.000Z: correct the clock (CERT_NOT_YET_VALID)",
  ],
  ['REDIRECT', 'it sends to another address: set AGENT_API_URL to that one'],
  ['ECONNREFUSED', 'ECONNREFUSED'],
])('that the shop is not reached (%s) is said as: %s', (why, words) => {
  expect(inWords(why, new Date('2031-01-02T03:04:05Z'))).toBe(words)
})
