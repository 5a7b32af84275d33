/** No language sets more than 30 marks upon a letter (Unicode Standard Annex #15, Stream-Safe Text Format). */
const PILE = /\p{M}{31}/u

/**
 * A text with its letters in one piece. One with a pile of marks stays as it is: bringing a pile in order takes a time that grows
 * with its square, and strangers choose how long it is.
 */
export const composed = (text: string, form: 'NFC' | 'NFKC' = 'NFC'): string =>
  PILE.test(text) ? text : text.normalize(form)
