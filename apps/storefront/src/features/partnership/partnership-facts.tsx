import type { Partnership } from '@hedgerow/contract/partnership'
import { CopyButton } from '@hedgerow/ui/copy-button.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { QrCode } from '@hedgerow/ui/qr-code.tsx'
import type { ReactNode } from 'react'
import { LevelProgress } from '#features/partnership/level-progress.tsx'
import { minimumOf } from '#features/partnership/payout-rules.tsx'
import { formatAmount } from '#shared/format-amount.ts'

const LINK_QR_SIZE = 168

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-3">
    <dt className="text-quiet-ink">{name}</dt>
    <dd className="ml-auto text-right font-semibold tabular-nums">{children}</dd>
  </div>
)

/** What one passes on: to read, to copy, and for the link to scan. */
const Token = ({
  name,
  of,
  text,
  children,
}: {
  name: string
  of: string
  text: string
  children?: ReactNode
}) => (
  <div>
    <dt className="mb-1.5 font-medium">{name}</dt>
    <dd>
      <div className="flex flex-wrap items-center gap-3">
        <code className="min-w-0 font-mono text-lg break-all select-all">{text}</code>
        <CopyButton text={text} of={of} />
      </div>
      {children}
    </dd>
  </div>
)

const amountOf = ({ currency, available, pending }: Partnership['balances'][number]) => {
  const sum = formatAmount(available, currency)
  return pending === 0 ? sum : `${sum} and ${formatAmount(pending, currency)} pending`
}

/** The eight facts of the Partnership tab (spec §2), in its words. */
export const PartnershipFacts = ({ partnership }: { partnership: Partnership }) => {
  const { level, usedPromocodes, crossings, balances, percentage, minimumWithdrawal } = partnership
  const { promocode, referralLink } = partnership
  return (
    <div className="grid gap-6 md:grid-cols-2">
      <Card>
        <dl className="-my-3 divide-y divide-line">
          <Fact name="Level of participation">{level}</Fact>
          <Fact name="Used promotional codes">{usedPromocodes}</Fact>
          <Fact name="Crossings by link">{crossings}</Fact>
          <Fact name="Amount on the partner account">
            {balances.map((balance) => (
              <span key={balance.currency} className="block">
                {amountOf(balance)}
              </span>
            ))}
          </Fact>
          <Fact name="Percentage per transaction">{`${percentage}%`}</Fact>
          <Fact name="Minimum withdrawal amount">{minimumOf(minimumWithdrawal)}</Fact>
        </dl>
        <div className="mt-6 border-t border-line pt-5">
          <LevelProgress {...partnership} />
        </div>
      </Card>
      <Card>
        <dl className="space-y-6">
          <Token name="Promocode" of="the promocode" text={promocode} />
          <Token name="Referral link" of="the referral link" text={referralLink}>
            <div className="mt-4 w-fit rounded-field border border-line">
              <QrCode
                value={referralLink}
                label="QR code of your referral link"
                size={LINK_QR_SIZE}
                level="M"
              />
            </div>
          </Token>
        </dl>
      </Card>
    </div>
  )
}
