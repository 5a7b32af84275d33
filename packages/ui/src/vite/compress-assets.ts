import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compressAll } from '@hedgerow/io/compress-all'
import type { Plugin } from 'vite'

/** Compresses what a build has written, once all is there. */
export const compressAssets = (): Plugin => {
  let folder = ''
  return {
    name: 'compress-assets',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = join(root, build.outDir)
    },
    closeBundle: () => compressAll(pathToFileURL(`${folder}/`)),
  }
}
