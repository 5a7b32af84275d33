import { ApiError } from '@hedgerow/contract/client'
import type { Permission } from '@hedgerow/domain/operator-roles'
import { Button } from '@hedgerow/ui/button.tsx'
import type { ButtonVariant } from '@hedgerow/ui/button-look.ts'
import { Dialog } from '@hedgerow/ui/dialog.tsx'
import { Checkbox } from '@hedgerow/ui/form/checkbox.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { Select } from '@hedgerow/ui/form/select.tsx'
import { TextArea } from '@hedgerow/ui/form/text-area.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { CallName } from '#lib/api.ts'
import { readDay, readMoment, shownDay, shownMoment } from '#lib/typed-days.ts'
import { useMay } from '#shared/session.tsx'
import { useRefresh } from '#shared/use-data.ts'

/** `unsaid`: what stands above the fields says that they may be left out. */
type Common = { name: string; label: string; hint?: ReactNode; isOptional?: boolean | 'unsaid' }
export type ActField = Common &
  (
    | { kind?: 'text' | 'number' | 'sum' | 'day' | 'moment' | 'email'; first?: string }
    | { kind: 'words'; most: number; first?: string; rows?: number }
    | {
        kind: 'choice'
        options: readonly (readonly [value: string, label: string])[]
        first?: string
        /** What it says where none is chosen. */
        none?: string
      }
    | { kind: 'check'; first?: boolean }
    | { kind: 'file'; accept?: string }
  )

/** What was filled in: texts as they were typed, trimmed; a tick as 'on'. Empty where nothing was. */
export type Filled = Readonly<Record<string, string>>
/** The files that were chosen, by their fields. */
export type Files = ReadonlyMap<string, File>

type ActProps = {
  label: ReactNode
  /** The dialog's heading: what is about to be done, or the question. */
  title: string
  /** What it does, and whether it can be undone. */
  children?: ReactNode
  fields?: readonly ActField[]
  /** What comes of it, below the fields, as they are filled in. */
  shows?: (filled: Filled) => ReactNode
  /** What has to be typed word for word first, where nothing brings it back. */
  word?: string
  /** On the button that does it. */
  verb?: string
  may?: Permission
  tone?: ButtonVariant
  run: (filled: Filled, files: Files) => Promise<unknown>
  /** Said when it is done; it may depend on the answer. */
  done?: string | ((answer: unknown) => string) | undefined
  /** What is read again then. */
  refreshes?: readonly CallName[]
  isDisabled?: boolean
}

const INPUTS = {
  text: { type: 'text' },
  email: { type: 'email' },
  number: { type: 'text', inputMode: 'numeric' },
  sum: { type: 'text', inputMode: 'decimal' },
  day: { type: 'text', placeholder: 'dd/mm/yyyy' },
  moment: { type: 'text', placeholder: 'dd/mm/yyyy hh:mm' },
} as const

const READERS: Readonly<Record<string, (typed: string) => string | undefined>> = {
  day: readDay,
  moment: readMoment,
}

const shownAs = (kind: ActField['kind'], first: string) =>
  kind === 'day' ? shownDay(first) : kind === 'moment' ? shownMoment(first) : first

const OneField = ({ field, error }: { field: ActField; error: string | undefined }) => {
  const { name, label, hint, isOptional } = field
  const shared = {
    name,
    label:
      isOptional === true ? (
        <>
          {label} <span className="font-normal text-quiet-ink">(optional)</span>
        </>
      ) : (
        label
      ),
    error,
    className: `mb-3 ${field.kind === 'moment' ? 'col-span-full' : ''}`,
  }
  if (field.kind === 'check')
    return <Checkbox {...shared} label={label} hint={hint} defaultChecked={field.first} />
  if (field.kind === 'words')
    return (
      <TextArea
        {...shared}
        hint={hint}
        most={field.most}
        rows={field.rows ?? 5}
        {...(field.first === undefined ? {} : { defaultValue: field.first })}
      />
    )
  if (field.kind === 'choice')
    return (
      <Select {...shared} hint={hint} defaultValue={field.first ?? ''}>
        {field.first === undefined && (
          <option value="">{field.none ?? (isOptional ? 'None' : 'Choose …')}</option>
        )}
        {field.options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </Select>
    )
  if (field.kind === 'file')
    return <Field {...shared} type="file" accept={field.accept} hint={hint} className="mb-3 file-field" />
  return (
    <Field
      {...INPUTS[field.kind ?? 'text']}
      {...shared}
      hint={hint}
      defaultValue={field.first && shownAs(field.kind, field.first)}
      autoComplete="off"
    />
  )
}

/** What was typed into a field cannot be meant: told at it, and sent to nobody. */
export class Mistyped extends Error {
  readonly field: string
  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

type Refusal = { message: string; fields: ReadonlyMap<string, string> }

const refusalOf = (error: unknown, names: readonly string[]): Refusal => {
  if (error instanceof Mistyped) return { message: '', fields: new Map([[error.field, error.message]]) }
  const refused = error instanceof ApiError ? (error.problem.errors ?? []) : []
  const fields = new Map(
    refused.flatMap(({ path, message }) => {
      const name = names.find((one) => path === one || path.startsWith(`${one}.`))
      return name ? [[name, message] as const] : []
    }),
  )
  return { message: fields.size > 0 ? '' : messageOf(error), fields }
}

/** Days as calls take them; one that cannot be read stays as it was typed. */
const filledIn = (form: HTMLFormElement, fields: readonly ActField[]): Filled =>
  Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => {
      if (value instanceof File) return [name, value.name]
      const kind = fields.find((field) => field.name === name)?.kind
      return [name, READERS[kind ?? '']?.(value) ?? value.trim()]
    }),
  )

