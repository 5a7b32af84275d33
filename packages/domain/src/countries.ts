/**
 * Parts of a country that stand apart from it for value added tax (Directive 2006/112/EC art. 6 and 105): EA and IC are reserved
 * for them in ISO 3166, QM and QZ are among the codes that it leaves to its users.
 */
const REGION_NAMES: Readonly<Record<string, string>> = {
  EA: 'Ceuta and Melilla (Spain)',
  IC: 'Canary Islands (Spain)',
  QM: 'Madeira (Portugal)',
  QZ: 'Azores (Portugal)',
}

/**
 * ISO 3166-1 alpha-2, all that are assigned; XK, by which cards and networks name Kosovo, which has no code there; and the
 * regions above.
 */
export const COUNTRY_CODES: readonly string[] = `
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD
CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EA EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF
GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU IC ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN
KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA
NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA QM QZ RE RO RS RU RW SA SB SC SD SE SG SH SI
SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI
VN VU WF WS XK YE YT ZA ZM ZW`
  .trim()
  .split(/\s/)

const KNOWN = new Set(COUNTRY_CODES)

/** Takes whatever someone sent: 'DE' is one, 'de', 'XX' and 7 are none. */
export const isCountry = (code: unknown): code is string => typeof code === 'string' && KNOWN.has(code)

let names: Intl.DisplayNames | undefined

/** 'DE' → 'Germany'. */
export const countryName = (code: string): string => {
  names ??= new Intl.DisplayNames('en-GB', { type: 'region' })
  return REGION_NAMES[code] ?? names.of(code) ?? code
}

const WITH_ARTICLE = new Set(['GB', 'IC', 'IM', 'NL', 'QZ', 'US'])

/** The same within a sentence: 'the Netherlands'. */
export const countryInText = (code: string): string =>
  WITH_ARTICLE.has(code) ? `the ${countryName(code)}` : countryName(code)
