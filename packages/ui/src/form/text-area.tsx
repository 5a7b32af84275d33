import { type ComponentProps, type ReactNode, useState } from 'react'
import { CONTROL, FieldFrame, useFieldIds } from '#ui/form/field-frame.tsx'

type TextAreaProps = Omit<ComponentProps<'textarea'>, 'defaultValue'> & {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  defaultValue?: string
  /** The most characters it takes. More can be typed: cutting off what was pasted would lose it. */
  most: number
}

/** As people count: one that the machine keeps in two parts is one. */
const lengthOf = (text: string) => [...text].length
const figure = (value: number) => value.toLocaleString('en-GB')

/** Several lines of text, and how many characters they have come to. */
export const TextArea = (props: TextAreaProps) => {
  const { label, hint, error, id, className, most, defaultValue = '', onChange, ...area } = props
  const [length, setLength] = useState(() => lengthOf(defaultValue))
  const ids = useFieldIds(id, hint, error)
  const counterId = `${ids.id}-counter`
  return (
    <FieldFrame
      ids={ids}
      label={label}
      hint={hint}
      error={error}
      className={className}
      aside={
        <p
          id={counterId}
          className={`ml-auto tabular-nums ${length > most ? 'font-medium text-berry' : 'text-quiet-ink'}`}
        >
          {`${figure(length)} of ${figure(most)} characters`}
        </p>
      }
    >
      <textarea
        rows={7}
        {...area}
        id={ids.id}
        defaultValue={defaultValue}
        onChange={(event) => {
          setLength(lengthOf(event.target.value))
          return onChange?.(event)
        }}
        aria-invalid={error ? true : undefined}
        aria-describedby={[ids.describedBy, counterId].filter(Boolean).join(' ')}
        className={`${CONTROL} min-h-32 resize-y`}
      />
    </FieldFrame>
  )
}
