import { keepCompiled } from '@hedgerow/testing/compiled'
import type { TestProject } from 'vitest/node'
import { startTestCluster } from '#testing/template-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server that tests make their databases on. */
    postgresUrl: string
  }
}

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const compiled = await keepCompiled()
  const cluster = await startTestCluster()
  project.provide('postgresUrl', cluster.url)
  return async () => {
    await cluster.stop()
    await compiled.forget()
  }
}
