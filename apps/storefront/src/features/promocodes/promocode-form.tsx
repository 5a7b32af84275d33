import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { Button } from '@hedgerow/ui/button.tsx'
import { CONTROL, FieldMessage, useFieldIds } from '@hedgerow/ui/form/field-frame.tsx'
import { type FormEvent, type Ref, useState } from 'react'
import { RefusalMessage, type RefusedCode } from '#features/promocodes/refusal.tsx'

/** More than any code has, for what is pasted along with one. */
const LONGEST = 64

type PromocodeFormProps = {
  ref: Ref<HTMLInputElement>
  refused: RefusedCode | undefined
  isBusy: boolean
  onApply: (promocode: string) => void
  onRefused: (refused: RefusedCode) => void
}

/** A form of its own, so that Enter applies the code and pays nothing. */
export const PromocodeForm = ({ ref, refused, isBusy, onApply, onRefused }: PromocodeFormProps) => {
  const [typed, setTyped] = useState(refused?.promocode)
  const promocode = typed ?? refused?.promocode ?? ''
  const error = !isBusy && refused && <RefusalMessage {...refused} />
  const ids = useFieldIds(undefined, undefined, error)

  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (promocode.trim() === '') onRefused({ promocode, message: OUR_MESSAGES.promocodeRequired })
    else onApply(promocode)
  }

  return (
    <form method="post" noValidate onSubmit={onSubmit} className="border-t border-line pt-3">
      <label htmlFor={ids.id} className="mb-1.5 block font-medium">
        Promocode
      </label>
      <div className="flex gap-3">
        <input
          ref={ref}
          id={ids.id}
          name="promocode"
          value={promocode}
          onChange={(event) => setTyped(event.target.value)}
          readOnly={isBusy}
          maxLength={LONGEST}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck="false"
          enterKeyHint="done"
          aria-invalid={error ? true : undefined}
          aria-describedby={ids.describedBy}
          className={`${CONTROL} min-w-0`}
        />
        <Button type="submit" variant="outline" busy={isBusy}>
          Apply
        </Button>
      </div>
      {/* Two lines on a phone, where what is said of a code needs them. */}
      <FieldMessage ids={ids} error={error} isAnnounced className="mt-1 max-sm:min-h-10.5" />
    </form>
  )
}
