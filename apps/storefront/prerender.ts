/** Writes each public page to a file, with all it will load named in its head, and compresses what is served. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { brandFrom } from '@hedgerow/brand/brand'
import { readVariables } from '@hedgerow/settings/read-variables'
import { runningVersion } from '@hedgerow/settings/running-version'
import * as v from '@hedgerow/settings/variables'
import { compressAll } from '@hedgerow/ui/vite/compress-all.ts'
import { writeAway } from '#prerender/away.ts'
import { filesOf, type Manifest } from '#prerender/chunks.ts'
import { DESCRIPTIONS } from '#prerender/descriptions.ts'
import { composeDocument } from '#prerender/document.ts'
import { robotsTxt, sitemapXml } from '#prerender/finding.ts'
import { withFirstViewStyles } from '#prerender/first-view-styles.ts'
import { writeLegalTexts } from '#prerender/legal.ts'
import { writeInto } from '#prerender/write-into.ts'
import type * as prerendered from '#prerender.tsx'

/** By this name the server knows it (apps/api/src/platform/http/files/storefront-files.ts). */
const ASKED_PAGE = 'asked.html'

const dist = new URL('dist/', import.meta.url)
// By its address, because the type check runs on a checkout that has not been built.
const server: typeof prerendered = await import(new URL('dist-ssr/prerender.js', import.meta.url).href)
const manifest: Manifest = JSON.parse(await readFile(new URL('.vite/manifest.json', dist), 'utf8'))
const template = await readFile(new URL('index.html', dist), 'utf8')
const brand = brandFrom(process.env)
const { publicUrl } = readVariables(
  { publicUrl: v.withDefault('PUBLIC_URL', v.baseUrl(v.HTTP), 'http://localhost:3000') },
  process.env,
)

const compose = composeDocument({ template, brand, manifest, publicUrl })

for (const route of server.routes.filter((candidate) => candidate.prerender)) {
  const rendered = await server.renderPage(route)
  const canonical = route.canonical ?? route.path
  const folder = route.path.slice(1)
  const composed = (markup: string) =>
    compose({
      title: rendered.title,
      markup,
      path: route.path,
      canonical,
      description: DESCRIPTIONS[canonical],
      ...filesOf(manifest, route.source),
    })
  await writeInto(
    dist,
    `${folder}/index.html`.replace(/^\//, ''),
    await withFirstViewStyles(dist, composed(rendered.markup)),
  )
  // The same head. What is below it would move as soon as the address has been read.
  if (route.isAsked) await writeInto(dist, `${folder}/${ASKED_PAGE}`, composed(''))
}

const { notFound } = server
await writeInto(
  dist,
  '404.html',
  compose({ ...(await server.renderPage(notFound)), ...filesOf(manifest, notFound.source) }),
)
await writeInto(dist, 'spa.html', compose({ title: brand.name, markup: '', chunks: [], styles: [] }))

await writeLegalTexts(dist, brand)
await writeAway({ dist, brand, template, render: server.renderAway })

// What the server answers with spa.html; any other unknown path is a 404.
const clientRendered = server.routes.filter((route) => !route.prerender).map((route) => route.path)
await writeFile(new URL('spa-paths.json', dist), JSON.stringify(clientRendered))

await writeFile(new URL('robots.txt', dist), robotsTxt(publicUrl))
// For the server alone: `ops doctor` holds it against what runs.
await writeFile(new URL('built-from.json', dist), JSON.stringify(runningVersion()))
const toBeFound = server.routes.filter(({ path, prerender }) => prerender && DESCRIPTIONS[path])
await writeFile(
  new URL('sitemap.xml', dist),
  sitemapXml(
    publicUrl,
    toBeFound.map(({ path }) => path),
  ),
)

await rm(new URL('.vite', dist), { recursive: true })
await compressAll(dist)
