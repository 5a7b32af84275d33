/** With the century or, as the console shows days, without. */
const SHOWN = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4}|\d\d)$/
const ISO = /^(\d{4})-(\d\d)-(\d\d)$/
const TIME = /^([01]?\d|2[0-3]):([0-5]\d)$/

const padded = (digits: string) => digits.padStart(2, '0')

const existing = (year: string, month: string, day: string): string | undefined => {
  const iso = `${year}-${padded(month)}-${padded(day)}`
  const date = new Date(`${iso}T00:00:00Z`)
  // A day that the month does not have rolls over, or is none.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : undefined
}

/** '21/11/2026' or '21/11/26' → '2026-11-21', which is taken too. Undefined: it is no day. */
export const readDay = (typed: string): string | undefined => {
  const [, day = '', month = '', year = ''] = typed.trim().match(SHOWN) ?? []
  if (year) return existing(year.padStart(4, '20'), month, day)
  const [, y = '', m = '', d = ''] = typed.trim().match(ISO) ?? []
  return y ? existing(y, m, d) : undefined
}

/** '21/11/2026 14:05' → '2026-11-21T14:05', which is taken too. */
export const readMoment = (typed: string): string | undefined => {
  const [first = '', second = ''] = typed.trim().split(/[\sT,]+/)
  const [, hours = '', minutes = ''] = second.match(TIME) ?? []
  const day = readDay(first)
  return day && hours ? `${day}T${padded(hours)}:${minutes}` : undefined
}

/** '2026-11-21' → '21/11/2026', as days are written everywhere here, whatever order the browser's language has. */
export const shownDay = (day: string): string => day.split('-').reverse().join('/')

/** '2026-11-21T14:05' → '21/11/2026 14:05' */
export const shownMoment = (moment: string): string => {
  const [day = '', time = ''] = moment.split('T')
  return [shownDay(day), time.slice(0, 5)].filter(Boolean).join(' ')
}
