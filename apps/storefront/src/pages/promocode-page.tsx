import { formatMoney } from '@hedgerow/domain/money'
import { PARTNER_LEVELS, shareMinor } from '@hedgerow/domain/partnership'
import { EXAMPLE } from '#features/partnership/example-order.ts'
import { ShareProgramme } from '#features/partnership/share-programme.tsx'
import { useCurrency } from '#shared/currency.tsx'

const STEPS = [
  {
    title: 'Take your promocode',
    text: 'Every account has one, in its profile: ten letters and digits that can be read out.',
  },
  {
    title: 'Give it away',
    text: 'Print it, post it, say it. Whoever enters it at the checkout, of an order or of a plan, sees the lower total before paying.',
  },
  {
    title: 'Both gain',
    text: 'The buyer gets a discount, and you get a share of what they pay. Both have the same percentage.',
  },
]

const [, LEVEL] = PARTNER_LEVELS

const PromocodePage = () => {
  const { currency } = useCurrency()
  const money = (minor: number) => <span className="tabular-nums">{formatMoney(minor, currency)}</span>
  const discount = shareMinor(EXAMPLE.minor, LEVEL.percentage)
  const paid = EXAMPLE.minor - discount
  return (
    <ShareProgramme
      path="/partnership/promocode"
      lead="Give away a code. Whoever pays with it saves money, and you get a share of what they pay."
      steps={STEPS}
      own="my promocode"
      sets="both the discount and your share"
      shareIs="Discount and share"
      example={
        <>
          You are on level {LEVEL.level}. Somebody buys {EXAMPLE.connections} connections for {EXAMPLE.days}{' '}
          days, which cost {money(EXAMPLE.minor)}, and enters your promocode. They save {LEVEL.percentage}%,{' '}
          {money(discount)}, and pay {money(paid)}. Your share is {LEVEL.percentage}% of that:{' '}
          <strong>{money(shareMinor(paid, LEVEL.percentage))}</strong>.
        </>
      }
    />
  )
}

export default PromocodePage
