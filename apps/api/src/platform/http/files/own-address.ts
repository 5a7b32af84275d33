import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The address that pages were built to name, with a slash at its end; undefined where they name none. */
export const builtFor = (root: string): string | undefined => {
  const robots = join(root, 'robots.txt')
  return existsSync(robots)
    ? /^Sitemap: (.+\/)sitemap\.xml$/m.exec(readFileSync(robots, 'utf8'))?.[1]
    : undefined
}
