import { isOptional, type OperatorField } from '@hedgerow/contract/console/fields'
import type { OperatorEndpoint } from '@hedgerow/contract/console/operator-endpoint'
import { readAmount } from '@hedgerow/domain/money'
import type { ButtonVariant } from '@hedgerow/ui/button-look.ts'
import type { ReactNode } from 'react'
import { api, type CallName } from '#lib/api.ts'
import { sentFile } from '#lib/sent-file.ts'
import { Act, type ActField, type Files, type Filled, Mistyped } from '#shared/act.tsx'

const KINDS = {
  text: 'text',
  words: 'words',
  number: 'number',
  sum: 'sum',
  day: 'day',
  moment: 'moment',
  tick: 'check',
  choice: 'choice',
  lines: 'words',
  file: 'file',
} as const

const MOST_OF_LINES = 4_000

const fieldOf = ([name, field]: [string, OperatorField]): ActField =>
  ({
    name,
    label: field.label,
    hint: field.kind === 'lines' ? [field.hint, 'A line each'].filter(Boolean).join('. ') : field.hint,
    kind: KINDS[field.kind],
    most: field.most ?? MOST_OF_LINES,
    ...(field.kind === 'lines' ? { rows: 2 } : {}),
    options: field.options,
    ...(field.first === undefined ? {} : { first: field.first }),
    isOptional: isOptional(field),
  }) as ActField

const readSum = (name: string, typed: string): number => {
  const minor = readAmount(typed)
  if (minor === undefined) throw new Mistyped(name, 'Please enter an amount like 4.50.')
  return minor
}

const readNumber = (name: string, typed: string): number => {
  if (!/^-?\d{1,9}$/.test(typed)) throw new Mistyped(name, 'Please enter a whole number.')
  return Number(typed)
}

const READERS: Partial<Record<OperatorField['kind'], (name: string, typed: string) => unknown>> = {
  sum: readSum,
  number: readNumber,
  moment: (_, typed) => new Date(typed).toISOString(),
  lines: (_, typed) =>
    typed
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
}

const sentOf = async ([name, { kind }]: [string, OperatorField], filled: Filled, files: Files) => {
  const typed = filled[name] ?? ''
  if (kind === 'tick') return typed === 'on'
  const file = files.get(name)
  if (file) return sentFile(file)
  return typed === '' ? undefined : (READERS[kind]?.(name, typed) ?? typed)
}

/** What was filled in, as the contract's body takes it. Throws Mistyped. */
const bodyOf = async (
  fields: NonNullable<OperatorEndpoint['fields']>,
  filled: Filled,
  files: Files,
): Promise<Record<string, unknown>> => {
  const entries = Object.entries(fields).map(
    async (field) => [field[0], await sentOf(field, filled, files)] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

/** Text that stood there and was deleted is sent empty: left out it would stay. */
const emptied = (
  fields: NonNullable<OperatorEndpoint['fields']>,
  first: Readonly<Record<string, string>> | undefined,
  filled: Filled,
) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { kind }]) =>
      (kind === 'text' || kind === 'words') && first?.[name] && !filled[name] ? [[name, '']] : [],
    ),
  )

type CallActProps = {
  call: CallName
  endpoint: OperatorEndpoint
  /** On the button that opens the form. */
  label: string
  /** On the button that does it, where it is not the label. */
  verb?: string
  tone?: ButtonVariant
  /** What has to be typed word for word first, where nothing brings it back. */
  word?: string
  params?: Readonly<Record<string, string>>
  /** What fields show at first that depends on what they are about. */
  first?: Readonly<Record<string, string>>
  /** What a field is chosen from, where only the page knows it. */
  choices?: Readonly<Record<string, readonly (readonly [value: string, label: string])[]>>
  /** What is sent without being asked for: it is known where the button stands. */
  sends?: Readonly<Record<string, string | boolean>>
  /** Said when it is done, where the answer says more than the contract does. */
  says?: (answer: never) => string
  /** What the page does with the answer. */
  onDone?: (answer: never) => void
  refreshes: readonly CallName[]
  children?: ReactNode
}

const ALREADY = 'Already recorded: nothing was changed'

/** A button for a call of the contract: its title, fields, permission and question stand there. */
export const CallAct = ({
  call,
  endpoint,
  label,
  params,
  first,
  choices = {},
  sends = {},
  says,
  onDone,
  children,
  ...act
}: CallActProps) => {
  const { permission, summary, asks, done = 'Recorded' } = endpoint
  const fields = Object.fromEntries(
    Object.entries(endpoint.fields ?? {}).filter(([name]) => !(name in sends)),
  )
  return (
    <Act
      tone="quiet"
      verb={label}
      {...act}
      label={label}
      title={asks ?? (endpoint.fields ? label : `${label}?`)}
      {...(permission === 'own' ? {} : { may: permission })}
      fields={Object.entries(fields).map(([name, field]) => {
        const options = choices[name]
        const shown = fieldOf([name, options ? { ...field, kind: 'choice', options } : field])
        const value = first?.[shown.name]
        return value === undefined ? shown : ({ ...shown, first: value } as ActField)
      })}
      run={async (filled, files) => {
        const body = { ...(await bodyOf(fields, filled, files)), ...emptied(fields, first, filled), ...sends }
        return api.call(call, { params, ...(endpoint.fields ? { body } : {}) } as never)
      }}
      done={(answer) => {
        onDone?.(answer as never)
        const { isNew, isChanged = isNew } = (answer ?? {}) as { isNew?: boolean; isChanged?: boolean }
        if (isChanged === false) return ALREADY
        return says ? says(answer as never) : done
      }}
    >
      {children ?? <p>{summary}.</p>}
    </Act>
  )
}
