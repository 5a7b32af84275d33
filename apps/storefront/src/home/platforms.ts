import type { PlatformSlug } from '#features/manual/platforms.ts'

type Platform = {
  name: string
  steps: readonly string[]
  /** Its pages in the manual. */
  pages: readonly PlatformSlug[]
}

/** How the WireGuard client is set up on each platform, in that client's own words. */
export const PLATFORMS: readonly Platform[] = [
  {
    name: 'Windows',
    pages: ['windows'],
    steps: [
      'Download the WireGuard installer from wireguard.com/install and run it.',
      'Download the configuration from your profile, or save the attachment we emailed.',
      'In WireGuard choose Import tunnel(s) from file, open it, and press Activate.',
    ],
  },
  {
    name: 'macOS',
    pages: ['macos'],
    steps: [
      'Install WireGuard from the Mac App Store.',
      'Download the configuration from your profile, or save the attachment we emailed.',
      'Choose Import tunnel(s) from file, allow the VPN when macOS asks, and press Activate.',
    ],
  },
  {
    name: 'Linux',
    pages: ['linux'],
    steps: [
      'Install your distribution’s wireguard-tools package.',
      'Save the configuration as /etc/wireguard/vpn.conf, readable by root only.',
      'Start it with: wg-quick up vpn. Stop it with: wg-quick down vpn.',
    ],
  },
  {
    name: 'iOS, for iPhone and iPad',
    pages: ['ios'],
    steps: [
      'Install WireGuard from the App Store.',
      'Press the plus sign, choose Create from QR code, and scan the code in your profile.',
      'Allow the VPN when iOS asks, and turn the switch on.',
    ],
  },
  {
    name: 'Android',
    pages: ['android'],
    steps: [
      'Install WireGuard from Google Play or F-Droid.',
      'Press the plus sign, choose Scan from QR code, and scan the code in your profile.',
      'Turn the switch on, and allow the VPN when Android asks.',
    ],
  },
  {
    name: 'Routers',
    pages: ['openwrt', 'gl-inet', 'asus-merlin'],
    steps: [
      'Use a router with a WireGuard client: OpenWrt, GL.iNet, MikroTik, AVM and others have one.',
      'Open its VPN page and import the configuration file.',
      'Turn the tunnel on. Every device behind the router now uses this one connection.',
    ],
  },
]
