import { HISTORY_DAYS } from '@hedgerow/domain/uptime'
import { PageHeader } from '@hedgerow/ui/page/page-header.tsx'
import { StatusView } from '#features/status/status-view.tsx'

const StatusPage = () => (
  <div className="mx-auto min-h-screen max-w-3xl">
    <PageHeader
      title="Status"
      lead={`How our servers are doing now, and over the past ${HISTORY_DAYS} days. We check every minute, and count maintenance as downtime.`}
    />
    <StatusView />
  </div>
)

export default StatusPage
