/** What lies behind the uplink and is not the internet: no customer reaches it. */
export const NOT_INTERNET_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // IBM's cloud: its resolvers and services.
  '161.26.0.0/16',
  '166.8.0.0/14',
  // Azure's metadata and resolver.
  '168.63.129.16',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
]
/** All of the IPv6 internet. */
export const INTERNET_IPV6 = '2000::/3'
/** All the rest of IPv6. */
export const NOT_INTERNET_IPV6 = ['::/3', '4000::/2', '8000::/1']
/** Teredo and 6to4, which carry an IPv4 address inside, private ones too. Nobody serves anything there any more. */
export const TUNNELLED_IPV6 = ['2001::/32', '2002::/16']

/** Public resolvers that speak DNS over HTTPS at addresses of their own, which would pass by the family filter. */
export const DOH_IPV4 = [
  // Cloudflare
  '1.0.0.1',
  '1.0.0.2',
  '1.0.0.3',
  '1.1.1.1',
  '1.1.1.2',
  '1.1.1.3',
  // Google
  '8.8.4.4',
  '8.8.8.8',
  // Quad9
  '9.9.9.9',
  '9.9.9.10',
  '9.9.9.11',
  '149.112.112.9',
  '149.112.112.10',
  '149.112.112.11',
  '149.112.112.112',
  // OpenDNS
  '208.67.220.123',
  '208.67.220.220',
  '208.67.222.123',
  '208.67.222.222',
  // AdGuard
  '94.140.14.14',
  '94.140.14.140',
  '94.140.14.141',
  '94.140.15.15',
  // CleanBrowsing, Control D, Mullvad, DNS.SB
  '185.228.168.9',
  '185.228.169.9',
  '76.76.2.0',
  '76.76.10.0',
  '194.242.2.2',
  '194.242.2.3',
  '185.222.222.222',
  '45.11.45.11',
]
export const DOH_IPV6 = [
  '2606:4700:4700::1001',
  '2606:4700:4700::1002',
  '2606:4700:4700::1003',
  '2606:4700:4700::1111',
  '2606:4700:4700::1112',
  '2606:4700:4700::1113',
  '2001:4860:4860::8844',
  '2001:4860:4860::8888',
  '2620:fe::9',
  '2620:fe::10',
  '2620:fe::11',
  '2620:fe::fe',
  '2620:119:35::35',
  '2620:119:53::53',
  '2a10:50c0::ad1:ff',
  '2a10:50c0::ad2:ff',
  '2a07:e340::2',
  '2a07:e340::3',
  '2a09::',
  '2a11::',
]

/** The names of the same. */
export const DOH_NAMES = [
  'cloudflare-dns.com',
  'one.one.one.one',
  'dns.google',
  'dns.google.com',
  'quad9.net',
  'doh.opendns.com',
  'dns.adguard.com',
  'dns.adguard-dns.com',
  'doh.cleanbrowsing.org',
  'dns.controld.com',
  'dns.nextdns.io',
  'dns.mullvad.net',
  'doh.dns.sb',
]

/** Browsers and phones ask for these and keep to the network's resolver when there is no such name. */
export const CANARY_NAMES = ['use-application-dns.net', 'mask.icloud.com', 'mask-h2.icloud.com']
