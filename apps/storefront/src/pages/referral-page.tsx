import { formatMoney } from '@hedgerow/domain/money'
import { PARTNER_LEVELS, shareMinor } from '@hedgerow/domain/partnership'
import { useExample } from '#features/partnership/example-order.ts'
import { ShareProgramme } from '#features/partnership/share-programme.tsx'
import { useCurrency } from '#shared/currency.tsx'

const STEPS = [
  {
    title: 'Find your link',
    text: 'Every account has one, with a QR code, in its profile. There is nothing to apply for.',
  },
  {
    title: 'Share it',
    text: 'Anyone who follows it and opens an account counts as referred by you. We set no cookie for it.',
  },
  {
    title: 'Get your share',
    text: 'Each payment that they complete is a transaction, and you get a share of it.',
  },
]

const [, , LEVEL] = PARTNER_LEVELS

/** At /partnership/referral, and at /partnership, which leads here. */
const ReferralPage = () => {
  const { currency } = useCurrency()
  const example = useExample()
  const share = formatMoney(shareMinor(example.minor, LEVEL.percentage), currency)
  return (
    <ShareProgramme
      path="/partnership/referral"
      lead="Share a link. When someone follows it and buys, you get a share of what they pay."
      steps={STEPS}
      own="my link"
      sets="your share"
      shareIs="Your share"
      example={
        <>
          You are on level {LEVEL.level}. Someone you referred buys <span>{example.connections}</span>{' '}
          connections for <span>{example.days}</span> days and pays{' '}
          <span>{formatMoney(example.minor, currency)}</span>. Your share is {LEVEL.percentage}%:{' '}
          <strong className="tabular-nums">{share}</strong>.
        </>
      }
    />
  )
}

export default ReferralPage
