import { CONTROL } from '@hedgerow/ui/form/field-frame.tsx'
import { BareSelect } from '@hedgerow/ui/form/select.tsx'
import { useEffect, useId, useState } from 'react'

export type Filter = { name: string; label: string } & (
  | { kind: 'choice'; options: readonly (readonly [value: string, label: string])[] }
  | { kind: 'text' }
  /** A day in the operator's own time; sent as the instant at which it begins. */
  | { kind: 'day' }
  /** A day of London, sent as it is. */
  | { kind: 'plain-day' }
  /** Only by a link from elsewhere; 'Show all' takes it away. */
  | { kind: 'hidden' }
)

type Values = Readonly<Record<string, string>>
type OneProps = { filter: Filter; value: string; onChange: (value: string | undefined) => void }

const AFTER_MS = 350

/** Sent once the typing has paused. */
const TextFilter = ({ filter, value, onChange }: OneProps) => {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => onChange(typed.trim() || undefined), AFTER_MS)
    return () => clearTimeout(timer)
  }, [typed, value, onChange])
  return (
    <input
      type="search"
      aria-label={filter.label}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      className={CONTROL}
    />
  )
}

const dayOf = (instant: string): string => {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return ''
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 10)
}

const One = ({ filter, value, onChange }: OneProps) => {
  if (filter.kind === 'hidden') return null
  if (filter.kind === 'text') return <TextFilter filter={filter} value={value} onChange={onChange} />
  if (filter.kind === 'plain-day')
    return (
      <input
        type="date"
        aria-label={filter.label}
        value={value}
        onChange={({ target }) => onChange(target.value || undefined)}
        className={CONTROL}
      />
    )
  if (filter.kind === 'day')
    return (
      <input
        type="date"
        aria-label={filter.label}
        value={dayOf(value)}
        onChange={({ target }) =>
          onChange(target.value ? new Date(`${target.value}T00:00`).toISOString() : undefined)
        }
        className={CONTROL}
      />
    )
  return (
    <BareSelect
      aria-label={filter.label}
      value={value}
      onChange={({ target }) => onChange(target.value || undefined)}
    >
      <option value="">All</option>
      {filter.options.map(([option, label]) => (
        <option key={option} value={option}>
          {label}
        </option>
      ))}
    </BareSelect>
  )
}

type FilterBarProps = {
  filters: readonly Filter[]
  values: Values
  onChange: (changes: Readonly<Record<string, string | undefined>>) => void
}

/** What a list is narrowed by. It stands in the address, so that a list can be linked to. */
export const FilterBar = ({ filters, values, onChange }: FilterBarProps) => {
  const id = useId()
  const isAny = filters.some(({ name }) => values[name])
  return (
    <search className="flex flex-wrap items-end gap-3" aria-labelledby={id}>
      <span id={id} className="sr-only">
        Filters
      </span>
      {filters
        .filter(({ kind }) => kind !== 'hidden')
        .map((filter) => (
          <div key={filter.name} className={filter.kind === 'text' ? 'w-40' : ''}>
            <span aria-hidden="true" className="mb-1 block text-sm text-quiet-ink">
              {filter.label}
            </span>
            <One
              filter={filter}
              value={values[filter.name] ?? ''}
              onChange={(value) => onChange(Object.fromEntries([[filter.name, value]]))}
            />
          </div>
        ))}
      {isAny && (
        <button
          type="button"
          className="link min-h-11"
          onClick={() => onChange(Object.fromEntries(filters.map(({ name }) => [name, undefined])))}
        >
          Show all
        </button>
      )}
    </search>
  )
}
