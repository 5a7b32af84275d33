import { backupChecks } from '#care/doctor/backup-checks.ts'
import type { Check, Looking } from '#care/doctor/check.ts'
import { databaseChecks } from '#care/doctor/database-checks.ts'
import { keyChecks } from '#care/doctor/key-checks.ts'
import { machineChecks } from '#care/doctor/machine-checks.ts'
import { mailChecks } from '#care/doctor/mail-checks.ts'
import { nameChecks } from '#care/doctor/name-checks.ts'
import { nodeChecks } from '#care/doctor/node-checks.ts'
import { pageChecks } from '#care/doctor/page-checks.ts'
import { proxyChecks } from '#care/doctor/proxy-checks.ts'
import { recordChecks } from '#care/doctor/record-checks.ts'
import { saleChecks } from '#care/doctor/sale-checks.ts'
import { senderChecks } from '#care/doctor/sender-checks.ts'
import { settingChecks } from '#care/doctor/setting-checks.ts'
import { ssoChecks } from '#care/doctor/sso-checks.ts'
import { workChecks } from '#care/doctor/work-checks.ts'
import { ADAPTERS } from '#money/gateway/adapters.ts'
import type { Finding } from '#platform/doctor/finding.ts'

const gatewayChecks: readonly Check[] = Object.values(ADAPTERS).map(({ check: { name, look } }) => ({
  name,
  isWatched: true,
  look: ({ settings }, signal) => look(settings, signal),
}))

/** A slice that has something to look at is named here. */
const CHECKS: readonly Check[] = [
  ...keyChecks,
  ...settingChecks,
  ...pageChecks,
  ...databaseChecks,
  ...backupChecks,
  ...nameChecks,
  ...mailChecks,
  ...senderChecks,
  ...gatewayChecks,
  ...saleChecks,
  ...proxyChecks,
  ...machineChecks,
  ...nodeChecks,
  ...workChecks,
  ...recordChecks,
  ...ssoChecks,
]

/** Longer than anything takes that works. */
const WITHIN_MS = 30_000

export type Found = Finding & { check: string }

/** By its code where it has one: messages of libraries name addresses with passwords in them. */
const faultOf = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return String(code ?? name ?? 'an error')
}

const lookAt = async ({ name, look }: Check, on: Looking, withinMs: number): Promise<Found[]> => {
  const signal = AbortSignal.timeout(withinMs)
  const late = new Promise<never>((_, fail) => {
    signal.addEventListener('abort', () => fail(signal.reason))
  })
  try {
    const found = await Promise.race([look(on, signal), late])
    return [found].flat().map((one) => ({ check: name, ...one }))
  } catch (error) {
    const says = signal.aborted
      ? `no answer within ${Math.round(withinMs / 1000)} seconds`
      : `could not be looked at: ${faultOf(error)}`
    return [{ check: name, state: 'problem', says, act: 'See whether it can be reached from this machine.' }]
  }
}

/** All side by side; one that fails or hangs stops none of the others. */
export const runChecks = async (
  on: Looking,
  { checks = CHECKS, withinMs = WITHIN_MS }: { checks?: readonly Check[]; withinMs?: number } = {},
): Promise<Found[]> => (await Promise.all(checks.map((check) => lookAt(check, on, withinMs)))).flat()

/** What each start looks at, and tells in the log. */
export const runCheapChecks = (on: Looking): Promise<Found[]> =>
  runChecks(on, { checks: CHECKS.filter(({ isCheap }) => isCheap) })

/** Those of a few names. */
export const checksNamed = (...names: readonly string[]): readonly Check[] =>
  CHECKS.filter(({ name }) => names.includes(name))

/** What the running shop looks at all the while. No pages are among it. */
export const WATCHED: readonly Check[] = CHECKS.filter(({ isWatched }) => isWatched)
