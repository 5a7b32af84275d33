import type { Profile } from '@hedgerow/contract/accounts'
import { ProfileFields } from '@hedgerow/contract/profile'

export type FieldName = keyof ProfileFields
export type FieldValues = Record<FieldName, string>

export const FIELD_NAMES = Object.keys(ProfileFields.shape) as FieldName[]

export const fieldsOf = (profile: Profile): FieldValues =>
  Object.fromEntries(FIELD_NAMES.map((name) => [name, profile[name]])) as FieldValues

export type Checked = { value: string; error?: undefined } | { value?: undefined; error: string }

/** By the rule of the contract: what would be kept of it, or why it would be refused. */
export const checkField = (name: FieldName, typed: string): Checked => {
  const result = ProfileFields.shape[name].safeParse(typed)
  if (result.success) return { value: result.data }
  return { error: result.error.issues[0]?.message ?? '' }
}
