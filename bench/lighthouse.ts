/**
 * `npm run lighthouse`: the pages by Lighthouse's mobile preset, on the production build, a customer's among them. Fetches
 * Lighthouse itself.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@hedgerow/embedded-postgres/ports'
import { chromium } from '@playwright/test'
import { anAccount, anOrder, aPurchase, enter } from '../e2e/customers.ts'
import { startShop } from '../e2e/start-shop.ts'
import { findBrowser } from '../scripts/browser.ts'

const LIGHTHOUSE = 'lighthouse@13.5.0'
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const ASKED_FOR = process.argv.slice(2)
const PUBLIC = [
  '/',
  '/products',
  '/calculator',
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
const stopShop = await startShop()

const customer = await anAccount()
await aPurchase(customer)
const ofCustomer = [`/checkout/${await anOrder(customer)}`, '/profile']

/** In a browser of its own, with nothing in its cache. */
const measure = async (path: string): Promise<Report> => {
  const port = await freePort()
  const browser = await chromium.launchPersistentContext('', {
    executablePath: findBrowser() ?? '/usr/bin/chromium',
    args: [...FLAGS, `--remote-debugging-port=${port}`],
    baseURL: process.env.SHOP_URL ?? '',
  })
  try {
    if (ofCustomer.includes(path)) await enter(await browser.newPage(), customer, '/robots.txt')
    const file = join(folder, 'report.json')
    const address = `${process.env.SHOP_URL}${path}`
    const args = ['--yes', LIGHTHOUSE, address, '--output=json', `--output-path=${file}`, '--quiet']
    // Its reset would forget the session.
    const child = spawn('npx', [...args, `--port=${port}`, '--disable-storage-reset'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    await once(child, 'exit')
    return JSON.parse(await readFile(file, 'utf8')) as Report
  } finally {
    await browser.close()
  }
}

const percent = (score: number | null | undefined) => Math.round((score ?? 0) * 100)

try {
  const rows: Record<string, unknown> = {}
  for (const path of [...PUBLIC, ...ofCustomer]) {
    if (ASKED_FOR.length > 0 && !ASKED_FOR.some((part) => path === part || path.startsWith(`${part}/`)))
      continue
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
  await stopShop()
  await rm(folder, { recursive: true, force: true })
}
