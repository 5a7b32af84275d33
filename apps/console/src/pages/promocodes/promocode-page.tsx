import * as promocodes from '@hedgerow/contract/console/promocodes'
import { Link, useParams } from 'wouter'
import { countText } from '#lib/format.ts'
import { PromocodeBadge } from '#pages/promocodes/promocode-words.tsx'
import { CallAct } from '#shared/call-act.tsx'
import { Facts } from '#shared/facts.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { Section } from '#shared/section.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

const REFRESHED = ['getConsolePromocode', 'listConsolePromocodes'] as const

type ActsProps = { promocode: string; limit: number | null; isClosed: boolean }

const Acts = ({ promocode, limit, isClosed }: ActsProps) => {
  const act = { params: { promocode }, tone: 'outline', refreshes: REFRESHED } as const
  return (
    <>
      <CallAct
        call="limitPromocode"
        endpoint={promocodes.limitPromocode}
        label="Limit"
        verb="Save"
        first={{ limit: limit === null ? '' : String(limit) }}
        {...act}
      />
      {limit !== null && (
        <CallAct
          call="unlimitPromocode"
          endpoint={promocodes.unlimitPromocode}
          label="No limit"
          verb="Remove limit"
          {...act}
        />
      )}
      {isClosed ? (
        <CallAct
          call="openPromocode"
          endpoint={promocodes.openPromocode}
          label="Open again"
          verb="Open"
          {...act}
        />
      ) : (
        <CallAct
          call="closePromocode"
          endpoint={promocodes.closePromocode}
          label="Close"
          verb="Close"
          {...act}
        />
      )}
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
          <Section title="Status">
            <Facts
              facts={[
                ['Status', <PromocodeBadge key="s" of={data} />],
                ['Closed', data.closedAt && <Time key="c" at={data.closedAt} />],
                ['Discount', `${data.percentage}% of the price`],
                ['Uses', `${countText(data.uses)} credited, ${countText(data.usesToCome)} under way`],
                ['Limit', data.limit === null ? 'none' : countText(data.limit)],
                [
                  'Partner',
                  <Link key="p" to={`/partners/${data.partnerId}`} className="link">
                    Partner page
                  </Link>,
                ],
                [
                  'Payments',
                  <Link key="y" to={`/payments?promocode=${data.promocode}`} className="link">
                    View
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
