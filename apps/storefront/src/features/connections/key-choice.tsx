import { useId } from 'react'

/** Who makes the key, and so who has its private half. */
export type KeyMaker = 'shop' | 'browser' | 'customer'

const MAKERS: readonly { maker: KeyMaker; label: string; hint: string }[] = [
  {
    maker: 'shop',
    label: 'Make them here in the shop',
    hint: 'You can see the code and the file whenever you like.',
  },
  {
    maker: 'browser',
    label: 'Make them on this device',
    hint: 'We never see the private key. You see the code and the file once.',
  },
  {
    maker: 'customer',
    label: 'I have a key of my own',
    hint: 'For a router that makes its own. You give us the public key.',
  },
]

type KeyChoiceProps = { value: KeyMaker; isDisabled: boolean; onChange: (maker: KeyMaker) => void }

export const KeyChoice = ({ value, isDisabled, onChange }: KeyChoiceProps) => {
  const name = useId()
  return (
    <fieldset disabled={isDisabled}>
      <legend className="sr-only">Who makes the keys</legend>
      {MAKERS.map(({ maker, label, hint }) => (
        <label key={maker} className="flex min-h-11 items-start gap-3 py-2">
          <input
            type="radio"
            name={name}
            value={maker}
            checked={maker === value}
            onChange={() => onChange(maker)}
            className="mt-1 size-5 shrink-0 accent-hedge"
          />
          <span>
            {label}
            <span className="block text-sm text-quiet-ink">{hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
