/** Personal data as it stands in lists: enough to recognise what one knows, too little to learn it. */

const FIRST = /^\P{C}/u

/** 'ada@example.org' becomes 'a…@example.org'. */
export const maskEmail = (email: string): string => {
  const at = email.lastIndexOf('@')
  if (at < 1) return '…'
  return `${email.match(FIRST)?.[0] ?? ''}…${email.slice(at)}`
}

/** 'Ada Lovelace' becomes 'A. L.'. */
export const maskName = (name: string): string =>
  name
    .split(/\s+/)
    .flatMap((part) => part.match(FIRST) ?? [])
    .map((letter) => `${letter}.`)
    .join(' ')

/** What somebody looked for: an id, a number or a sum as it was typed; of anything else, which may name a person, the beginning. */
export const maskSearch = (words: string): string =>
  /^[\da-f-]{32,36}$/i.test(words) || /^[€£]?[\d.,/-]{1,20}$/.test(words)
    ? words
    : `${[...words].slice(0, 2).join('')}…`

/** A device's name: 'Ada's phone' becomes 'A. p.', and 'Hedgerow 12' 'H. 12'. */
export const maskLabel = (label: string): string =>
  label
    .split(/\s+/)
    .filter(Boolean)
    .map((part) => (/^\d{1,3}$/.test(part) ? part : maskName(part)))
    .join(' ')

/** 'GB29 NWBK 6016 1331 9268 19' becomes 'GB29 … 6819': the last four, and the beginning where there is one to spare. */
export const maskAccount = (account: string): string => {
  const signs = account.replaceAll(/[\s-]/g, '')
  return signs.length >= 12 ? `${signs.slice(0, 4)} … ${signs.slice(-4)}` : `… ${signs.slice(-2)}`
}
