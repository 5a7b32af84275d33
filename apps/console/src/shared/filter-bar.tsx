import { CONTROL } from '@hedgerow/ui/form/field-frame.tsx'
import { BareSelect } from '@hedgerow/ui/form/select.tsx'
import { ListFilter } from '@hedgerow/ui/icons.tsx'
import { useEffect, useId, useState } from 'react'
import { DayInput } from '#shared/day-input.tsx'

export type Filter = { name: string; label: string } & (
  | { kind: 'choice'; options: readonly (readonly [value: string, label: string])[] }
  | { kind: 'text' }
  /** A day in the operator's own time; sent as the instant at which it begins. */
  | { kind: 'day' }
  /** A day of London, sent as it is. */
  | { kind: 'plain-day' }
  /** Only by a link from elsewhere; 'Clear filters' takes it away. */
  | { kind: 'hidden' }
)

type Values = Readonly<Record<string, string>>
type OneProps = { filter: Filter; value: string; onChange: (value: string | undefined) => void }

const AFTER_MS = 350

/** The longest choice would take the line for itself. */
const WIDTHS = {
  text: 'sm:w-36',
  choice: 'sm:max-w-44',
  day: 'sm:w-40',
  'plain-day': 'sm:w-40',
  hidden: '',
} as const

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
    return <DayInput aria-label={filter.label} value={value} onChange={(day) => onChange(day || undefined)} />
  if (filter.kind === 'day')
    return (
      <DayInput
        aria-label={filter.label}
        value={dayOf(value)}
        onChange={(day) => onChange(day ? new Date(`${day}T00:00`).toISOString() : undefined)}
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
  const [isUnfolded, setUnfolded] = useState(false)
  const seen = filters.filter(({ kind }) => kind !== 'hidden')
  if (seen.length === 0 && !isAny) return null
  return (
    <search
      className={`flex min-w-0 flex-wrap items-end gap-3 ${isUnfolded ? 'max-sm:w-full' : ''}`}
      aria-labelledby={id}
    >
      <span id={id} className="sr-only">
        Filters
      </span>
      {/* On a phone, what narrows a list would stand above all of it. */}
      {seen.length > 1 && (
        <button
          type="button"
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
          className="flex min-h-12 items-center gap-2 rounded-field border border-outline bg-surface px-3 font-semibold hover:border-hedge hover:text-hedge sm:hidden"
        >
          <ListFilter className="size-4" />
          Filters{isAny && ', in use'}
        </button>
      )}
      {seen.map((filter) => (
        <div
          key={filter.name}
          className={`max-sm:w-full ${WIDTHS[filter.kind]} ${isUnfolded || seen.length < 2 ? '' : 'max-sm:hidden'}`}
        >
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
          Clear filters
        </button>
      )}
    </search>
  )
}
