import { Badge, type BadgeTone } from '@hedgerow/ui/badge.tsx'
import type { ReplyOf } from '#lib/api.ts'

export type Connection = ReplyOf<'listConsoleConnections'>['rows'][number]
type Status = Connection['status']

const TONES: Readonly<Record<Status, BadgeTone>> = {
  'never-connected': 'warning',
  connected: 'good',
  idle: 'quiet',
  expired: 'quiet',
  'cut-off': 'bad',
}

export const ConnectionBadge = ({ status }: { status: Status }) => (
  <Badge tone={TONES[status]}>{status.replaceAll('-', ' ')}</Badge>
)
