import type { Brand } from '@hedgerow/brand/brand'
import type { Plugin } from 'vite'

/** In development, where no build has written them to files. */
export const serveLegalTexts = (brand: Brand): Plugin => ({
  name: 'legal-texts',
  configureServer: ({ middlewares }) => {
    middlewares.use('/legal', async ({ url = '' }, response, next) => {
      // Only here: it brings its fonts along.
      const { legalText } = await import('./legal.ts')
      const pdf = await legalText(`legal${url}`, brand)
      if (!pdf) return next()
      response.writeHead(200, { 'content-type': 'application/pdf' })
      response.end(pdf)
    })
  },
})
