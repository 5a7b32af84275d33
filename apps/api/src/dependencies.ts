import type { PaymentStatusReply } from '@hedgerow/contract/payments'
import type { FastifyBaseLogger } from 'fastify'
import type { Session } from '#accounts/accounts.queries.ts'
import type { Db } from '#database/client.ts'
import type { NotifiedCache } from '#database/notified-cache.ts'
import type { PdfMaker } from '#invoices/pdf-maker.ts'
import type { Mailer } from '#mail/mailer.ts'
import type { Meters } from '#metrics/meters.ts'
import type { KeyCipher } from '#nodes/key-cipher.ts'
import type { NodeSignal } from '#nodes/node-signal.ts'
import type { PromocodeTries } from '#partnership/promocode-tries.ts'
import type { BankList } from '#payments/bank-list.ts'
import type { GateClient } from '#payments/gate-client.ts'
import type { Settings } from './settings.ts'

/** What the services work with; made once at the start, handed down, so that a test can bring its own. */
export type Dependencies = Readonly<{
  settings: Settings
  db: Db
  gate: GateClient
  mailer: Mailer
  keyCipher: KeyCipher
  pdfs: PdfMaker
  /** Sessions by the hash of their token, in hexadecimal. */
  sessions: NotifiedCache<Session>
  /** How payments stand, as customers who wait for them are told; and whether this one's end is yet to be told. */
  statuses: NotifiedCache<{ reply: PaymentStatusReply; isUnnotified: boolean }>
  banks: BankList
  /** How many promocodes each account has guessed. */
  promocodeTries: PromocodeTries
  /** Wakes the agents that wait for changes. */
  nodeSignal: NodeSignal
  /** What this process counts of its own doings. */
  meters: Meters
  log: FastifyBaseLogger
}>
