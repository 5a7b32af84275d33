import * as endpoints from '@hedgerow/contract/console/endpoints'
import type { OperatorField } from '@hedgerow/contract/console/fields'
import { commandOf, type OperatorEndpoint } from '@hedgerow/contract/console/operator-endpoint'
import { isUuid } from '@hedgerow/domain/ids'
import { formatMinor } from '@hedgerow/domain/money'
import type { OperatorActionRow } from '#platform/database/tables/operators.table.ts'

type Shown = Pick<OperatorField, 'kind' | 'label' | 'options'>

const isForOperators = (value: unknown): value is OperatorEndpoint =>
  typeof value === 'object' && value !== null && 'permission' in value

/** What each command is given, as its form calls it. */
const FIELDS = new Map<string, Map<string, Shown>>()
for (const endpoint of Object.values(endpoints as Record<string, unknown>).filter(isForOperators)) {
  const command = commandOf(endpoint)
  if (command === undefined) continue
  const fields = FIELDS.get(command) ?? new Map<string, Shown>()
  for (const [name, field] of Object.entries(endpoint.fields ?? {})) fields.set(name, field)
  FIELDS.set(command, fields)
}

/** 'dueAt' as 'Due at', for what no form asks for. */
const inWords = (name: string): string => {
  const words = name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const shownValue = (value: string, field: Shown | undefined): string => {
  if (field?.kind === 'sum' && /^\d{1,15}$/.test(value)) return formatMinor(Number(value))
  if (isUuid(value)) return value.slice(0, 8)
  return field?.options?.find(([option]) => option === value)?.[1] ?? value
}

/** What an act was done with, in the words of its form: 'Amount: 3.00, Reason: goodwill'. */
export const detailsText = ({
  command,
  arguments: given,
  subject,
}: Pick<OperatorActionRow, 'command' | 'arguments' | 'subject'>): string => {
  const fields = FIELDS.get(command)
  // The database keeps them in no order of ours.
  const names = new Set([...(fields?.keys() ?? []), ...Object.keys(given)])
  return [...names]
    .flatMap((name) => {
      const [value, field] = [given[name], fields?.get(name)]
      if (value === undefined || value === false || value === '' || value === subject) return []
      const label = field?.label ?? inWords(name)
      return [value === true ? label : `${label}: ${shownValue(value, field)}`]
    })
    .join(', ')
}
