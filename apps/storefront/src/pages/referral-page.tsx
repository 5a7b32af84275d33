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
    title: 'Take your link',
    text: 'Every account has one, with a QR code, in its profile. There is nothing to apply for.',
  },
  {
    title: 'Pass it on',
    text: 'Whoever follows it and opens an account counts as referred by you. We set no cookie for it.',
  },
  {
    title: 'Get your share',
    text: 'Each payment that they complete is a transaction, and you get a share of it.',
  },
]

const [, , LEVEL] = PARTNER_LEVELS

/** At /partnership/referral, and at /partnership, which leads here. */
export const ReferralPage = () => {
  const { currency } = useCurrency()
  const share = formatMoney(shareMinor(EXAMPLE.minor, LEVEL.percentage), currency)
  return (
    <Programme
      path="/partnership/referral"
      lead="Pass on a link. When somebody comes by it and buys, you get a share of what they pay."
    >
      <ProgrammePart title="How it works">
        <Steps steps={STEPS} />
      </ProgrammePart>
      <JoinButtons own="my link" />
      <ProgrammePart title="Levels">
        <p>
          The number of transactions sets your level, and the level sets your share. You start on level 1,
          with no transaction at all.
        </p>
        <LevelsTable shareIs="Your share" exampleMinor={EXAMPLE.minor} />
      </ProgrammePart>
      <ProgrammePart title="An example">
        <p>
          You are on level {LEVEL.level}. Somebody whom you referred buys {EXAMPLE.connections} connections
          for {EXAMPLE.days} days and pays {formatMoney(EXAMPLE.minor, currency)}. Your share is{' '}
          {LEVEL.percentage}%: <strong className="tabular-nums">{share}</strong>.
        </p>
      </ProgrammePart>
      <PayoutRules />
    </Programme>
  )
}
