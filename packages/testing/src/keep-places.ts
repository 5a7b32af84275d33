import type { Plugin } from 'rolldown'

/** For a bundle: what lies beside a source (migrations, pages, fonts) is still found there. `addressOf` writes a source's own. */
export const keepPlaces = (addressOf: (file: string) => string): Plugin => ({
  name: 'keep-places',
  transform: (code, id) =>
    id.endsWith('.ts') && code.includes('import.meta.url')
      ? { code: code.replaceAll('import.meta.url', addressOf(id)) }
      : null,
})
