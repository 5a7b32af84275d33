export type Manifest = Record<string, { file: string; src?: string; imports?: string[]; css?: string[] }>

type PageFiles = { chunks: string[]; styles: string[] }

/** The files that the page in a source file consists of. */
export const filesOf = (manifest: Manifest, source: string): PageFiles => {
  if (!manifest[source]) throw new Error(`The build has no chunk for ${source}`)
  const reached = new Set<string>()
  const reach = (key: string) => {
    if (reached.has(key)) return
    reached.add(key)
    for (const next of manifest[key]?.imports ?? []) reach(next)
  }
  reach(source)
  return {
    chunks: [...reached].flatMap((key) => manifest[key]?.file ?? []),
    styles: [...reached].flatMap((key) => manifest[key]?.css ?? []),
  }
}

/** The built address of an asset, found by how its name begins. */
export const assetOf = (manifest: Manifest, source: string): string => {
  const found = Object.values(manifest).find((chunk) => chunk.src?.endsWith(source))
  if (!found) throw new Error(`The build has no ${source}`)
  return found.file
}
