import { HISTORY_DAYS } from '@hedgerow/domain/uptime'
import { StatusView } from '#features/status/status-view.tsx'
import { PageHeader } from '#ui/page/page-header.tsx'

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
