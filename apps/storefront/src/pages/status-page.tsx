import { HISTORY_DAYS } from '@hedgerow/domain/uptime'
import { StatusView } from '#features/status/status-view.tsx'
import { PageHeader } from '#ui/page/page-header.tsx'

const StatusPage = () => (
  <div className="mx-auto min-h-screen max-w-3xl">
    <PageHeader
      title="Status"
      lead={`How our servers are now, and how they were in the past ${HISTORY_DAYS} days. The shop looks every minute, and time lost to maintenance counts as well.`}
    />
    <StatusView />
  </div>
)

export default StatusPage
