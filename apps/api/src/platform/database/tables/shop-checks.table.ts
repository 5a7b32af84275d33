import type { Generated } from 'kysely'

export type ShopChecksTable = {
  name: string
  /** Whose disk it is; '' where it is the same on each machine. */
  machine: string
  state: 'ok' | 'warning' | 'problem'
  says: string
  act: string | null
  /** Since when it has this state. */
  since: Generated<Date>
  looked_at: Generated<Date>
  /** When operators were mailed that it is a problem. */
  told_at: Date | null
}

export type ShopChecksTables = { shop_checks: ShopChecksTable }
