import type { Guide } from '#features/manual/guide.ts'
import { amneziawg } from '#features/manual/guides/amneziawg.tsx'
import { android } from '#features/manual/guides/android.tsx'
import { asusMerlin } from '#features/manual/guides/asus-merlin.tsx'
import { fritzbox } from '#features/manual/guides/fritzbox.tsx'
import { glInet } from '#features/manual/guides/gl-inet.tsx'
import { ios } from '#features/manual/guides/ios.tsx'
import { keenetic } from '#features/manual/guides/keenetic.tsx'
import { linux } from '#features/manual/guides/linux.tsx'
import { macos } from '#features/manual/guides/macos.tsx'
import { mikrotik } from '#features/manual/guides/mikrotik.tsx'
import { openwrt } from '#features/manual/guides/openwrt.tsx'
import { opnsense } from '#features/manual/guides/opnsense.tsx'
import { pfsense } from '#features/manual/guides/pfsense.tsx'
import { windows } from '#features/manual/guides/windows.tsx'
import type { PlatformSlug } from '#features/manual/platforms.ts'

/** One for each platform: the compiler misses one that is not there. */
export const GUIDES: Readonly<Record<PlatformSlug, Guide>> = {
  windows,
  macos,
  linux,
  ios,
  android,
  openwrt,
  'gl-inet': glInet,
  'asus-merlin': asusMerlin,
  mikrotik,
  opnsense,
  pfsense,
  fritzbox,
  keenetic,
  amneziawg,
}
