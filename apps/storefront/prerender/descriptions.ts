/**
 * What a search engine says of a page. A page that is not named here belongs to a process, such as the one after a
 * payment; it is not to be found.
 */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
  '/': 'WireGuard connections from a small British firm. Choose days, devices and filters, see the price, pay once.',
  '/calculator':
    'What a WireGuard VPN costs for the days, devices and filters that you choose, to the penny.',
  '/login': 'Log in to see your WireGuard connections, their QR codes and files, your payments and invoices.',
  '/signup': 'Open an account with a name, an email and a password. Nothing is charged for having one.',
  '/forgot': 'Ask for a link with which you choose a new password.',
  '/partnership/referral': 'Share a link and earn from 10 to 30 per cent of what those who come by it pay.',
  '/partnership/promocode': 'Give others a discount by your promocode, and earn the same share yourself.',
  '/partnership/resell': 'Sell timed WireGuard connections under your own name, on our network.',
  '/invoice': 'Lay out the record of a card payment as a PDF that one can file.',
  '/faq':
    'Where the servers are, what is kept and what is not, refunds, devices, filters and speed, in plain words.',
  '/cancel': 'Withdraw from a contract within 14 days, with or without logging in.',
  '/terms': 'The terms of service and the privacy policy, in plain words and as PDF.',
}
