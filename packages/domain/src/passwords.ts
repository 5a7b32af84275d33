import { PASSWORD_WORDS } from './password-words.ts'

/** Fewer different characters than that are one key, or two, held down. */
const FEWEST_DIFFERENT = 3
/** A password is made of words if hardly more than a date is left without them. */
const MOST_LEFT_OVER = 4
/** Shorter words are in half of all passwords by chance. */
const SHORTEST_WORD = 4
/** What people add to a word where a rule wants digits and signs. */
const ADDED = /[\d\s!-/:-@[-`{-~]{1,6}$/
/** Digits and signs that stand for letters. */
const STANDS_FOR: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
}
const STANDS = /[013457@$]/g

/** The words of names and addresses: letters and digits, in lower case. */
const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

const isMadeOfWords = (password: string, words: readonly string[]): boolean => {
  const plain = wordsIn(password).join('')
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), plain)
  return rest.length < plain.length && rest.length <= MOST_LEFT_OVER
}

/**
 * Returns whether a password is made of the texts given (names, an e-mail address, the shop's own name), of the shop's own
 * words, and little more. Case, signs and spaces do not count, nor do digits in the place of letters.
 */
export const isMadeOf = (password: string, texts: readonly string[]): boolean => {
  const given = texts
    .flatMap((text) => [wordsIn(text).join(''), ...wordsIn(text)])
    .filter((word) => word.length >= SHORTEST_WORD)
  const own = PASSWORD_WORDS.map((word) => wordsIn(word).join(''))
  const words = [...given, ...own].sort((a, b) => b.length - a.length)
  const asLetters = password.replaceAll(STANDS, (sign) => STANDS_FOR[sign] ?? sign)
  return [password, asLetters].some((form) => isMadeOfWords(form, words))
}

/** Returns whether a password repeats one or two characters. */
export const isMonotonous = (password: string): boolean =>
  new Set(password.toLowerCase()).size < FEWEST_DIFFERENT

/** Returns the forms in which a password is looked up among known ones: as it is, and without what was added to a word. */
export const knownForms = (password: string): string[] => {
  const lower = password.toLowerCase()
  return [...new Set([lower, lower.replace(ADDED, '')])]
}
