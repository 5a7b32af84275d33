/** Fewer different characters than that are one key, or two, held down. */
const FEWEST_DIFFERENT = 3
/** A password is made of words if hardly more than a date is left without them. */
const MOST_LEFT_OVER = 4
/** Shorter words are in half of all passwords by chance. */
const SHORTEST_WORD = 4
/** What people add to a word where a rule wants digits and signs. */
const ADDED = /[\d\s!-/:-@[-`{-~]{1,5}$/

/** The words of names and addresses: letters and digits, in lower case. */
const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/**
 * Returns whether a password is made of the texts given (names, an e-mail address, the shop's own name) and little more.
 * Case, signs and spaces do not count.
 */
export const isMadeOf = (password: string, texts: readonly string[]): boolean => {
  const plain = wordsIn(password).join('')
  const known = texts
    .flatMap((text) => [wordsIn(text).join(''), ...wordsIn(text)])
    .filter((word) => word.length >= SHORTEST_WORD)
    .sort((a, b) => b.length - a.length)
  const rest = known.reduce((left, word) => left.replaceAll(word, ''), plain)
  return rest.length < plain.length && rest.length <= MOST_LEFT_OVER
}

/** Returns whether a password repeats one or two characters. */
export const isMonotonous = (password: string): boolean =>
  new Set(password.toLowerCase()).size < FEWEST_DIFFERENT

/** Returns the forms in which a password is looked up among known ones: as it is, and without what was added to a word. */
export const knownForms = (password: string): string[] => {
  const lower = password.toLowerCase()
  return [...new Set([lower, lower.replace(ADDED, '')])]
}
