import { Badge, type BadgeTone } from '@hedgerow/ui/badge.tsx'
import type { ReplyOf } from '#lib/api.ts'
import type { ListColumn } from '#shared/list-columns.tsx'
import { Time } from '#shared/time.tsx'

export type Connection = ReplyOf<'listConsoleConnections'>['rows'][number]
type Status = Connection['status']

const TONES: Readonly<Record<Status, BadgeTone>> = {
  'never-connected': 'warning',
  connected: 'good',
  idle: 'quiet',
  expired: 'quiet',
  'cut-off': 'bad',
}

export const CONNECTION_STATUSES = Object.keys(TONES) as Status[]
export const wordsOf = (status: Status) => status.replaceAll('-', ' ')

export const ConnectionBadge = ({ status }: { status: Status }) => (
  <Badge tone={TONES[status]}>{wordsOf(status)}</Badge>
)

export const CONNECTION_COLUMNS: readonly ListColumn<Connection>[] = [
  { name: 'name', title: 'Name', isName: true, cell: ({ name }) => name },
  { name: 'status', title: 'Status', cell: ({ status }) => <ConnectionBadge status={status} /> },
  { name: 'node', title: 'Node', cell: ({ node }) => node },
  { name: 'expiresAt', title: 'Ends', cell: ({ expiresAt }) => <Time at={expiresAt} none="never" /> },
  {
    name: 'createdAt',
    title: 'Made',
    sort: 'createdAt',
    cell: ({ createdAt }) => <Time at={createdAt} as="day" />,
  },
  {
    name: 'id',
    title: 'Connection',
    cell: ({ id }) => <span className="font-mono text-sm">{id}</span>,
    isExtra: true,
  },
]
