import { isOpenUpgrade, type UpgradeState } from '@hedgerow/domain/node-upgrades'
import { Badge, type BadgeTone } from '@hedgerow/ui/badge.tsx'
import type { ReplyOf } from '#lib/api.ts'

export type Node = ReplyOf<'listConsoleNodes'>[number]

const TONES: Readonly<Record<Node['state'], BadgeTone>> = {
  up: 'good',
  failing: 'bad',
  down: 'bad',
  drained: 'warning',
  awaiting: 'quiet',
  demonstration: 'quiet',
}

export const NodeBadge = ({ state }: { state: Node['state'] }) => <Badge tone={TONES[state]}>{state}</Badge>

const UPGRADES: Readonly<Record<UpgradeState, { word: string; tone: BadgeTone }>> = {
  waiting: { word: 'waits for its turn', tone: 'quiet' },
  offered: { word: 'offered', tone: 'quiet' },
  downloading: { word: 'downloading', tone: 'quiet' },
  installing: { word: 'on trial', tone: 'warning' },
  done: { word: 'done', tone: 'good' },
  refused: { word: 'refused', tone: 'bad' },
  failed: { word: 'failed', tone: 'bad' },
  stopped: { word: 'stopped', tone: 'quiet' },
}

export const UpgradeBadge = ({ state }: { state: UpgradeState }) => (
  <Badge tone={UPGRADES[state].tone}>{UPGRADES[state].word}</Badge>
)

/** What its agent runs, and what is being done about it. */
export const VersionBadge = ({ agent, upgrade }: Pick<Node, 'agent' | 'upgrade'>) => (
  <span className="inline-flex flex-wrap items-center gap-2">
    {agent.isApart ? <Badge tone="warning">{agent.version ?? 'unknown'}</Badge> : (agent.version ?? '–')}
    {upgrade && (isOpenUpgrade(upgrade.state) || (agent.isApart && upgrade.state !== 'done')) && (
      <UpgradeBadge state={upgrade.state} />
    )}
  </span>
)
