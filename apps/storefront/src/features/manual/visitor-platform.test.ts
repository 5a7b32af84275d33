import { expect, test } from 'vitest'
import { platformOf } from '#features/manual/visitor-platform.ts'

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36', 0, 'windows'],
  // A laptop with a touch screen.
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36', 10, 'windows'],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/19.0 Safari/605.1.15`, 0, 'macos'],
  // An iPad, as Safari says it.
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/19.0 Safari/605.1.15`, 5, 'ios'],
  [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) ${WEBKIT}`, 5, 'ios'],
  ['Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36', 5, 'android'],
  ['Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0', 5, 'android'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 0, 'linux'],
  ['curl/8.14.1', 0, undefined],
  ['', 0, undefined],
])('%s with %i touch points is %s', (userAgent, maxTouchPoints, platform) => {
  expect(platformOf({ userAgent, maxTouchPoints })).toBe(platform)
})
