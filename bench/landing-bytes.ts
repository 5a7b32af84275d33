import { readFile, stat } from 'node:fs/promises'

const dist = new URL('../apps/storefront/dist/', import.meta.url)

const sizeOf = async (path: string): Promise<number> => {
  const plain = new URL(path.replace(/^\//, ''), dist)
  const compressed = new URL(`${plain.href}.br`)
  return (await stat(compressed).catch(() => stat(plain))).size
}

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
      const sizes = await Promise.all(files.map(sizeOf))
      return { what, files: files.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
    },
  )
  return [{ what: 'HTML', files: 1, bytes: await sizeOf('index.html') }, ...(await Promise.all(rows))]
}
