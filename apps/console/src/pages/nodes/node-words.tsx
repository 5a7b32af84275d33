import { Badge, type BadgeTone } from '@hedgerow/ui/badge.tsx'
import type { ReplyOf } from '#lib/api.ts'

export type Node = ReplyOf<'listConsoleNodes'>[number]

const TONES: Readonly<Record<Node['state'], BadgeTone>> = {
  up: 'good',
  down: 'bad',
  drained: 'warning',
  awaiting: 'quiet',
  demonstration: 'quiet',
}

export const NodeBadge = ({ state }: { state: Node['state'] }) => <Badge tone={TONES[state]}>{state}</Badge>
