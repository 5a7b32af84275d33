import { Button } from '@hedgerow/ui/button.tsx'
import { ChevronDown } from '@hedgerow/ui/icons.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { PromocodeForm } from '#features/promocodes/promocode-form.tsx'
import { type Discount, PromocodeLine } from '#features/promocodes/promocode-line.tsx'
import { RefusalMessage, type RefusedCode, refusalOf } from '#features/promocodes/refusal.tsx'

export type PromocodeBoxProps = {
  /** What is taken off; undefined without a code. */
  discount: Discount | undefined
  /** Both throw what the server refuses. */
  apply: (promocode: string) => Promise<void>
  remove: () => Promise<void>
  /** A code that was taken once and is refused now. */
  lost?: RefusedCode | undefined
  /** Applies what was typed and not sent. False where there is nothing, or only what was refused before. */
  applyTyped?: Ref<() => Promise<boolean>>
}

/** One change of the code at a time, why the last one was refused, and the focus on what comes of it. */
const useCodeChange = (remove: PromocodeBoxProps['remove']) => {
  const [isOpen, setIsOpen] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [refused, setRefused] = useState<RefusedCode>()
  const isUnderWay = useRef(false)
  const focusOn = useRef<'field' | 'removal'>(undefined)
  const field = useRef<HTMLInputElement>(null)
  const removeButton = useRef<HTMLButtonElement>(null)

  // What was pressed is gone by then: the focus goes to what stands in its place, as soon as it does.
  useEffect(() => {
    const wanted = { field, removal: removeButton }[focusOn.current ?? 'field'].current
    if (!focusOn.current || isBusy || !wanted) return
    focusOn.current = undefined
    wanted.focus()
  })

  const open = () => {
    focusOn.current = 'field'
    setIsOpen(true)
  }
  const run = async (promocode: string, work: () => Promise<void>) => {
    // Two presses may come before the first one is rendered.
    if (isUnderWay.current) return false
    isUnderWay.current = true
    setIsBusy(true)
    const refusal = await work().then(
      () => undefined,
      (error) => ({ promocode, ...refusalOf(error) }),
    )
    isUnderWay.current = false
    const isApplied = (work === remove) === (refusal !== undefined)
    focusOn.current = isApplied ? 'removal' : 'field'
    setRefused(refusal)
    setIsOpen(true)
    setIsBusy(false)
    return refusal === undefined
  }
  return { isOpen, isBusy, refused, setRefused, field, removeButton, open, run }
}

/**
 * A small button for those who have a code. Once it is open its room stays the same, whether the field stands there or
 * what came of it: the total and the buttons below do not move when the server answers.
 */
export const PromocodeBox = ({ discount, apply, remove, lost, applyTyped }: PromocodeBoxProps) => {
  const { isOpen, isBusy, refused, setRefused, field, removeButton, open, run } = useCodeChange(remove)
  const toast = useToast()

  useImperativeHandle(applyTyped, () => async () => {
    const promocode = field.current?.value.trim() ?? ''
    if (promocode === '' || (refused ?? lost)?.promocode.trim() === promocode) return false
    // Said where it is seen: on a phone the box may be folded away.
    toast(
      (await run(promocode, () => apply(promocode)))
        ? 'Your promocode was applied. Nothing was charged yet. Check the new total, then pay.'
        : 'Your promocode was not applied. Nothing was charged. Look at your order, or pay without it.',
    )
    return true
  })

  if (!discount && !isOpen && !lost) {
    return (
      <div className="border-t border-line">
        <Button variant="quiet" aria-expanded={false} onClick={open} className="-ml-5">
          Have a promocode?
          <ChevronDown className="size-4" />
        </Button>
      </div>
    )
  }
  return (
    <div className="min-h-33 max-sm:min-h-38">
      {discount ? (
        <PromocodeLine {...discount}>
          <div className="flex items-center justify-end gap-3">
            {refused && (
              <p role="alert" className="text-sm font-medium text-berry">
                <RefusalMessage {...refused} />
              </p>
            )}
            <Button
              ref={removeButton}
              variant="quiet"
              busy={isBusy}
              aria-label={`Remove the promocode ${discount.promocode}`}
              onClick={() => void run(discount.promocode, remove)}
              className="-mr-2"
            >
              Remove
            </Button>
          </div>
        </PromocodeLine>
      ) : (
        <PromocodeForm
          ref={field}
          refused={refused ?? lost}
          isBusy={isBusy}
          onApply={(promocode) => void run(promocode, () => apply(promocode))}
          onRefused={(refusal) => {
            setRefused(refusal)
            field.current?.focus()
          }}
        />
      )}
    </div>
  )
}
