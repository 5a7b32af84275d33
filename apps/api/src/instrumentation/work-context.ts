import { AsyncLocalStorage } from 'node:async_hooks'

/** On whose behalf something is done: the call that it began with, and the job that does it, if one does. */
export type WorkContext = Readonly<{ requestId: string; job?: string }>

const current = new AsyncLocalStorage<WorkContext>()

export const runAs = <T>(context: WorkContext, work: () => T): T => current.run(context, work)

/** Undefined outside of calls and jobs. */
export const workContext = (): WorkContext | undefined => current.getStore()
