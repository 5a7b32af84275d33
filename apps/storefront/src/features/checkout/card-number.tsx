import { cardBrand, PAN_LENGTH, passesLuhn } from '@hedgerow/domain/cards'
import { type Control, useWatch } from 'react-hook-form'
import { MaskedField } from '#features/checkout/masked-field.tsx'

type Fields = { pan: string }

type CardNumberProps<V extends Fields> = {
  control: Control<V, unknown, unknown>
  error: string | undefined
  /** The field was left once: what stands there is no longer half a number. */
  isLeft: boolean
}

/** What is worth a second look. Nothing is refused for it: not every number that is taken has a check digit. */
const doubt = (pan: string, isLeft: boolean): string => {
  if (cardBrand(pan) === 'American Express')
    return 'We do not take American Express. Please use another card.'
  return isLeft && pan.length >= PAN_LENGTH.min && !passesLuhn(pan)
    ? 'Check the number: it looks mistyped.'
    : ''
}

/** The number, whose card it is as far as it tells, and whether it looks mistyped. */
export const CardNumber = <V extends Fields>({ control, error, isLeft }: CardNumberProps<V>) => {
  const pan = useWatch({ control: control as unknown as Control<Fields>, name: 'pan' }) ?? ''
  const brand = cardBrand(pan)
  return (
    <MaskedField
      control={control as unknown as Control<Fields, unknown, unknown>}
      name="pan"
      label="Card number"
      error={error}
      hint={
        // Always there, so that a screen reader announces what comes.
        <span role="status" className="font-medium text-straw">
          {doubt(pan, isLeft)}
        </span>
      }
      mark={
        brand && (
          <span className="rounded border border-line bg-paper px-1.5 text-sm font-semibold">{brand}</span>
        )
      }
      digits={PAN_LENGTH.max}
      groupsOf={4}
      placeholder="0000 0000 0000 0000"
      autoComplete="cc-number"
      className="col-span-2"
    />
  )
}
