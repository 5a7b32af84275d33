/** `npm run lighthouse`: the public pages by Lighthouse's mobile preset, on the production build. Fetches Lighthouse itself. */
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@hedgerow/embedded-postgres/ports'
import { findBrowser } from '../scripts/browser.ts'

const START = fileURLToPath(new URL('../scripts/start.ts', import.meta.url))
const LIGHTHOUSE = 'lighthouse@13.5.0'
const FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'
const PAGES = process.argv.slice(2)
const EACH_PAGE = [
  '/',
  '/products',
  '/faq',
  '/status',
  '/check',
  '/manual/android',
  '/contact',
  '/partnership/referral',
  '/invoice',
  '/login',
]

type Report = {
  categories: Record<string, { score: number | null }>
  audits: Record<
    string,
    {
      numericValue?: number
      score: number | null
      details?: { items?: { resourceType?: string; transferSize?: number }[] }
    }
  >
}

const folder = await mkdtemp(join(tmpdir(), 'hedgerow-lighthouse-'))
const port = String(await freePort())
const shop = fork(START, {
  env: {
    ...process.env,
    PORT: port,
    SANDBOX_PORT: String(await freePort()),
    METRICS_PORT: '0',
    CONSOLE_PORT: 'off',
    DATA_DIR: folder,
  },
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
})
const exit = once(shop, 'exit')

const measure = async (path: string): Promise<Report> => {
  const file = join(folder, 'report.json')
  const args = [
    '--yes',
    LIGHTHOUSE,
    `http://localhost:${port}${path}`,
    '--output=json',
    `--output-path=${file}`,
  ]
  const child = spawn('npx', [...args, '--quiet', `--chrome-flags=${FLAGS}`], {
    env: { ...process.env, CHROME_PATH: findBrowser() },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await once(child, 'exit')
  return JSON.parse(await readFile(file, 'utf8')) as Report
}

const percent = (score: number | null | undefined) => Math.round((score ?? 0) * 100)

try {
  await Promise.race([once(shop, 'message'), exit])
  const rows: Record<string, unknown> = {}
  for (const path of PAGES.length > 0 ? PAGES : EACH_PAGE) {
    const { categories, audits } = await measure(path)
    const value = (name: string) => audits[name]?.numericValue ?? 0
    const scripts = audits['network-requests']?.details?.items?.filter(
      (item) => item.resourceType === 'Script',
    )
    rows[path] = {
      performance: percent(categories.performance?.score),
      accessibility: percent(categories.accessibility?.score),
      'best practices': percent(categories['best-practices']?.score),
      SEO: percent(categories.seo?.score),
      'FCP ms': Math.round(value('first-contentful-paint')),
      'LCP ms': Math.round(value('largest-contentful-paint')),
      'TBT ms': Math.round(value('total-blocking-time')),
      CLS: Number(value('cumulative-layout-shift').toFixed(3)),
      'JS kB':
        Math.round((scripts ?? []).reduce((sum, item) => sum + (item.transferSize ?? 0), 0) / 100) / 10,
    }
    const lost = Object.entries(audits).filter(([, audit]) => audit.score === 0)
    if (lost.length > 0) console.log(`${path}: ${lost.map(([name]) => name).join(', ')}`)
  }
  console.table(rows)
} finally {
  shop.kill('SIGTERM')
  await exit
  await rm(folder, { recursive: true, force: true })
}
