import type { AlertList } from '@hedgerow/contract/console/today'
import type { Alert } from '#care/overview/alerts.ts'

const COMMANDS: Readonly<Record<AlertList, string>> = {
  applications: 'application list',
  cancellations: 'cancellation list',
  checks: 'check list',
  connections: 'connection list',
  'dispute-hints': 'dispute hints',
  disputes: 'dispute list',
  jobs: 'job list',
  nodes: 'node list',
  payments: 'payment list',
  rates: 'rate list',
  'record-checks': 'audit verify',
  'sealed-rows': 'key status',
  settlement: 'settlement list',
  'sterling-rates': 'rate sterling list',
  support: 'support list',
  'unknown-payments': 'payment unknown',
  webhooks: 'webhook list',
  withdrawals: 'withdrawal list',
}

/** 'keysOverdue' that is 'true' is typed as --keys-overdue. */
const optionOf = ([name, value]: [string, string]): string =>
  `--${name.replace(/[A-Z]/g, (one) => `-${one.toLowerCase()}`)}${value === 'true' ? '' : ` ${value}`}`

/** The command of the tool that shows them. */
export const commandOfAlert = ({ list, filters }: Pick<Alert, 'list' | 'filters'>): string =>
  [COMMANDS[list], ...Object.entries(filters).map(optionOf)].join(' ')
