import { ArrowLeft } from '@hedgerow/ui/icons.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { PageHeader } from '@hedgerow/ui/page/page-header.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { type ComponentType, lazy, Suspense } from 'react'
import { Link } from 'wouter'

const card = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }))

/** From what opens the account to what happened to it; each in a chunk of its own. */
const CARDS = {
  secondStep: card(() => import('#features/security/second-step-card.tsx').then((m) => m.SecondStepCard)),
  passkeys: card(() => import('#features/security/passkeys-card.tsx').then((m) => m.PasskeysCard)),
  password: card(() => import('#features/security/password-card.tsx').then((m) => m.PasswordCard)),
  email: card(() => import('#features/security/email-card.tsx').then((m) => m.EmailCard)),
  sessions: card(() => import('#features/security/sessions-card.tsx').then((m) => m.SessionsCard)),
  activity: card(() => import('#features/security/activity-card.tsx').then((m) => m.ActivityCard)),
}

/** Down to below the fold: nothing jumps when the cards come. */
const CardsSkeleton = () => (
  <Card className="min-h-screen">
    <Skeleton label="Loading your security settings" lines={8} className="max-w-measure" />
  </Card>
)

const SecurityPage = () => (
  <>
    <PageHeader
      eyebrow={
        <Link to="/profile?tab=profile" className="link inline-flex min-h-6 items-center gap-1.5">
          <ArrowLeft className="size-4" />
          Back to your profile
        </Link>
      }
      title="Security"
      lead="What opens your account, and who used it."
    />
    <Suspense fallback={<CardsSkeleton />}>
      <div className="space-y-6">
        {Object.entries(CARDS).map(([name, Shown]) => (
          <Shown key={name} />
        ))}
      </div>
    </Suspense>
  </>
)

export default SecurityPage
