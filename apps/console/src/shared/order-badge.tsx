import type { OrderStatus } from '@hedgerow/domain/order-status'
import { Badge } from '@hedgerow/ui/badge.tsx'

const TONES = { New: 'warning', Completed: 'good', Rejected: 'quiet' } as const

export const OrderBadge = ({ status }: { status: OrderStatus }) => (
  <Badge tone={TONES[status]}>{status}</Badge>
)
