import type { Plugin } from 'vite'

/** Has a document say in its head whose it is. */
export const sayBrand = (content: string): Plugin => ({
  name: 'say-brand',
  transformIndexHtml: () => [{ tag: 'meta', attrs: { name: 'brand', content }, injectTo: 'head' }],
})
