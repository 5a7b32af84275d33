import { brandFrom } from '@hedgerow/brand/brand'
import { brandColours } from '@hedgerow/ui/vite/brand-colours.ts'
import { compressAssets } from '@hedgerow/ui/vite/compress-assets.ts'
import { sayBrand } from '@hedgerow/ui/vite/say-brand.ts'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const { colours, name } = brandFrom(process.env)

export default defineConfig({
  plugins: [tailwindcss(), react(), brandColours(colours), sayBrand(name), compressAssets()],
  build: {
    target: 'es2023',
    // The polyfill would be an inline script, which the content security policy refuses.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
})
