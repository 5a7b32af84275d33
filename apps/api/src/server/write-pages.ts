import { execFile } from 'node:child_process'
import { cp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { StartError } from '#platform/start-error.ts'

const run = promisify(execFile)
const PROGRAMS = { storefront: 'prerender.ts', console: 'name-shop.ts' } as const

/** A folder by mistake, such as the program's own, would be gone. */
const refuseOthers = async (pagesDir: string): Promise<void> => {
  const found = await readdir(pagesDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return []
  })
  const other = found.find((name) => !Object.hasOwn(PROGRAMS, name))
  if (other !== undefined) throw new Error(`it holds ${other}. Name a folder for the pages alone`)
}

/**
 * Writes the pages by the settings of this start, for a shop that cannot change its own files, as in a container. What was there
 * goes when they are whole: nginx answers with some of them while the shop is away.
 */
export const writePages = async (pagesDir: string): Promise<void> => {
  const next = `${pagesDir}.next`
  try {
    await refuseOthers(pagesDir)
    await rm(next, { recursive: true, force: true })
    for (const [app, program] of Object.entries(PROGRAMS)) {
      const built = new URL(`../../../${app}/`, import.meta.url)
      const copy = join(next, app)
      await cp(new URL('dist', built), copy, { recursive: true, preserveTimestamps: true })
      await run(process.execPath, [fileURLToPath(new URL(program, built)), copy])
    }
    await rm(pagesDir, { recursive: true, force: true })
    await rename(next, pagesDir)
  } catch (error) {
    throw new StartError(`The pages cannot be written to PAGES_DIR, ${pagesDir}: ${(error as Error).message}`)
  }
}
