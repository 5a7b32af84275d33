import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type RunningVersion, runningVersion, versionLine } from '@hedgerow/settings/running-version'
import type { Check } from '#care/doctor/check.ts'
import { type Finding, ok, problem, warning } from '#platform/doctor/finding.ts'
import type { Settings } from '#platform/settings.ts'

const BUILD_AGAIN = 'Build the pages with the settings that the shop runs with: npm run build'
const INSTALL_AGAIN =
  'Run install-shop.sh of this release again: it writes the pages by the settings. Without it: docs/running.md#brand'

/** A release has pages, and only their words can be written anew. */
const howToBuild = (storefrontDir: string): Promise<string> =>
  access(join(storefrontDir, '../vite.config.ts')).then(
    () => BUILD_AGAIN,
    () => INSTALL_AGAIN,
  )

/** As a page spells it. */
const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#x27;')

/** What pages were built with that the settings do not say, by the names of the settings. */
const differencesOf = (home: string, robots: string, { brand, publicUrl }: Settings): string[] => {
  const isShown = (text: string) => home.includes(escaped(text)) || home.includes(text)
  return [
    ...(robots.includes(`${publicUrl}/`) ? [] : ['PUBLIC_URL']),
    ...(isShown(brand.name) ? [] : ['BRAND_NAME']),
    ...(isShown(brand.company.legalName) ? [] : ['BRAND_COMPANY']),
    ...(isShown(brand.company.number) ? [] : ['BRAND_COMPANY_NUMBER']),
    ...(isShown(brand.company.email) ? [] : ['BRAND_EMAIL']),
    ...(isShown(brand.company.phone) ? [] : ['BRAND_PHONE']),
  ]
}

/** What the build wrote of itself: apps/storefront/prerender.ts. */
const BUILT_FROM = 'built-from.json'

const readBuilt = (text: string | undefined): RunningVersion | undefined => {
  try {
    return JSON.parse(text ?? '') as RunningVersion
  } catch {
    return undefined
  }
}

/** Of a trial release the pages know the version that it will be. */
const planned = ({ version }: RunningVersion) => version.split('-')[0]

/** Pages of another version call what this one may not have. */
const compareVersions = (built: RunningVersion | undefined, act: string): Finding[] => {
  const running = runningVersion()
  if (!built) return [warning('the pages do not say which version they were built from', act)]
  const says = `the pages were built from ${versionLine(built)}, and ${versionLine(running)} runs`
  if (planned(built) !== planned(running)) return [problem(says, act)]
  const isOther = built.commit !== null && running.commit !== null && built.commit !== running.commit
  return isOther ? [warning(says, act)] : []
}

export const pageChecks: readonly Check[] = [
  {
    name: 'pages',
    isCheap: true,
    look: async ({ settings, storefrontDir }) => {
      const read = (file: string) => readFile(join(storefrontDir, file), 'utf8').catch(() => undefined)
      const [home, robots] = [await read('index.html'), await read('robots.txt')]
      const act = await howToBuild(storefrontDir)
      if (home === undefined || robots === undefined) return problem('the pages are not built', act)
      const differences = differencesOf(home, robots, settings)
      return [
        differences.length === 0
          ? ok('the pages were built with these settings')
          : problem(`the pages were built with other settings: ${differences.join(', ')}`, act),
        ...compareVersions(readBuilt(await read(BUILT_FROM)), act),
      ]
    },
  },
]
