/** Amounts and days as other people's files write them. What could be read in two ways is never guessed. */

export type DecimalSign = '.' | ','

/** Spaces of all kinds and apostrophes stand between thousands, wherever they are used at all; a currency's sign, around. */
const LEFT_OUT = /[\s'’€£]/g

const bare = (text: string): string => text.replace(LEFT_OUT, '').replace(/^[(+−-]|[)−-]$/g, '')

const otherSign = (sign: DecimalSign): DecimalSign => (sign === '.' ? ',' : '.')

/** Which sign an amount shows to be the decimal one: undefined where it has none; 'either' where it could be both. */
const shownBy = (text: string): DecimalSign | 'either' | undefined => {
  const signs = [...bare(text).matchAll(/[.,]/g)]
  const last = signs.at(-1)
  if (!last) return undefined
  const sign = last[0] as DecimalSign
  if (signs.some(([one]) => one !== sign)) return sign
  if (signs.length > 1) return otherSign(sign)
  const [whole = '', decimals = ''] = bare(text).split(sign)
  return decimals.length === 3 && /^[1-9]\d{0,2}$/.test(whole) ? 'either' : sign
}

/** For a whole column: 'mixed' where amounts contradict each other, 'ambiguous' where 1,234 could be a thousand or one. */
export const decimalSignOf = (amounts: Iterable<string>): DecimalSign | 'mixed' | 'ambiguous' => {
  const shown = new Set([...amounts].map(shownBy))
  if (shown.has('.') && shown.has(',')) return 'mixed'
  if (shown.has(',')) return ','
  return shown.has('either') && !shown.has('.') ? 'ambiguous' : '.'
}

const MOST_DIGITS = 15

/**
 * '1,234.5' with two decimals is 123450, '(3.00)' and '3.00-' are −300. Undefined for what is no amount, and for one with
 * more decimals than its currency has.
 */
export const readReportAmount = (text: string, sign: DecimalSign, decimals: number): number | undefined => {
  const plain = text.trim().replace(LEFT_OUT, '').replaceAll('−', '-')
  const inBrackets = /^\((.*)\)$/.exec(plain)
  const isNegative = inBrackets !== null || /^-|-$/.test(plain)
  const unsigned = (inBrackets?.[1] ?? plain).replace(/^[+-]|-$/, '')
  const [whole = '', fraction = '', ...more] = unsigned.split(sign)
  const thousands = otherSign(sign)
  const isWhole = /^\d+$/.test(whole) || /^\d{1,3}(?:[.,]\d{3})+$/.test(whole)
  if (more.length > 0 || !isWhole || !/^\d*$/.test(fraction)) return undefined
  if (/[^0]/.test(fraction.slice(decimals))) return undefined
  const digits = whole.replaceAll(thousands, '') + fraction.slice(0, decimals).padEnd(decimals, '0')
  if (digits.replace(/^0+/, '').length > MOST_DIGITS) return undefined
  const minor = Number(digits)
  return isNegative && minor !== 0 ? -minor : minor
}

/** Which of 5/11/2026 is the day. */
export type DayOrder = 'dmy' | 'mdy'

const SLASHED = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})(?!\d)/

/** For a whole column: 'ambiguous' where days like 5/11/2026 could be in May or in November. */
export const dayOrderOf = (days: Iterable<string>): DayOrder | 'mixed' | 'ambiguous' => {
  const shown = new Set<DayOrder | 'either'>()
  for (const text of days) {
    const [, first = '', second = ''] = SLASHED.exec(text.trim()) ?? []
    if (first === '') continue
    if (Number(first) > 12) shown.add('dmy')
    else if (Number(second) > 12) shown.add('mdy')
    else if (Number(first) !== Number(second)) shown.add('either')
  }
  if (shown.has('dmy') && shown.has('mdy')) return 'mixed'
  if (shown.has('mdy')) return 'mdy'
  return shown.has('either') && !shown.has('dmy') ? 'ambiguous' : 'dmy'
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const CLOCK = /^(?:[T ,]+(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i

type Day = { year: string; month: string; day: string; rest: string }

const SHAPES: readonly [RegExp, (parts: string[], order: DayOrder) => [string, string, string]][] = [
  [/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/, ([year = '', month = '', day = '']) => [year, month, day]],
  [/^(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/, ([day = '', month = '', year = '']) => [year, month, day]],
  [
    SLASHED,
    ([first = '', second = '', year = ''], order) =>
      order === 'dmy' ? [year, second, first] : [year, first, second],
  ],
  [
    /^(\d{1,2})[ -]([A-Za-z]{3})[a-z]*[ -](\d{4})(?!\d)/,
    ([day = '', month = '', year = '']) => [year, String(MONTHS.indexOf(month.toLowerCase()) + 1), day],
  ],
]

const dayIn = (text: string, order: DayOrder): Day | undefined => {
  for (const [shape, toDay] of SHAPES) {
    const match = shape.exec(text)
    if (!match) continue
    const [year, month, day] = toDay(match.slice(1), order)
    return { year, month, day, rest: text.slice(match[0].length) }
  }
  return undefined
}

/** '2026-11-05 14:03:22', '05.11.2026', '5 Nov 2026' …; without a zone in UTC. Undefined for what is no time. */
export const readReportTime = (text: string, order: DayOrder): Date | undefined => {
  const found = dayIn(text.trim(), order)
  const clock = found && CLOCK.exec(found.rest)
  if (!clock) return undefined
  const [, hours = '0', minutes = '0', seconds = '0', zone = 'Z'] = clock
  const day = `${found.year}-${found.month.padStart(2, '0')}-${found.day.padStart(2, '0')}`
  const begins = new Date(`${day}T00:00:00Z`)
  const isReal = !Number.isNaN(begins.getTime()) && begins.toISOString().startsWith(day)
  if (!isReal || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  const [, sign, zoneHours = '0', zoneMinutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -1 : 1)
  const since = (Number(hours) * 60 + Number(minutes) - offset) * 60 + Number(seconds)
  return new Date(begins.getTime() + since * 1000)
}
