import type { ActField, Filled } from '#shared/act.tsx'

/** A moment from which a change is to count. */
export const FROM: ActField = {
  name: 'dueAt',
  label: 'Starts',
  kind: 'moment',
  isOptional: true,
  hint: 'At once if left empty. You can take it back until then.',
}

export const dueOf = ({ dueAt }: Filled) => (dueAt ? { dueAt: new Date(dueAt).toISOString() } : {})
