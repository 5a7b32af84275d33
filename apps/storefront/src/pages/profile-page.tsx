import { ErrorBoundary } from '@hedgerow/ui/error-boundary.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { PageHeader } from '@hedgerow/ui/page/page-header.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { Tabs } from '@hedgerow/ui/tabs.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { useLocation } from 'wouter'
import { ConnectionsSkeleton } from '#features/connections/connections-skeleton.tsx'
import { usePageSearch } from '#lib/use-page-search.ts'
import { whenOnline } from '#lib/when-online.ts'
import { PROFILE_KEY } from '#shared/profile-query.ts'
import { useSession } from '#shared/session.tsx'

const tab = (value: string, label: string, load: () => Promise<ComponentType>) => ({
  value,
  label,
  Panel: lazy(async () => ({ default: await whenOnline(load) })),
})

/** Each tab by its `?tab=…`, in a chunk of its own. */
const TABS = [
  tab('connections', 'Connections', async () => {
    const [{ ConnectionsPanel }, { Cancelling }, { groupDue, renewPath }] = await Promise.all([
      import('#features/connections/connections-panel.tsx'),
      import('#features/cancellation/cancelling.tsx'),
      import('#features/orders/renew-as-before.ts'),
    ])
    const renewals = { group: groupDue, path: renewPath }
    return () => (
      <Cancelling>{(cancel) => <ConnectionsPanel renewals={renewals} onCancel={cancel} />}</Cancelling>
    )
  }),
  tab('partnership', 'Partnership', () =>
    import('#features/partnership/partnership-panel.tsx').then((m) => m.PartnershipPanel),
  ),
  tab('profile', 'Profile', async () => {
    const [{ ProfilePanel }, { MessagesCard }, { AccountWarning }] = await Promise.all([
      import('#features/profile/profile-panel.tsx'),
      import('#features/conversations/messages-card.tsx'),
      import('#features/partnership/account-warning.tsx'),
    ])
    return () => <ProfilePanel messages={<MessagesCard />} warning={<AccountWarning />} />
  }),
  tab('history', 'Payment history', async () => {
    const [{ PaymentHistory }, { downloadCreditNote, downloadOrderInvoice }, { Cancelling }] =
      await Promise.all([
        import('#features/payment-history/payment-history.tsx'),
        import('#features/invoices/download-invoice.ts'),
        import('#features/cancellation/cancelling.tsx'),
      ])
    return () => (
      <Cancelling>
        {(cancel) => (
          <PaymentHistory
            onInvoice={downloadOrderInvoice}
            onCreditNote={downloadCreditNote}
            onCancel={cancel}
          />
        )}
      </Cancelling>
    )
  }),
]

const WayBackNotice = lazy(async () => ({
  default: (await import('#features/security/way-back-notice.tsx')).WayBackNotice,
}))

/** A payment may have come through since the profile was loaded. */
const useFreshProfile = () => {
  const queryClient = useQueryClient()
  useEffect(() => {
    void queryClient.refetchQueries({ queryKey: PROFILE_KEY, stale: true })
  }, [queryClient])
}

const ProfilePage = () => {
  const { profile } = useSession()
  const [, navigate] = useLocation()
  const wanted = usePageSearch().get('tab')
  useFreshProfile()
  if (!profile) return null
  const chosen = TABS.find(({ value }) => value === wanted)?.value ?? 'connections'
  return (
    <>
      <PageHeader title={`Welcome, ${profile.name}`} />
      <Suspense>
        <WayBackNotice />
      </Suspense>
      <Tabs
        label="Your account"
        value={chosen}
        onChange={(value) => navigate(`/profile?tab=${value}`)}
        tabs={TABS.map(({ value, label, Panel }) => ({
          value,
          label,
          content: (
            <Suspense
              fallback={
                value === 'connections' ? (
                  <ConnectionsSkeleton />
                ) : (
                  <Card className="min-h-100">
                    <Skeleton lines={8} className="max-w-measure" />
                  </Card>
                )
              }
            >
              {/* Within its tab: the others stay. */}
              <ErrorBoundary>
                <Panel />
              </ErrorBoundary>
            </Suspense>
          ),
        }))}
      />
    </>
  )
}

export default ProfilePage
