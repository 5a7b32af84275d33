import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Check, ok, problem } from '#doctor/check.ts'
import type { Settings } from '#settings.ts'

const BUILD_AGAIN = 'Build the pages with the settings that the shop runs with: npm run build'

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

export const pageChecks: readonly Check[] = [
  {
    name: 'pages',
    isCheap: true,
    look: async ({ settings, storefrontDir }) => {
      const read = (file: string) => readFile(join(storefrontDir, file), 'utf8').catch(() => undefined)
      const [home, robots] = [await read('index.html'), await read('robots.txt')]
      if (home === undefined || robots === undefined) return problem('the pages are not built', BUILD_AGAIN)
      const differences = differencesOf(home, robots, settings)
      return differences.length === 0
        ? ok('the pages were built with these settings')
        : problem(`the pages were built with other settings: ${differences.join(', ')}`, BUILD_AGAIN)
    },
  },
]
