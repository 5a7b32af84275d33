const NAMES = new Intl.DisplayNames('en-GB', { type: 'region' })

/** 'DE' → 'Germany'; a code that is none stays as it is. By ISO 3166. */
export const countryName = (code: string): string => (/^[A-Z]{2}$/.test(code) && NAMES.of(code)) || code

/** As a sentence goes on with it: 'the Netherlands'. */
export const countryInSentence = (code: string): string =>
  code === 'NL' ? `the ${countryName(code)}` : countryName(code)
