import { Button } from '@hedgerow/ui/button.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { PartnerAccount } from '#features/partnership/partner-account.tsx'
import { PartnershipFacts } from '#features/partnership/partnership-facts.tsx'
import { partnershipQuery } from '#features/partnership/partnership-queries.ts'
import { Statement } from '#features/partnership/statement.tsx'

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="mt-10">
    <h2 className="mb-4 text-xl">{title}</h2>
    {children}
  </section>
)

/** The Partnership tab of the profile. */
export const PartnershipPanel = () => {
  const { data, error, refetch, isFetching } = useQuery(partnershipQuery)
  if (!data && error) {
    return (
      <Notice kind="problem" title="Your partnership did not load">
        <p>{messageOf(error)}</p>
        <Button variant="outline" className="mt-3" busy={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </Notice>
    )
  }
  if (!data) {
    return (
      <div className="grid gap-6 md:grid-cols-2">
        <Card>
          <Skeleton label="Loading your partnership" lines={9} />
        </Card>
        <Card>
          <div aria-hidden="true" className="h-72 animate-pulse rounded-field bg-line" />
        </Card>
      </div>
    )
  }
  return (
    <>
      <p className="mb-5 max-w-measure text-quiet-ink">
        Share your link or your promocode, and earn a share of what people pay.{' '}
        <Link to="/partnership/referral" className="link">
          How it works
        </Link>
      </p>
      <PartnershipFacts partnership={data} />
      <Section title="Partner account">
        <PartnerAccount balances={data.balances} holdDays={data.holdDays} />
      </Section>
      <Section title="Statement">
        <Statement />
      </Section>
    </>
  )
}
