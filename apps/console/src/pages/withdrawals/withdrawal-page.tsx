import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Link, useParams } from 'wouter'
import { api, type ReplyOf } from '#lib/api.ts'
import { sumText } from '#lib/format.ts'
import { WithdrawalBadge } from '#pages/withdrawals/withdrawal-words.tsx'
import { Act } from '#shared/act.tsx'
import { Facts } from '#shared/facts.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Money } from '#shared/money.tsx'
import { Page } from '#shared/page.tsx'
import { Section } from '#shared/section.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type Withdrawal = ReplyOf<'getConsoleWithdrawal'>

const REFRESHED = ['getConsoleWithdrawal', 'listConsoleWithdrawals', 'getToday'] as const

const Acts = ({ of: { id, sum, endsWith, batch, owing } }: { of: Withdrawal }) => {
  const params = { withdrawalId: id }
  const shared = { may: 'withdrawals.pay', refreshes: REFRESHED } as const
  return (
    <>
      <Act
        {...shared}
        label="Record as paid"
        title={`Have you sent ${sumText(sum)}?`}
        verb="It is paid"
        fields={[
          {
            name: 'reference',
            label: 'The bank’s reference',
            isOptional: true,
            hint: 'The partner sees it',
          },
          ...(owing.minor > 0
            ? [
                {
                  name: 'although',
                  label: `Although ${sumText(owing)} is owed back because of refunds`,
                  kind: 'check' as const,
                },
              ]
            : []),
        ]}
        run={({ reference, although }) =>
          api.call('payConsoleWithdrawal', {
            params,
            body: { reference: reference || undefined, although: although === 'on' },
          })
        }
        done="Recorded. The partner gets a mail."
      >
        <p>To the account that ends in {endsWith}. This cannot be undone.</p>
      </Act>
      {batch ? (
        <Act
          {...shared}
          label="Take out of its file"
          title={`Take it out of ${batch}?`}
          verb="Take it out"
          run={() => api.call('releaseConsoleWithdrawal', { params })}
          done="Taken out"
        >
          <p>
            Go ahead only if you know that the bank has not paid and will not: it can stand in the next file,
            and would be paid twice.
          </p>
        </Act>
      ) : (
        <Act
          {...shared}
          label="Refuse"
          title={`Refuse to pay ${sumText(sum)}?`}
          tone="danger"
          verb="Refuse it"
          fields={[{ name: 'reason', label: 'Why', hint: 'The partner sees it' }]}
          run={({ reason = '' }) => api.call('refuseConsoleWithdrawal', { params, body: { reason } })}
          done="Refused. The partner gets a mail with the reason."
        >
          <p>The money is available to the partner again, less what is owed because of refunds.</p>
        </Act>
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
  return (
    <Page
      title={query.data ? `Withdrawal of ${sumText(query.data.sum)}` : 'Withdrawal'}
      up={{ to: '/withdrawals', label: 'Withdrawals' }}
      actions={query.data?.status === 'requested' && <Acts of={query.data} />}
    >
      <Loaded query={query}>
        {(data) => (
          <div className="space-y-6">
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
            <Section title="How it stands">
              <Facts
                facts={[
                  ['State', <WithdrawalBadge key="s" of={data} />],
                  ['Asked for', <Time key="c" at={data.createdAt} />],
                  ['Ended', data.endedAt && <Time key="e" at={data.endedAt} />],
                  [
                    'To',
                    data.endsWith &&
                      `the ${data.method === 'iban' ? 'IBAN' : 'account'} ending in ${data.endsWith}`,
                  ],
                  ['Owes back', data.owing.minor > 0 && <Money key="o" of={data.owing} />],
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
                  ['Reference', data.reference],
                  ['Reason', data.reason],
                  [
                    'Partner',
                    data.partnerId ? (
                      <Link to={`/partners/${data.partnerId}`} className="link">
                        Their partner account
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
