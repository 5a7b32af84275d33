import * as withdrawals from '@hedgerow/contract/console/withdrawals'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { useState } from 'react'
import { Link, useParams } from 'wouter'
import type { ReplyOf } from '#lib/api.ts'
import { sumText } from '#lib/format.ts'
import { WithdrawalBadge } from '#pages/withdrawals/withdrawal-words.tsx'
import { CallAct } from '#shared/call-act.tsx'
import { Facts } from '#shared/facts.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Money } from '#shared/money.tsx'
import { Page } from '#shared/page.tsx'
import { Section } from '#shared/section.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type Withdrawal = ReplyOf<'getConsoleWithdrawal'>

const REFRESHED = ['getConsoleWithdrawal', 'listConsoleWithdrawals', 'getToday'] as const

const bankText = ({ bank, whyNoBank }: ReplyOf<'openConsoleWithdrawal'>) =>
  bank ? [bank.holder, bank.iban, bank.sortCode, bank.account].filter(Boolean).join(', ') : whyNoBank

const billingText = ({ billing: { company, companyAddress, vatNumber } }: ReplyOf<'openConsoleWithdrawal'>) =>
  [company, ...companyAddress.split('\n'), vatNumber && `VAT number ${vatNumber}`]
    .filter(Boolean)
    .join(', ') || null

const Acts = ({ of: { id, sum, endsWith, batch, owing } }: { of: Withdrawal }) => {
  const act = { params: { withdrawalId: id }, refreshes: REFRESHED }
  return (
    <>
      <CallAct
        call="payConsoleWithdrawal"
        endpoint={withdrawals.payConsoleWithdrawal}
        label="Record as paid"
        verb="Record as paid"
        {...act}
      >
        <p>
          {sumText(sum)} to the account that ends in {endsWith}.
          {owing.minor > 0 && ` ${sumText(owing)} is owed back because of refunds.`}
        </p>
      </CallAct>
      {batch ? (
        <CallAct
          call="releaseConsoleWithdrawal"
          endpoint={withdrawals.releaseConsoleWithdrawal}
          label="Remove from its file"
          verb="Remove"
          {...act}
        />
      ) : (
        <CallAct
          call="refuseConsoleWithdrawal"
          endpoint={withdrawals.refuseConsoleWithdrawal}
          label="Refuse"
          tone="danger"
          verb="Refuse"
          {...act}
        />
      )}
    </>
  )
}

const WithdrawalPage = () => {
  const { id = '' } = useParams<{ id: string }>()
  const query = useData(
    'getConsoleWithdrawal',
    { params: { withdrawalId: id } },
    { live: { kinds: ['withdrawal'], id } },
  )
  const [opened, setOpened] = useState<ReplyOf<'openConsoleWithdrawal'>>()
  return (
    <Page
      title={query.data ? `Withdrawal of ${sumText(query.data.sum)}` : 'Withdrawal'}
      up={{ to: '/withdrawals', label: 'Withdrawals' }}
      actions={
        <>
          <CallAct
            call="openConsoleWithdrawal"
            endpoint={withdrawals.openConsoleWithdrawal}
            label="Show the account"
            verb="Show"
            params={{ withdrawalId: id }}
            onDone={setOpened}
            says={() => 'It is recorded that you looked'}
            refreshes={[]}
          />
          {query.data?.status === 'requested' && <Acts of={query.data} />}
        </>
      }
    >
      <Loaded query={query}>
        {(data) => (
          <div className="space-y-6">
            {data.recalledAt && data.status === 'requested' && (
              <Notice kind="warning" title="Do not pay it">
                <p>
                  Someone else may have requested it: its partner chose a new password by email on{' '}
                  <Time at={data.recalledAt} />. Take it out of its file, which refuses it, unless the bank
                  has paid it.
                </p>
              </Notice>
            )}
            {data.rings > 0 && (
              <Notice kind="warning" title="Look before you pay">
                <p>
                  Accounts that credit this partner paid with the same card or from the same network:{' '}
                  <Link to={`/partners/${data.partnerId}`} className="link">
                    {data.rings === 1 ? 'one ring' : `${data.rings} rings`}
                  </Link>
                  .
                </p>
              </Notice>
            )}
            <Section title="Status">
              <Facts
                facts={[
                  ['Status', <WithdrawalBadge key="s" of={data} />],
                  ['Requested', <Time key="c" at={data.createdAt} />],
                  ['Recalled', data.recalledAt && <Time key="r" at={data.recalledAt} />],
                  ['Ended', data.endedAt && <Time key="e" at={data.endedAt} />],
                  [
                    'To',
                    data.endsWith &&
                      `the ${data.method === 'iban' ? 'IBAN' : 'account'} ending in ${data.endsWith}`,
                  ],
                  ['Account', opened && bankText(opened)],
                  ['Document to', opened && billingText(opened)],
                  ['Owed back', data.owing.minor > 0 && <Money key="o" of={data.owing} />],
                  [
                    'File',
                    data.batch && (
                      <>
                        <Link to={`/withdrawals/files/${data.batch}`} className="link">
                          {data.batch}
                        </Link>
                        , there called {data.payoutReference}
                      </>
                    ),
                  ],
                  [
                    'Document',
                    data.document && (
                      <a key="d" href={`/api/v1/withdrawals/${id}/document`} download className="link">
                        {data.document}
                      </a>
                    ),
                  ],
                  ['Reference', data.reference],
                  ['Reason', data.reason],
                  [
                    'Partner',
                    data.partnerId ? (
                      <Link to={`/partners/${data.partnerId}`} className="link">
                        Partner page
                      </Link>
                    ) : (
                      'a deleted account'
                    ),
                  ],
                ]}
              />
            </Section>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

export default WithdrawalPage
