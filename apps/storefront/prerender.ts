/**
 * Writes each public page to a file, with all it will load named in its head, and compresses what is served. The build does so
 * first; an installation does it again, by the brand and the address of its settings. With a word: into that folder, which has
 * a copy of what was built.
 */
import { access, copyFile, readFile, rm } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { brandFrom, wordsOf } from '@hedgerow/brand/brand'
import { compressAll } from '@hedgerow/io/compress-all'
import { readVariables } from '@hedgerow/settings/read-variables'
import { runningVersion } from '@hedgerow/settings/running-version'
import * as v from '@hedgerow/settings/variables'
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

const [, , copy] = process.argv
const dist = copy ? pathToFileURL(`${copy}/`) : new URL('dist/', import.meta.url)
const parts = new URL('dist-ssr/', import.meta.url)
const manifestFile = new URL('.vite/manifest.json', dist)
const isBuilt = await access(manifestFile).then(
  () => false,
  () => true,
)
if (!isBuilt) {
  await copyFile(manifestFile, new URL('manifest.json', parts))
  await copyFile(new URL('index.html', dist), new URL('template.html', parts))
}
const readPart = (file: string) => readFile(new URL(file, parts), 'utf8')

const brand = brandFrom(process.env)
// Before the pages' own code is loaded, which reads it.
Object.assign(globalThis, { shopWords: wordsOf(brand) })
// By its address, because the type check runs on a checkout that has not been built.
const server: typeof prerendered = await import(new URL('prerender.js', parts).href)
const manifest: Manifest = JSON.parse(await readPart('manifest.json'))
const template = await readPart('template.html')
const { publicUrl } = readVariables(
  { publicUrl: v.withDefault('PUBLIC_URL', v.baseUrl(v.HTTP), 'http://localhost:3000') },
  process.env,
)

const compose = composeDocument({ template, brand, manifest, publicUrl })

/** The style sheet that each page begins with. */
const FIRST_STYLES = 'first-styles.json'
const styles: Record<string, string> = isBuilt ? JSON.parse(await readPart(FIRST_STYLES)) : {}

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
  const { html, file } = await withFirstViewStyles(dist, composed(rendered.markup), styles[route.path])
  styles[route.path] = file
  await writeInto(dist, `${folder}/index.html`.replace(/^\//, ''), html)
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
await writeAway({ dist, brand, template, isBuilt, render: server.renderAway })

// What the server answers with spa.html; any other unknown path is a 404.
const clientRendered = server.routes.filter((route) => !route.prerender).map((route) => route.path)
await writeInto(dist, 'spa-paths.json', JSON.stringify(clientRendered))

await writeInto(dist, 'robots.txt', robotsTxt(publicUrl))
// For the server alone: `ops doctor` holds it against what runs.
await writeInto(dist, 'built-from.json', JSON.stringify(runningVersion()))
const toBeFound = server.routes.filter(({ path, prerender }) => prerender && DESCRIPTIONS[path])
await writeInto(
  dist,
  'sitemap.xml',
  sitemapXml(
    publicUrl,
    toBeFound.map(({ path }) => path),
  ),
)

if (!isBuilt) {
  await writeInto(parts, FIRST_STYLES, JSON.stringify(styles))
  await rm(new URL('.vite', dist), { recursive: true })
}
await compressAll(dist)
