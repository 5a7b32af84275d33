import { formatMoney } from '@hedgerow/domain/money'
import { PARTNER_LEVELS, shareMinor } from '@hedgerow/domain/partnership'
import { useExample } from '#features/partnership/example-order.ts'
import { ShareProgramme } from '#features/partnership/share-programme.tsx'
import { useCurrency } from '#shared/currency.tsx'

const STEPS = [
  {
    title: 'Find your promocode',
    text: 'Every account has one, in its profile: ten letters and digits that are clear when read aloud.',
  },
  {
    title: 'Share it',
    text: 'Print it, post it or say it. Anyone who enters it at the checkout, for an order or a plan, sees the lower total before paying.',
  },
  {
    title: 'Both gain',
    text: 'The buyer gets a discount, and you get a share of what they pay. Both are the same percentage.',
  },
]

const [, LEVEL] = PARTNER_LEVELS

const PromocodePage = () => {
  const { currency } = useCurrency()
  const example = useExample()
  const money = (minor: number) => <span className="tabular-nums">{formatMoney(minor, currency)}</span>
  const discount = shareMinor(example.minor, LEVEL.percentage)
  const paid = example.minor - discount
  return (
    <ShareProgramme
      path="/partnership/promocode"
      lead="Share a code. Anyone who pays with it saves money, and you get a share of what they pay."
      steps={STEPS}
      own="my promocode"
      sets="both the discount and your share"
      shareIs="Discount and share"
      example={
        <>
          You are on level {LEVEL.level}. Someone buys <span>{example.connections}</span> connections for{' '}
          <span>{example.days}</span> days, which cost {money(example.minor)}, and enters your promocode. They
          save {LEVEL.percentage}%, {money(discount)}, and pay {money(paid)}. Your share is {LEVEL.percentage}
          % of that: <strong>{money(shareMinor(paid, LEVEL.percentage))}</strong>.
        </>
      }
    />
  )
}

export default PromocodePage
