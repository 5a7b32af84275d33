import type { ReturnKind } from '@hedgerow/domain/returned-purchases'
import { SECURITY_EVENTS, type SecurityEvent } from '@hedgerow/domain/security-events'
import { VELOCITY_KINDS, type VelocityKind } from '@hedgerow/domain/velocity-limits'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

const MS = 1_000
const CALL_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** A delivery takes milliseconds, or as long as it waits for room. */
const DELIVERY_BUCKETS = [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120, 600, 3_600, 21_600, 86_400]
const JOB_BUCKETS = [0.01, 0.05, 0.25, 1, 5, 20, 60]

export type MailOutcome = 'sent' | 'refused' | 'failed' | 'held'

/** What this process counts of its own doings; what all processes share is read from the database. */
export const createMeters = (registry: Registry) => {
  const registers = [registry]
  const deliveries = new Histogram({
    name: 'hedgerow_delivery_seconds',
    help: 'From the update that a payment succeeded to its connections and their peers',
    buckets: DELIVERY_BUCKETS,
    registers,
  })
  const callbacks = new Counter({
    name: 'hedgerow_callbacks_total',
    help: 'Callbacks of the gateway by what became of them; refused: not signed, or of no shape that is known',
    labelNames: ['outcome'],
    registers,
  })
  for (const outcome of ['applied', 'nothing-new', 'refused', 'does-not-match']) callbacks.inc({ outcome }, 0)
  const pauses = new Counter({
    name: 'hedgerow_payments_paused_total',
    help: 'Attempts to pay that were refused as too many in vain, by what they were counted by',
    labelNames: ['by'],
    registers,
  })
  for (const by of VELOCITY_KINDS) pauses.inc({ by }, 0)
  const signUps = new Counter({ name: 'hedgerow_sign_ups_total', help: 'Accounts opened', registers })
  const securityEvents = new Counter({
    name: 'hedgerow_security_events_total',
    help: 'What happened to accounts: log-ins, refusals, changes of who gets in, exports',
    labelNames: ['kind'],
    registers,
  })
  for (const kind of [...Object.keys(SECURITY_EVENTS), 'account-erased']) securityEvents.inc({ kind }, 0)
  const mails = new Counter({
    name: 'hedgerow_mails_total',
    help: 'Tries to send a mail, by the job that does: sent, refused for its address, failed, or held as one too many',
    labelNames: ['kind', 'outcome'],
    registers,
  })
  const lastMail = new Gauge({
    name: 'hedgerow_mail_last_success_timestamp_seconds',
    help: 'When the mail server last took a mail; 0: not yet',
    registers,
  })
  const jobs = new Histogram({
    name: 'hedgerow_job_seconds',
    help: 'Runs of jobs by how they ended',
    labelNames: ['task', 'outcome'],
    buckets: JOB_BUCKETS,
    registers,
  })
  const gateCalls = new Histogram({
    name: 'hedgerow_gateway_call_seconds',
    help: "Calls of each gateway by its answer; unknown: none, or a fault of the gateway's",
    labelNames: ['gateway', 'call', 'outcome'],
    buckets: CALL_BUCKETS,
    registers,
  })
  const unreadable = new Counter({
    name: 'hedgerow_unreadable_total',
    help: 'Tries to open a sealed value that none of the keys opens',
    registers,
  })
  return {
    didNotOpen: () => unreadable.inc(),
    delivered: (seconds: number) => deliveries.observe(seconds),
    calledBack: (outcome: string) => callbacks.inc({ outcome }),
    paused: (by: VelocityKind | `returns-${ReturnKind}`) => pauses.inc({ by }),
    signedUp: () => signUps.inc(),
    securityEvent: (kind: SecurityEvent | 'account-erased') => securityEvents.inc({ kind }),
    mailed: (kind: string, outcome: MailOutcome) => {
      mails.inc({ kind, outcome })
      if (outcome === 'sent') lastMail.set(Date.now() / MS)
    },
    ranJob: (task: string, seconds: number, isDone: boolean) =>
      jobs.observe({ task, outcome: isDone ? 'done' : 'failed' }, seconds),
    calledGateway: (gateway: string, call: string, seconds: number, outcome: string) =>
      gateCalls.observe({ gateway, call, outcome }, seconds),
  }
}

export type Meters = ReturnType<typeof createMeters>

/** How long the work took, and whether it came to an end, reported when it is over. */
export const timed = async <T>(
  work: () => Promise<T>,
  tell: (seconds: number, result: T | undefined) => void,
): Promise<T> => {
  const start = performance.now()
  let result: T | undefined
  try {
    result = await work()
    return result
  } finally {
    tell((performance.now() - start) / MS, result)
  }
}
