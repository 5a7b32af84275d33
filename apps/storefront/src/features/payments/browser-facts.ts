import type { CallOptions } from '@hedgerow/contract/client'

type BrowserFacts = NonNullable<CallOptions<'payByCard'>['body']['browser']>

const MOST_COLOURS = 48

/** What the issuer's 3-D Secure wants to know of the browser. What is odd is left out: it must not stop a payment. */
export const browserFacts = (): BrowserFacts => {
  const { width, height, colorDepth } = window.screen
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return {
    language: navigator.language.slice(0, 35),
    screen_res: `${Math.round(width)}x${Math.round(height)}`,
    ...(Number.isInteger(colorDepth) && colorDepth > 0 && colorDepth <= MOST_COLOURS
      ? { color_depth: colorDepth }
      : {}),
    timezone_offset: String(Math.round(new Date().getTimezoneOffset())),
    ...(/^[\w+\-/]{1,64}$/.test(zone ?? '') ? { timezone_name: zone } : {}),
    java_enabled: false,
  }
}
