import { type LazyPage, lazyPage, type PageModule } from '#app/lazy-page.tsx'
import { manualPath, PLATFORMS } from '#features/manual/platforms.ts'
import { brand } from '#shared/brand.ts'

type Address = {
  path: string
  /** What follows the brand's name in the window's title. */
  title: string
  /** Only for customers. */
  guarded?: true
  /** Where one pays: the footer is short there. */
  isCheckout?: true
  /** Written to a file at build time, as a visitor without a session sees it. */
  prerender?: true
  /** What follows the '?' changes what there is on it: then it is drawn at once as it will be, not taken over. */
  isAsked?: true
  /** Where the same content has its address, when not here. */
  canonical?: string
  /** The id of the part of the page that this address means. */
  section?: string
}

export type PageRoute = Address &
  LazyPage & {
    /** The page's source file, by which the build's manifest knows the chunks to name in a prerendered head. */
    source: string
  }

// Vite replaces both conditions, so that a production build holds no page for developers.
const FILES = {
  ...import.meta.glob<PageModule>('/src/pages/*-page.tsx'),
  ...(import.meta.env.DEV || import.meta.env.VITE_DEV_PAGES === '1'
    ? import.meta.glob<PageModule>('/src/dev/*-page.tsx')
    : {}),
}

/** What a file holds: 'pages/login' is /src/pages/login-page.tsx. */
const pageIn = (name: `${string}/${string}`): LazyPage & Pick<PageRoute, 'source'> => {
  const file = `/src/${name}-page.tsx`
  const load = FILES[file]
  if (!load) throw new Error(`There is no page in ${file}`)
  return { ...lazyPage(load), source: file.slice(1) }
}

/** One page at each of its addresses. */
const page = (name: `${string}/${string}`, ...addresses: readonly Address[]): PageRoute[] => {
  const content = pageIn(name)
  return addresses.map((address) => ({ ...address, ...content }))
}

const PUBLIC = { prerender: true } as const
const ASKED = { ...PUBLIC, isAsked: true } as const
const GUARDED = { guarded: true } as const
const atHome = (section: string) => ({ ...PUBLIC, canonical: '/', section })

export const routes: readonly PageRoute[] = [
  ...page(
    'pages/home',
    { path: '/', title: brand.tagline, ...PUBLIC },
    { path: '/features', title: 'What you get', ...atHome('features') },
    { path: '/products', title: 'Prices by the day', ...atHome('products') },
    { path: '/clients', title: 'How to connect', ...atHome('clients') },
  ),
  ...page('pages/manual', { path: '/manual', title: 'Manual', ...PUBLIC }),
  ...page(
    'pages/platform-manual',
    ...PLATFORMS.map(({ slug, name, kind }) => ({
      path: manualPath(slug),
      title: `WireGuard on ${kind === 'blocked' ? 'networks that block it' : name}`,
      ...PUBLIC,
    })),
  ),
  ...page('pages/calculator', { path: '/calculator', title: 'Price calculator', ...PUBLIC }),
  ...page(
    'pages/login',
    { path: '/login', title: 'Log in', ...ASKED },
    { path: '/signup', title: 'Open an account', ...ASKED },
  ),
  ...page('pages/confirm', { path: '/confirm', title: 'Check your email', ...ASKED }),
  ...page('pages/confirm-link', { path: '/confirm/:token', title: 'Confirm your email' }),
  ...page('pages/confirm-failed', { path: '/confirm-failed', title: 'This link no longer works', ...PUBLIC }),
  ...page('pages/result', { path: '/result', title: 'Registration complete', ...ASKED }),
  ...page(
    'pages/forgot',
    { path: '/forgot', title: 'Reset your password', ...PUBLIC },
    { path: '/reset', title: 'Reset your password', ...PUBLIC, canonical: '/forgot' },
  ),
  ...page('pages/reset', { path: '/reset/:token', title: 'Choose a new password' }),
  ...page('pages/reset-success', { path: '/reset-success', title: 'Password updated', ...PUBLIC }),
  ...page('pages/reset-failed', { path: '/reset-failed', title: 'Password reset failed', ...PUBLIC }),
  ...page('pages/email-confirm', { path: '/email/confirm/:token', title: 'Confirm your new email' }),
  ...page('pages/email-undo', { path: '/email/undo/:token', title: 'Undo the change of your email' }),
  ...page('pages/second-step', { path: '/second-step/:token', title: 'Keep the second step' }),
  ...page('pages/profile', { path: '/profile', title: 'Your account', ...GUARDED }),
  ...page('pages/security', { path: '/profile/security', title: 'Security', ...GUARDED }),
  ...page(
    'pages/shared-connection',
    { path: '/shared', title: 'A shared connection', ...PUBLIC },
    // Where links lead that were made under the page's former name.
    { path: '/handed-on', title: 'A shared connection', ...PUBLIC, canonical: '/shared' },
  ),
  ...page('pages/checkout', { path: '/checkout/:orderId', title: 'Checkout', isCheckout: true, ...GUARDED }),
  ...page('pages/plan-checkout', {
    path: '/payment/checkout/:itemId',
    title: 'Checkout',
    isCheckout: true,
    ...GUARDED,
  }),
  ...page('pages/payment-result', { path: '/payment/result/:paymentId', title: 'Processing your payment' }),
  ...page('pages/payment-success', { path: '/payment/success', title: 'Payment successful', ...PUBLIC }),
  ...page('pages/payment-reject', { path: '/payment/reject', title: 'Payment rejected', ...PUBLIC }),
  ...page(
    'pages/referral',
    { path: '/partnership', title: 'Referral programme', ...PUBLIC, canonical: '/partnership/referral' },
    { path: '/partnership/referral', title: 'Referral programme', ...PUBLIC },
  ),
  ...page('pages/promocode', { path: '/partnership/promocode', title: 'Promocode programme', ...PUBLIC }),
  ...page('pages/resell', { path: '/partnership/resell', title: 'White label programme', ...PUBLIC }),
  ...page('pages/submit', { path: '/submit', title: 'White label application', ...GUARDED }),
  ...page('pages/support', { path: '/support', title: 'Support and feedback', ...GUARDED }),
  ...page('pages/contact', { path: '/contact', title: 'Ask a question', ...PUBLIC }),
  ...page('pages/question', { path: '/contact/:token', title: 'Your question' }),
  ...page('pages/terms', { path: '/terms', title: 'Terms and privacy', ...PUBLIC }),
  ...page('pages/faq', { path: '/faq', title: 'Questions', ...PUBLIC }),
  ...page('pages/cancel', { path: '/cancel', title: 'Cancel or withdraw from a contract', ...PUBLIC }),
  ...page('pages/status', { path: '/status', title: 'Status', ...PUBLIC }),
  ...page('pages/check', { path: '/check', title: 'Am I protected?', ...PUBLIC }),
  ...page('pages/invoice', { path: '/invoice', title: 'Invoice generator', ...PUBLIC }),
  ...(import.meta.env.DEV || import.meta.env.VITE_DEV_PAGES === '1'
    ? page('dev/components', { path: '/dev/components', title: 'Components' })
    : []),
]

export const notFound: PageRoute = { path: '*', title: 'Page not found', ...pageIn('pages/not-found') }
