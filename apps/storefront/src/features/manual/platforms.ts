/** What the manual has a page for. The names go into addresses and titles; the pages' own words are in guides/. */
export const PLATFORMS = [
  { slug: 'windows', name: 'Windows', kind: 'computer' },
  { slug: 'macos', name: 'macOS', kind: 'computer' },
  { slug: 'linux', name: 'Linux', kind: 'computer' },
  { slug: 'ios', name: 'iPhone and iPad', kind: 'phone' },
  { slug: 'android', name: 'Android', kind: 'phone' },
  { slug: 'openwrt', name: 'OpenWrt', kind: 'router' },
  { slug: 'gl-inet', name: 'GL.iNet', kind: 'router' },
  { slug: 'asus-merlin', name: 'ASUS with Merlin', kind: 'router' },
  { slug: 'mikrotik', name: 'MikroTik', kind: 'router' },
  { slug: 'opnsense', name: 'OPNsense', kind: 'router' },
  { slug: 'pfsense', name: 'pfSense', kind: 'router' },
  { slug: 'fritzbox', name: 'FRITZ!Box', kind: 'router' },
  { slug: 'keenetic', name: 'Keenetic', kind: 'router' },
  { slug: 'amneziawg', name: 'AmneziaWG', kind: 'blocked' },
] as const

export type Platform = (typeof PLATFORMS)[number]
export type PlatformSlug = Platform['slug']

export const manualPath = (slug: PlatformSlug) => `/manual/${slug}` as const
