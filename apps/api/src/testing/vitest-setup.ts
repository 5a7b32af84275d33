import { keepCompiled } from '@hedgerow/testing/compiled'
import type { TestProject } from 'vitest/node'
import { bundleTool } from '#testing/bundle-tool.ts'
import { startTestCluster } from '#testing/template-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server that tests make their databases on. */
    postgresUrl: string
    /** The operator's tool in one file. */
    opsProgram: string
  }
}

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const compiled = await keepCompiled()
  const [cluster, opsProgram] = await Promise.all([startTestCluster(), bundleTool(compiled.folder)])
  project.provide('postgresUrl', cluster.url)
  project.provide('opsProgram', opsProgram)
  return async () => {
    await cluster.stop()
    await compiled.forget()
  }
}
