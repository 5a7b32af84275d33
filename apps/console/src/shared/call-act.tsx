import type { OperatorField } from '@hedgerow/contract/console/fields'
import type { OperatorEndpoint } from '@hedgerow/contract/console/operator-endpoint'
import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { api, type CallName } from '#lib/api.ts'
import { Act, type ActField, type Filled } from '#shared/act.tsx'
import { minorOf } from '#shared/typed.ts'

const KINDS = { text: 'text', sum: 'sum', day: 'day', tick: 'check', choice: 'choice' } as const

const fieldOf = ([name, { kind, label, hint, options, schema }]: [string, OperatorField]): ActField =>
  ({
    name,
    label,
    hint,
    kind: KINDS[kind],
    options,
    isOptional: z.safeParse(schema, undefined).success,
  }) as ActField

/** The last moment of a day of the operator's own. */
const endOf = (day: string) => new Date(`${day}T23:59:59.999`).toISOString()

const sentOf = ({ kind }: OperatorField, text: string): unknown => {
  if (kind === 'tick') return text === 'on'
  if (!text) return undefined
  if (kind === 'sum') return minorOf(text)
  return kind === 'day' ? endOf(text) : text
}

type CallActProps = {
  call: CallName
  endpoint: OperatorEndpoint
  label: string
  params?: Readonly<Record<string, string>>
  refreshes: readonly CallName[]
  children?: ReactNode
}

/** A button for a call of the contract: its title, fields, permission and question stand there. */
export const CallAct = ({ call, endpoint, label, params, refreshes, children }: CallActProps) => {
  const { fields = {}, permission, summary, asks, done = 'Recorded' } = endpoint
  const bodyOf = (filled: Filled) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, sentOf(field, filled[name] ?? '')]),
    )
  return (
    <Act
      label={label}
      title={asks ?? `${label}?`}
      {...(permission === 'own' ? {} : { may: permission })}
      tone="quiet"
      fields={Object.entries(fields).map(fieldOf)}
      run={(filled) =>
        api.call(call, { params, ...(endpoint.fields ? { body: bodyOf(filled) } : {}) } as never)
      }
      done={done}
      refreshes={refreshes}
    >
      {children ?? <p>{summary}.</p>}
    </Act>
  )
}
