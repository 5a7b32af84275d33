/**
 * An upgrade of a node's agent. 'waiting': for the upgrades before it. 'refused': the agent would not try it. 'failed': it
 * tried, and runs what it ran before. 'stopped': an operator, or an upgrade before it, ended it before it began.
 */
export const UPGRADE_STATES = [
  'waiting',
  'offered',
  'downloading',
  'installing',
  'done',
  'refused',
  'failed',
  'stopped',
] as const
export type UpgradeState = (typeof UPGRADE_STATES)[number]

/** What an agent says of one. */
export const UPGRADE_REPORTS = ['downloading', 'installing', 'done', 'refused', 'failed'] as const
export type UpgradeReport = (typeof UPGRADE_REPORTS)[number]

/** It is some agent's turn. */
export const ACTIVE_UPGRADES = ['offered', 'downloading', 'installing'] as const
/** It has not ended. */
export const OPEN_UPGRADES = ['waiting', ...ACTIVE_UPGRADES] as const

export const isOpenUpgrade = (state: UpgradeState): boolean =>
  (OPEN_UPGRADES as readonly UpgradeState[]).includes(state)

export const LONGEST_UPGRADE_REASON = 300

/** An upgrade that nothing is heard of for so long has failed: the node is down, or its agent does not come back. */
export const UPGRADE_SILENT_MINUTES = 15

/** A new version has so long to show that it is well. */
export const UPGRADE_TRIAL_S = 120
