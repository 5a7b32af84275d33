/**
 * `npm run pictures`: draws what stands beside a link to our pages where people share it, in the colours of the brand file.
 * No name and no price is in them, so that they go for every reseller. Run it again when colours or the hedge change.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { crc32, deflateSync } from 'node:zlib'
import { DEFAULT_BRAND } from '@hedgerow/brand/brand'
import { escapeHtml } from '@hedgerow/io/escape-html'
import { chromium } from '@playwright/test'
import { findTestBrowser } from './browser.ts'

const [WIDTH, HEIGHT] = [1200, 630]
const STOREFRONT = new URL('../apps/storefront/', import.meta.url)
const { paper, surface, ink, quietInk, line, hedge } = DEFAULT_BRAND.colours.light

const fontFace = async (family: string, weight: string, module: string) => {
  const bytes = await readFile(new URL(import.meta.resolve(module)))
  return `@font-face{font-family:${family};font-weight:${weight};src:url(data:font/woff2;base64,${bytes.toString('base64')})}`
}

const receipt = (lines: readonly string[]) =>
  `<div class="card">${lines.map((text) => `<p>${text}</p>`).join('')}<b></b><i></i></div>`

/** The days of a server; nothing in it is a claim about ours. */
const days = `<div class="card days">${'<s></s>'.repeat(30)}</div>`

const ticket =
  '<div class="card ticket"><svg viewBox="0 0 9 9" shape-rendering="crispEdges">' +
  '<path d="M0 0h3v3H0zM6 0h3v3H6zM0 6h3v3H0z"/><path fill="#fff" d="M1 1h1v1H1zM7 1h1v1H7zM1 7h1v1H1z"/>' +
  '<path d="M4 0h1v2H4zM4 3h1v1H4zM0 4h2v1H0zM3 4h1v1H3zM5 4h2v1H5zM8 4h1v2H8zM4 6h2v1H4zM6 7h1v2H6zM4 8h1v1H4zM8 7h1v1H8zM5 5h1v1H5z"/>' +
  '</svg><div><p></p><p></p><b></b></div></div>'

const labels = `<div class="labels">${['', '', ''].map(() => '<div class="card"><b></b><p></p></div>').join('')}</div>`

const PICTURES = {
  social: {
    words: 'A VPN by the day',
    more: 'Choose the days, see the price, pay once.',
    drawing: receipt(['Days', 'Connections', 'Options']),
  },
  'social-manual': {
    words: 'How to connect',
    more: 'Install WireGuard, scan a code, browse.',
    drawing: ticket,
  },
  'social-status': {
    words: 'Are the servers up?',
    more: 'Each place, today and in the last 90 days.',
    drawing: days,
  },
  'social-resell': {
    words: 'A VPN under your own name',
    more: 'White label: your brand, our servers.',
    drawing: labels,
  },
} as const

const fonts = await Promise.all([
  fontFace('Fraunces', '600', '@fontsource/fraunces/files/fraunces-latin-600-normal.woff2'),
  fontFace(
    'Instrument',
    '400 700',
    '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2',
  ),
])
const drawnHedge = (await readFile(new URL('../packages/ui/src/page/hedge.svg', import.meta.url))).toString(
  'base64',
)

