/** What was typed and not sent, by whose it is and on which form. */
const drafts = new Map<string, Readonly<Record<string, string>>>()

/**
 * Keeps a form's text for as long as the page lives: a session that ends meanwhile leads to the log-in and back, and
 * the words are still there. No one else finds them, because the key names the account.
 */
export const draftOf = (accountId: string, form: string) => {
  const key = `${accountId} ${form}`
  return {
    read: () => drafts.get(key),
    keep: (values: Readonly<Record<string, string>>) => drafts.set(key, { ...values }),
    forget: () => drafts.delete(key),
  }
}
