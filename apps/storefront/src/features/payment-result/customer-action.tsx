import { buttonLook } from '@hedgerow/ui/button-look.ts'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { ProgressLine } from '@hedgerow/ui/spinner.tsx'
import { lazy, Suspense } from 'react'
import type { DisplayItem } from '#features/payment-result/next-action.ts'
import { webAddress } from '#features/payment-result/web-address.ts'

const QrCode = lazy(() => import('@hedgerow/ui/qr-code.tsx').then((m) => ({ default: m.QrCode })))

const QR_PX = 250
const QR_TYPE = 'qr_data'

/** To be scanned by another device; a customer who reads this on the one that pays has the link. */
const CodeToScan = ({ data }: { data: string }) => {
  const link = webAddress(data)
  return (
    <div className="flex flex-col items-center gap-5 rounded-card border border-line bg-surface p-5">
      <Suspense fallback={<Skeleton label="Loading the QR code" lines={8} className="size-62.5" />}>
        <QrCode value={data} label="QR code to pay" size={QR_PX} level="M" />
      </Suspense>
      {link && (
        <a href={link.href} target="_blank" rel="noopener noreferrer" className={buttonLook('outline')}>
          Open it on this device
          <span className="sr-only"> (in a new tab)</span>
        </a>
      )}
    </div>
  )
}

/** What the customer has to do elsewhere, with what the payment system gives to be shown. */
export const CustomerAction = ({ display }: { display: readonly DisplayItem[] }) => (
  <div className="space-y-6">
    {display.map(({ type, title, data }) =>
      type === QR_TYPE ? (
        <CodeToScan key={data} data={data} />
      ) : (
        <p key={data} className="rounded-card border border-line bg-surface p-4">
          {title && <span className="block text-sm text-quiet-ink">{title}</span>}
          <span className="font-medium wrap-anywhere">{data}</span>
        </p>
      ),
    )}
    <ProgressLine label="We are waiting for your approval. Please keep this page open." />
  </div>
)

/** What to do, in plain words. */
export const actionLead = (display: readonly DisplayItem[]) =>
  display.some(({ type }) => type === QR_TYPE)
    ? 'Scan the code with your phone’s camera or your bank’s app, and approve the payment there. This page will carry on by itself.'
    : 'Open your bank’s app and approve the payment there. This page will carry on by itself.'
