import type { App } from '#features/connections/connection-config.ts'
import { type Platform, usePlatform } from '#lib/platform.ts'

export type Handheld = {
  platform: Extract<Platform, 'ios' | 'android'>
  /** As its owner calls it. */
  system: 'iOS' | 'Android'
  kind: 'phone' | 'tablet'
  /** Where it gets apps from. */
  store: { name: string; urls: Readonly<Record<App, string>> }
}

const HANDHELDS = {
  ios: {
    system: 'iOS',
    store: {
      name: 'the App Store',
      urls: {
        WireGuard: 'https://apps.apple.com/app/wireguard/id1441195209',
        AmneziaWG: 'https://apps.apple.com/app/amneziawg/id6478942365',
      },
    },
  },
  android: {
    system: 'Android',
    store: {
      name: 'Google Play',
      urls: {
        WireGuard: 'https://play.google.com/store/apps/details?id=com.wireguard.android',
        AmneziaWG: 'https://play.google.com/store/apps/details?id=org.amnezia.awg',
      },
    },
  },
} as const

/** The shorter side of the smallest tablets, in CSS pixels. */
const TABLET_FROM = 600

/** The phone or tablet that the page is on; undefined on a computer, whose camera scans nothing from its own screen. */
export const useHandheld = (): Handheld | undefined => {
  const platform = usePlatform()
  if (platform !== 'ios' && platform !== 'android') return undefined
  const isTablet = Math.min(screen.width, screen.height) >= TABLET_FROM
  return { platform, kind: isTablet ? 'tablet' : 'phone', ...HANDHELDS[platform] }
}
