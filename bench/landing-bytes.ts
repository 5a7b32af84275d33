import { readdir, readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'

const brotli = promisify(brotliCompress)

const dist = new URL('../apps/storefront/dist/', import.meta.url)

const sizes = new Map<string, Promise<number>>()

/** As the server sends it. Compressed here: the build of a trial does it quickly. */
const sizeAt = (file: URL): Promise<number> => {
  const known =
    sizes.get(file.href) ??
    (file.href.endsWith('.woff2')
      ? stat(file).then(({ size }) => size)
      : readFile(file).then(async (content) => (await brotli(content)).length))
  sizes.set(file.href, known)
  return known
}

const sizeOf = (path: string): Promise<number> => sizeAt(new URL(path.replace(/^\//, ''), dist))

/** Compressed bytes of what a first visit to the landing page loads, by kind. */
export const landingBytes = async (): Promise<{ what: string; files: number; bytes: number }[]> => {
  const document = await readFile(new URL('index.html', dist), 'utf8')
  // The whole style sheet comes with the scripts; the first view waits for its own part of it only.
  const html = document.replace(/<link id="all-styles"[^<>]*>/, '')
  const linked = [
    ...new Set([...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path as string)),
  ]
  const rows = Object.entries({ JavaScript: '.js', CSS: '.css', fonts: '.woff2' }).map(
    async ([what, ending]) => {
      const files = linked.filter((path) => path.endsWith(ending))
      const all = await Promise.all(files.map(sizeOf))
      return { what, files: files.length, bytes: all.reduce((sum, size) => sum + size, 0) }
    },
  )
  return [{ what: 'HTML', files: 1, bytes: await sizeOf('index.html') }, ...(await Promise.all(rows))]
}

const assets = (site: string) => new URL(`../apps/${site}/dist/assets/`, import.meta.url)

/** Compressed bytes of script that each page needs before it is there, by the page's name; with what all pages of the site share. */
export const scriptsOfPages = async (site: 'storefront' | 'console'): Promise<Map<string, number>> => {
  const folder = assets(site)
  const first = site === 'storefront' ? 'spa.html' : 'index.html'
  const html = await readFile(new URL(`../${first}`, folder), 'utf8')
  const importsOf = async (name: string): Promise<string[]> => {
    const script = await readFile(new URL(name, folder), 'utf8')
    return [...script.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g)].map(
      ([, path]) => path as string,
    )
  }
  const withImports = async (name: string, all: Set<string>): Promise<Set<string>> => {
    if (all.has(name)) return all
    all.add(name)
    for (const one of await importsOf(name)) await withImports(one, all)
    return all
  }
  const shared = new Set<string>()
  for (const [, name] of html.matchAll(/(?:src|href)="\/assets\/([^"]+\.js)"/g))
    await withImports(name as string, shared)
  const pages = new Map<string, number>()
  for (const file of await readdir(folder)) {
    const [, name] = /^(.+-(?:page|panel))-[\w-]+\.js$/.exec(file) ?? []
    if (!name) continue
    const all = [...(await withImports(file, new Set(shared)))].map((one) => sizeAt(new URL(one, folder)))
    pages.set(
      name,
      (await Promise.all(all)).reduce((sum, size) => sum + size, 0),
    )
  }
  return pages
}