const style = `${fonts.join('')}
*{margin:0;box-sizing:border-box}
body{width:${WIDTH}px;height:${HEIGHT}px;background:${paper};color:${ink};font:30px/1.4 Instrument;overflow:hidden;position:relative}
main{display:grid;grid-template-columns:1fr 400px;gap:60px;align-items:center;padding:0 80px;height:470px}
h1{font:600 76px/1.08 Fraunces;letter-spacing:-.01em;text-wrap:balance}
main>.words>p{margin-top:24px;color:${quietInk}}
.hedge{position:absolute;inset:auto 0 62px;height:141px;background:${hedge};mask:url(data:image/svg+xml;base64,${drawnHedge}) repeat-x 0 0/auto 144px}
.ground{position:absolute;inset:auto 0 60px;height:3px;background:${hedge}}
.card{background:${surface};border:2px solid ${line};border-radius:18px;padding:30px 34px}
.card>p{display:flex;justify-content:space-between;align-items:center;padding:11px 0;border-bottom:2px solid ${line};font-size:26px}
.card>p:not(:empty)::after{content:"";width:70px;height:12px;border-radius:6px;background:${line}}
.card>b{display:block;margin-top:26px;height:26px;width:150px;margin-left:auto;border-radius:8px;background:${ink}}
.card>i{display:block;margin-top:24px;height:56px;border-radius:10px;background:${hedge}}
.days{display:flex;gap:4px;height:150px;align-items:stretch}
.days s{flex:1;border-radius:2px;background:${hedge}}
.ticket{display:flex;gap:28px;align-items:center}
.ticket svg{width:170px;fill:${ink}}
.ticket p{height:14px;width:120px;margin-bottom:18px;border-radius:7px;background:${line}}
.ticket div b{display:block;height:44px;width:120px;border-radius:10px;background:${hedge}}
.labels{display:grid;gap:18px}
.labels .card{display:flex;gap:20px;align-items:center;padding:22px 26px}
.labels .card>b{margin:0;width:50px;height:50px;border-radius:50%;border:3px solid ${hedge};background:none}
.labels .card>p{flex:1;height:16px;padding:0;border:0;border-radius:8px;background:${line}}`

const browser = await chromium.launch({
  executablePath: findTestBrowser() ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
/** Runs in the page: the picture with at most 64 colours, those it has most of, as a palette and a place in it for each pixel. */
const QUANTISE = `async (base64) => {
  const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,' + base64)).blob())
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
  context.drawImage(bitmap, 0, 0)
  const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height)
  const at = (i) => (data[i] << 16) | (data[i + 1] << 8) | data[i + 2]
  const counts = new Map()
  for (let i = 0; i < data.length; i += 4) counts.set(at(i), (counts.get(at(i)) ?? 0) + 1)
  const palette = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 64).map(([colour]) => colour)
  const distance = (a, b) => [16, 8, 0].reduce((sum, s) => sum + (((a >> s) & 255) - ((b >> s) & 255)) ** 2, 0)
  const nearest = new Map(palette.map((colour, index) => [colour, index]))
  for (const colour of counts.keys())
    if (!nearest.has(colour)) nearest.set(colour, palette.reduce((best, one, index) => distance(one, colour) < distance(palette[best], colour) ? index : best, 0))
  return { palette, pixels: Array.from({ length: data.length / 4 }, (_, i) => nearest.get(at(i * 4))) }
}`

const chunk = (type: string, content: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), content])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** The same picture as a PNG with a palette: a third of the size. */
const inFewColours = async (base64: string): Promise<Buffer> => {
  const { palette, pixels }: { palette: number[]; pixels: number[] } = await page.evaluate(
    `(${QUANTISE})('${base64}')`,
  )
  const header = Buffer.from([0, 0, WIDTH >> 8, WIDTH & 255, 0, 0, HEIGHT >> 8, HEIGHT & 255, 8, 3, 0, 0, 0])
  const rows = Array.from({ length: HEIGHT }, (_, y) => [0, ...pixels.slice(y * WIDTH, (y + 1) * WIDTH)])
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk(
      'PLTE',
      Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255])),
    ),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } })
for (const [name, { words, more, drawing }] of Object.entries(PICTURES)) {
  await page.setContent(
    `<style>${style}</style><main><div class="words"><h1>${escapeHtml(words)}</h1><p>${escapeHtml(more)}</p></div>${drawing}</main><div class="hedge"></div><div class="ground"></div>`,
  )
  await page.evaluate('document.fonts.ready')
  const picture = await page.screenshot()
  await writeFile(new URL(`public/${name}.png`, STOREFRONT), await inFewColours(picture.toString('base64')))
}
await browser.close()
