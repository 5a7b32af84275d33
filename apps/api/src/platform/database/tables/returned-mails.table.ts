import type { Generated } from 'kysely'

/** How a mail does not get through: refused at once, sent back later, or reported by its reader as unwanted. */
export type ReturnKind = 'refused' | 'bounced' | 'complained'

export type ReturnedMailsTable = {
  /** Of a customer. */
  email: string
  kind: ReturnKind
  at: Generated<Date>
}

export type ReturnedMailsTables = { returned_mails: ReturnedMailsTable }
