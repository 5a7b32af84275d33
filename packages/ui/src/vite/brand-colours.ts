import type { Brand, Palette } from '@hedgerow/brand/brand'
import type { Plugin } from 'vite'

const ID = 'virtual:brand.css'

const kebab = (role: string) => role.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const declarations = (palette: Palette) =>
  Object.entries(palette)
    .map(([role, colour]) => `--brand-${kebab(role)}:${colour};`)
    .join('')

/** Serves the brand's palettes as custom properties, so that no stylesheet spells a colour. */
export const brandColours = ({ light, dark }: Brand['colours']): Plugin => ({
  name: 'brand-colours',
  resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
  load: (id) =>
    id === `\0${ID}`
      ? `:root{color-scheme:light dark;${declarations(light)}}
         [data-scheme=light]{color-scheme:light;${declarations(light)}}
         @media screen and (prefers-color-scheme:dark){:root{${declarations(dark)}}}
         [data-scheme=dark]{color-scheme:dark;${declarations(dark)}}`
      : undefined,
})
