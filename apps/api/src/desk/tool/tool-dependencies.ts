import type { ConsoleListDependencies } from '#desk/console/serve-list.ts'
import type { Db } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { readBrand, readDataApi, type Settings } from '#platform/settings.ts'

export type ToolDependencies = ConsoleListDependencies & With<'settings'>

/** What the operators' calls work with, in the tool: each setting is read when it is asked for, so that a command needs no more than it uses. */
export const toolDependencies = (db: Db, env: NodeJS.ProcessEnv = process.env): ToolDependencies => ({
  db,
  exportDb: db,
  log: console as never,
  settings: {
    get brand() {
      return readBrand(env)
    },
    get dataApi() {
      return readDataApi(env)
    },
  } as Settings,
})
