import { readTabDraft, writeTabDraft } from '#lib/drafts.ts'

const keyOf = (accountId: string) => `card-holder:${accountId}`

/** The name that stood on the card before, in this tab. */
export const readHolder = (accountId: string): string => {
  const kept = readTabDraft(keyOf(accountId))
  return typeof kept === 'string' ? kept : ''
}

/** Kept for another try. What may be a card's number, filled in at the wrong place, is not. */
export const keepHolder = (accountId: string, name: string) =>
  writeTabDraft(keyOf(accountId), /\d[\d\s-]{5}/.test(name) ? undefined : name)
