/** What stands beside a link to a page where people share it: files of public/, drawn by `npm run pictures`. */
type Picture = { file: string; alt: string }

export const PICTURE_SIZE = { width: 1200, height: 630 } as const

const SHOP: Picture = {
  file: 'social.png',
  alt: 'A VPN by the day: choose the days, see the price, pay once. A drawn hedge below.',
}

const MANUAL: Picture = {
  file: 'social-manual.png',
  alt: 'How to connect: install WireGuard, scan a code, browse. A drawn hedge below.',
}

const PICTURES: Readonly<Record<string, Picture>> = {
  '/clients': MANUAL,
  '/manual': MANUAL,
  '/status': {
    file: 'social-status.png',
    alt: 'Are the servers up? Each place, today and in the last 90 days. A drawn hedge below.',
  },
  '/partnership/resell': {
    file: 'social-resell.png',
    alt: 'A VPN under your own name: your brand, our servers. A drawn hedge below.',
  },
}

/** The picture of a path, or of the path above it; the shop's where neither has one. */
export const pictureOf = (path: string): Picture => {
  const above = path.slice(0, path.indexOf('/', 1) + 1).slice(0, -1)
  return PICTURES[path] ?? PICTURES[above] ?? SHOP
}