const unreadable = (fields: readonly ActField[], filled: Filled): ReadonlyMap<string, string> =>
  new Map(
    fields.flatMap(({ name, kind = '' }) =>
      filled[name] && READERS[kind] && READERS[kind](filled[name]) === undefined
        ? [[name, `Please write it as ${kind === 'day' ? '21/11/2026' : '21/11/2026 14:05'}.`] as const]
        : [],
    ),
  )

const firstOf = (fields: readonly ActField[]): Filled =>
  Object.fromEntries(
    fields.flatMap((field) =>
      'first' in field && typeof field.first === 'string' ? [[field.name, field.first] as const] : [],
    ),
  )

const missing = (fields: readonly ActField[], filled: Filled): ReadonlyMap<string, string> =>
  new Map(
    fields
      .filter(({ name, isOptional, kind }) => !isOptional && kind !== 'check' && !filled[name])
      .map(({ name, label }) => [name, `Please fill in: ${label}`]),
  )

type ActFormProps = Omit<ActProps, 'label' | 'title' | 'may'> & { onDone: () => void; onLeave: () => void }

const ActForm = ({
  children,
  fields = [],
  shows,
  word,
  verb,
  tone,
  run,
  done,
  refreshes = [],
  onDone,
  onLeave,
}: ActFormProps) => {
  const [refusal, setRefusal] = useState<Refusal>()
  const [isBusy, setBusy] = useState(false)
  const [typed, setTyped] = useState(() => firstOf(fields))
  const toast = useToast()
  const refresh = useRefresh()

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const files = new Map(
      [...new FormData(event.currentTarget)].flatMap(([name, value]) =>
        value instanceof File && value.size > 0 ? [[name, value] as const] : [],
      ),
    )
    const filled = filledIn(event.currentTarget, fields)
    const gaps = new Map([...missing(fields, filled), ...unreadable(fields, filled)])
    if (gaps.size > 0) return setRefusal({ message: '', fields: gaps })
    if (word !== undefined && filled.word !== word)
      return setRefusal({ message: '', fields: new Map([['word', `Please type ${word} exactly.`]]) })
    setBusy(true)
    setRefusal(undefined)
    try {
      const answer = await run(filled, files)
      await refresh(...refreshes)
      if (done) toast(typeof done === 'string' ? done : done(answer))
      onDone()
    } catch (error) {
      // It was not refused: it waits.
      if (error instanceof ApiError && error.problem.code === 'second-person') {
        await refresh('listSecondPersons')
        toast(error.message)
        return onDone()
      }
      setRefusal(
        refusalOf(
          error,
          fields.map(({ name }) => name),
        ),
      )
    } finally {
      setBusy(false)
    }
  }

  return (
    <form
      onSubmit={(event) => void submit(event)}
      {...(shows ? { onInput: ({ currentTarget }) => setTyped(filledIn(currentTarget, fields)) } : {})}
      noValidate
    >
      {children && <div className="mb-4 space-y-2">{children}</div>}
      {refusal?.message && (
        <div className="mb-4">
          <FormNotice>{refusal.message}</FormNotice>
        </div>
      )}
      {/* Two abreast, so that what comes of them is seen with them. */}
      <div className={shows ? 'sm:grid sm:grid-cols-2 sm:items-start sm:gap-x-4' : ''}>
        {fields.map((field) => (
          <OneField key={field.name} field={field} error={refusal?.fields.get(field.name)} />
        ))}
      </div>
      {shows && <div className="mt-2">{shows(typed)}</div>}
      {word !== undefined && (
        <Field
          name="word"
          label={`Type ${word} to confirm`}
          autoComplete="off"
          error={refusal?.fields.get('word')}
          className="mb-3"
        />
      )}
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button variant="outline" onClick={onLeave}>
          Cancel
        </Button>
        <Button type="submit" variant={tone === 'danger' ? 'danger' : 'solid'} busy={isBusy}>
          {verb ?? 'Save'}
        </Button>
      </div>
    </form>
  )
}

/** A button that asks before it does something, with what it needs to know. Not there for those who may not. */
export const Act = ({ label, title, may, tone = 'outline', isDisabled = false, ...form }: ActProps) => {
  const [isOpen, setOpen] = useState(false)
  const isAllowed = useMay()
  if (!isAllowed(may)) return null
  const close = () => setOpen(false)
  return (
    <>
      <Button
        variant={tone === 'danger' ? 'danger-outline' : tone}
        disabled={isDisabled}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      <Dialog open={isOpen} onClose={close} title={title}>
        <ActForm {...form} tone={tone} onDone={close} onLeave={close} />
      </Dialog>
    </>
  )
}
