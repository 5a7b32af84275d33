/**
 * Whether it can stand on a card's statement as the payee, by the card schemes' rule: 5 to 22 Latin letters, digits, blanks
 * and a few signs, a letter among them.
 */
export const isStatementDescriptor = (text: string): boolean =>
  /^[A-Za-z0-9 .,&*'/+#-]{5,22}$/.test(text) && /[A-Za-z]/.test(text)

/** So that a charge is not taken for a stranger's, and disputed. */
export const describeStatement = (descriptor: string): string =>
  `Your card statement will show ${descriptor}.`
