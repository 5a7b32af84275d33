import { AsyncLocalStorage } from 'node:async_hooks'
import type { Network } from '@hedgerow/domain/networks'

/** What a call says of where it comes from. It is not written down as it is: see `platform/http/visitor.ts`. */
export type Caller = Readonly<{ address: string; userAgent: string | undefined }>

/** On whose behalf something is done: the call that it began with and who makes it, or the job that does it. */
export type WorkContext = Readonly<{
  requestId: string
  job?: string
  caller?: Caller
  /** The networks around the caller, smallest first, as keyed hashes: a job keeps them to be counted by, and says no address. */
  networks?: () => readonly Network[]
  /** An operator does it, for the shop. */
  isOperator?: true
}>

const current = new AsyncLocalStorage<WorkContext>()

export const runAs = <T>(context: WorkContext, work: () => T): T => current.run(context, work)

/** Undefined outside of calls and jobs. */
export const workContext = (): WorkContext | undefined => current.getStore()
