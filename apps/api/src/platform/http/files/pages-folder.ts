import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Settings } from '#platform/settings.ts'

/** Where the pages of this program are: where they were built into, or where its start has written them. */
export const pagesFolder = (
  app: 'storefront' | 'console',
  { pagesDir }: Pick<Settings, 'pagesDir'>,
): string =>
  pagesDir ? join(pagesDir, app) : fileURLToPath(new URL(`../../../../../${app}/dist`, import.meta.url))
