import { FIELD_NAMES, type FieldName, type FieldValues } from '#features/profile/profile-fields.ts'
import { readDraft, writeDraft } from '#lib/drafts.ts'

/** A field that was changed: what it was on the server then, and what was typed. */
type Change = { from: string; to: string }

const keyOf = (accountId: string) => `profile:${accountId}`

export const keepDraft = (accountId: string, base: FieldValues, typed: Partial<FieldValues>) => {
  const changes = Object.entries(typed).map(([name, to]) => [name, { from: base[name as FieldName], to }])
  writeDraft(keyOf(accountId), changes.length > 0 ? Object.fromEntries(changes) : undefined)
}

/** What was typed and never saved. A field that was saved elsewhere since is newer than the draft, and stays. */
export const draftOf = (accountId: string, base: FieldValues): Partial<FieldValues> => {
  const kept = (readDraft(keyOf(accountId)) ?? {}) as Partial<Record<FieldName, Partial<Change>>>
  return Object.fromEntries(
    FIELD_NAMES.flatMap((name) => {
      const { from, to } = kept[name] ?? {}
      return typeof to === 'string' && from === base[name] ? [[name, to]] : []
    }),
  )
}
