const LONGEST = 100

/** Returns a name to greet by where only the e-mail is known: 'ada.lovelace@…' is 'ada lovelace'. */
export const nameFromEmail = (email: string): string => {
  const words = (email.split('@')[0] ?? '').match(/[\p{L}\p{N}]+/gu) ?? []
  const name = words.join(' ').slice(0, LONGEST).trim()
  return name.length < 2 ? 'Customer' : name
}
