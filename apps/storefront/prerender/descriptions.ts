/**
 * What a search engine says of a page. A page that is not named here belongs to a process, such as the one after a
 * payment; it is not to be found.
 */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
  '/': 'WireGuard connections from a small British firm. Choose days, devices and filters, see the price, pay once.',
  '/manual': 'How to connect a computer, a phone or a router with WireGuard, step by step.',
  '/manual/windows': 'WireGuard on Windows: install it, import a file, and check the kill switch.',
  '/manual/macos': 'WireGuard on a Mac: install it, import a file, and keep it on with On-Demand.',
  '/manual/linux':
    'WireGuard on Linux: wg-quick or NetworkManager, resolvconf, a kill switch with nftables, start with systemd.',
  '/manual/ios': 'WireGuard on an iPhone or iPad: add the connection from a file or QR code, and keep it on.',
  '/manual/android':
    'WireGuard on Android: add the connection from a file or QR code, and block everything outside the tunnel.',
  '/manual/openwrt':
    'WireGuard on OpenWrt: import the file, set routes and a firewall zone, and prevent leaks.',
  '/manual/gl-inet': 'WireGuard on GL.iNet routers: upload the file, turn it on, and set the kill switch.',
  '/manual/asus-merlin':
    'WireGuard on ASUS routers with Merlin: import the file, add a VPN Director rule, and set the kill switch.',
  '/manual/mikrotik':
    'WireGuard on MikroTik routers with RouterOS 7: import a file of commands, with kill switch and DNS.',
  '/manual/opnsense':
    'WireGuard on OPNsense: which field takes which line of the file, gateway, rules, NAT, and prevent leaks.',
  '/manual/pfsense':
    'WireGuard on pfSense: which field takes which line of the file, gateway, rules, NAT, and prevent leaks.',
  '/manual/fritzbox': 'WireGuard on a FRITZ!Box: import the file, and what a FRITZ!Box cannot do.',
  '/manual/keenetic':
    'WireGuard on Keenetic routers: import the file, choose who uses it, and prevent leaks.',
  '/manual/amneziawg':
    'AmneziaWG on networks that block WireGuard: where to get the app, which file it takes, and how to import it.',
  '/calculator': 'What a WireGuard VPN costs for the days, devices and filters you choose, to the penny.',
  '/login': 'Log in to see your WireGuard connections, their QR codes and files, your payments and invoices.',
  '/signup': 'Open an account with a name, an email address and a password. An account is free.',
  '/forgot': 'Ask for a link with which you choose a new password.',
  '/partnership/referral': 'Share a link and earn from 10 to 30 per cent of what those who come by it pay.',
  '/partnership/promocode':
    'Give others a discount with your promocode, and earn the same percentage yourself.',
  '/partnership/resell': 'Sell timed WireGuard connections under your own name, on our network.',
  '/invoice': 'Make a PDF record of a card payment for your files.',
  '/contact': 'Ask us anything before you buy, without an account. A person answers by email.',
  '/faq':
    'Where the servers are, what is kept and what is not, refunds, devices, filters and speed, in plain words.',
  '/cancel': 'Withdraw from a contract within 14 days, with or without logging in.',
  '/status': 'Which of our VPN servers are up, how they have done over the past 90 days, and any incidents.',
  '/check': 'See which IP address websites see, and whether your DNS goes through our server.',
  '/terms': 'The terms of service and the privacy policy, in plain words and as PDF.',
}
