import { formatMoney } from '@hedgerow/domain/money'
import { PARTNER_LEVELS, shareMinor } from '@hedgerow/domain/partnership'
import { useCurrency } from '#app/currency.tsx'
import { EXAMPLE } from '#features/partnership/example-order.ts'
import { JoinButtons } from '#features/partnership/join-buttons.tsx'
import { LevelsTable } from '#features/partnership/levels-table.tsx'
import { PayoutRules } from '#features/partnership/payout-rules.tsx'
import { Programme, ProgrammePart, Steps } from '#features/partnership/programme.tsx'

const STEPS = [
  {
    title: 'Take your promocode',
    text: 'Every account has one, in its profile: ten letters and digits that can be read out.',
  },
  {
    title: 'Give it away',
    text: 'Print it, post it, say it. Whoever enters it at the checkout sees the lower total before paying.',
  },
  {
    title: 'Both gain',
    text: 'The buyer gets a discount, and you get a share of what they pay. Both have the same percentage.',
  },
]

const [, LEVEL] = PARTNER_LEVELS

export const PromocodePage = () => {
  const { currency } = useCurrency()
  const money = (minor: number) => <span className="tabular-nums">{formatMoney(minor, currency)}</span>
  const discount = shareMinor(EXAMPLE.minor, LEVEL.percentage)
  const paid = EXAMPLE.minor - discount
  return (
    <Programme
      path="/partnership/promocode"
      lead="Give away a code. Whoever pays with it saves money, and you get a share of what they pay."
    >
      <ProgrammePart title="How it works">
        <Steps steps={STEPS} />
      </ProgrammePart>
      <JoinButtons own="my promocode" />
      <ProgrammePart title="Levels">
        <p>
          The number of transactions sets your level, and the level sets both the discount and your share. You
          start on level 1, with no transaction at all.
        </p>
        <LevelsTable shareIs="Discount and share" exampleMinor={EXAMPLE.minor} />
      </ProgrammePart>
      <ProgrammePart title="An example">
        <p>
          You are on level {LEVEL.level}. Somebody buys {EXAMPLE.connections} connections for {EXAMPLE.days}{' '}
          days, which cost {money(EXAMPLE.minor)}, and enters your promocode. They save {LEVEL.percentage}%,{' '}
          {money(discount)}, and pay {money(paid)}. Your share is {LEVEL.percentage}% of that:{' '}
          <strong>{money(shareMinor(paid, LEVEL.percentage))}</strong>.
        </p>
      </ProgrammePart>
      <PayoutRules />
    </Programme>
  )
}
