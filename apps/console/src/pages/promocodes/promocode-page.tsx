import { Link, useParams } from 'wouter'
import { api } from '#lib/api.ts'
import { countText } from '#lib/format.ts'
import { PromocodeBadge } from '#pages/promocodes/promocode-words.tsx'
import { Act, Mistyped } from '#shared/act.tsx'
import { Facts } from '#shared/facts.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { Section } from '#shared/section.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

const REFRESHED = ['getConsolePromocode', 'listConsolePromocodes'] as const

const limitOf = (typed: string | undefined): number | null => {
  if (!typed) return null
  if (!/^\d{1,6}$/.test(typed)) throw new Mistyped('limit', 'Please enter a whole number.')
  return Number(typed)
}

type ActsProps = { promocode: string; limit: number | null; isClosed: boolean }

const Acts = ({ promocode, limit, isClosed }: ActsProps) => {
  const params = { promocode }
  return (
    <>
      <Act
        label="Limit"
        title={`How often may ${promocode} be used?`}
        may="promocodes.change"
        fields={[
          {
            name: 'limit',
            label: 'Uses in all',
            kind: 'number',
            isOptional: true,
            hint: 'Past uses included; without a number there is no limit',
            first: limit === null ? '' : String(limit),
          },
        ]}
        run={({ limit: typed }) => api.call('setPromocode', { params, body: { limit: limitOf(typed) } })}
        done="Kept"
        refreshes={REFRESHED}
      />
      <Act
        label={isClosed ? 'Open again' : 'Close'}
        title={isClosed ? `Open ${promocode} again?` : `Close ${promocode}?`}
        may="promocodes.change"
        verb={isClosed ? 'Open it' : 'Close it'}
        run={() => api.call('setPromocode', { params, body: { isClosed: !isClosed } })}
        done="Kept"
        refreshes={REFRESHED}
      >
        {!isClosed && (
          <p>
            Nobody can use it from now on. Customers with unpaid orders must remove it before they can pay.
            Payments under way continue. You can open it again at any time.
          </p>
        )}
      </Act>
    </>
  )
}

const PromocodePage = () => {
  const { code = '' } = useParams<{ code: string }>()
  const query = useData('getConsolePromocode', { params: { promocode: code } })
  return (
    <Page
      title={code.toUpperCase()}
      up={{ to: '/promocodes', label: 'Promocodes' }}
      actions={query.data && <Acts {...query.data} isClosed={query.data.closedAt !== null} />}
    >
      <Loaded query={query}>
        {(data) => (
          <Section title="How it stands">
            <Facts
              facts={[
                ['State', <PromocodeBadge key="s" of={data} />],
                ['Closed', data.closedAt && <Time key="c" at={data.closedAt} />],
                ['Takes off', `${data.percentage}% of the price`],
                ['Uses', `${countText(data.uses)} credited, ${countText(data.usesToCome)} under way`],
                ['Limit', data.limit === null ? 'none' : countText(data.limit)],
                [
                  'Partner',
                  <Link key="p" to={`/partners/${data.partnerId}`} className="link">
                    Their partner account
                  </Link>,
                ],
                [
                  'Payments',
                  <Link key="y" to={`/payments?promocode=${data.promocode}`} className="link">
                    Those with it
                  </Link>,
                ],
              ]}
            />
          </Section>
        )}
      </Loaded>
    </Page>
  )
}

export default PromocodePage
