import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runFolder } from './compiled.ts'

const folders = new Map<string, Promise<string>>()

const makeOnce = async (name: string, make: (folder: string) => Promise<void>): Promise<string> => {
  const home = runFolder()
  if (!home) throw new Error(`${name} is made in a run of tests only`)
  const folder = join(home, name)
  if (existsSync(folder)) return folder
  const unfinished = await mkdtemp(join(home, 'unfinished-'))
  await make(unfinished)
  // Another worker may have been faster.
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
  return folder
}

/** A folder that is filled once per run of tests, by the first worker that wants it. */
export const oncePerRun = (name: string, make: (folder: string) => Promise<void>): Promise<string> => {
  const folder = folders.get(name) ?? makeOnce(name, make)
  folders.set(name, folder)
  return folder
}
