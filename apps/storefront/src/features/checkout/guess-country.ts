import { COUNTRY_CODES, countryName, isCountry } from '@hedgerow/domain/countries'
import { timeZonePlace } from '@hedgerow/domain/time-zone-places'

const plain = (text: string) => text.trim().toLowerCase()

/** Someone's own word for it: a code, or the name in English or in the browser's language. */
const fromText = (text: string): string | undefined => {
  if (!text.trim()) return undefined
  const code = text.trim().toUpperCase()
  if (isCountry(code)) return code
  const own = new Intl.DisplayNames(navigator.language, { type: 'region' })
  return COUNTRY_CODES.find((one) =>
    [countryName(one), own.of(one) ?? ''].some((name) => plain(name) === plain(text)),
  )
}

/** Regions with a tax of their own have clocks of their own. */
const REGIONS: Readonly<Record<string, string>> = {
  'Africa/Ceuta': 'EA',
  'Atlantic/Azores': 'QZ',
  'Atlantic/Canary': 'IC',
  'Atlantic/Madeira': 'QM',
}

const fromTimeZone = (): string | undefined => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? ''
  return REGIONS[zone] ?? timeZonePlace(zone)?.country
}

const fromLanguage = (): string | undefined => new Intl.Locale(navigator.language).region

/** Undefined where a browser does not know what it is asked. */
const attempt = (guess: () => string | undefined): string | undefined => {
  try {
    const country = guess()
    return isCountry(country) ? country : undefined
  } catch {
    return undefined
  }
}

/**
 * Where someone may well be: as their profile says, else where their clock is, else as the browser's language says. Many browsers
 * say 'en-US' everywhere. Empty where nothing tells.
 */
export const guessCountry = (profileCountry: string): string =>
  attempt(() => fromText(profileCountry)) ?? attempt(fromTimeZone) ?? attempt(fromLanguage) ?? ''
