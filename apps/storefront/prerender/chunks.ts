export type Manifest = Record<string, { file: string; src?: string; isEntry?: boolean; imports?: string[] }>

/** The files that the page in a source file consists of, without those that the entry brings anyway. */
export const chunksOf = (manifest: Manifest, source: string): string[] => {
  const reach = (key: string, seen: Set<string>): Set<string> => {
    if (seen.has(key)) return seen
    seen.add(key)
    for (const next of manifest[key]?.imports ?? []) reach(next, seen)
    return seen
  }
  if (!manifest[source]) throw new Error(`The build has no chunk for ${source}`)
  const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry)
  const already = entry ? reach(entry, new Set()) : new Set<string>()
  return [...reach(source, new Set())]
    .filter((key) => !already.has(key))
    .flatMap((key) => manifest[key]?.file ?? [])
}

/** The built address of an asset, found by how its name begins. */
export const assetOf = (manifest: Manifest, source: string): string => {
  const found = Object.values(manifest).find((chunk) => chunk.src?.endsWith(source))
  if (!found) throw new Error(`The build has no ${source}`)
  return found.file
}
