import { brand } from '#app/brand.ts'
import { type LazyPage, lazyPage } from '#app/lazy-page.tsx'

export type PageRoute = LazyPage & {
  path: string
  /** What follows the brand's name in the window's title. */
  title: string
  /** Only for customers. */
  guarded?: true
  /** Written to a file at build time, as a visitor without a session sees it. */
  prerender?: true
  /** Where the same content has its address, when not here. */
  canonical?: string
  /** The id of the part of the page that this address means. */
  section?: string
}

const home = lazyPage('home', () => import('#pages/home-page.tsx').then((m) => m.HomePage))
const login = lazyPage('login', () => import('#pages/login-page.tsx').then((m) => m.LoginPage))
const forgot = lazyPage('forgot', () => import('#pages/forgot-page.tsx').then((m) => m.ForgotPage))

const referral = lazyPage('referral', () => import('#pages/referral-page.tsx').then((m) => m.ReferralPage))

const page = (path: string, title: string, lazy: LazyPage, more: Partial<PageRoute> = {}): PageRoute => ({
  path,
  title,
  ...lazy,
  ...more,
})
const PUBLIC = { prerender: true } as const
const GUARDED = { guarded: true } as const
const atHome = (section: string) => ({ prerender: true, canonical: '/', section }) as const

export const routes: readonly PageRoute[] = [
  page('/', brand.tagline, home, PUBLIC),
  page('/features', 'What you get', home, atHome('features')),
  page('/products', 'Prices by the day', home, atHome('products')),
  page('/clients', 'How to connect', home, atHome('clients')),
  page(
    '/calculator',
    'Price calculator',
    lazyPage('calculator', () => import('#pages/calculator-page.tsx').then((m) => m.CalculatorPage)),
    PUBLIC,
  ),
  page('/login', 'Log in', login, PUBLIC),
  page('/signup', 'Open an account', login, PUBLIC),
  page(
    '/confirm',
    'Check your email',
    lazyPage('confirm', () => import('#pages/confirm-page.tsx').then((m) => m.ConfirmPage)),
    PUBLIC,
  ),
  page(
    '/confirm-failed',
    'This link no longer works',
    lazyPage('confirm-failed', () =>
      import('#pages/confirm-failed-page.tsx').then((m) => m.ConfirmFailedPage),
    ),
    PUBLIC,
  ),
  page(
    '/result',
    'Registration complete',
    lazyPage('result', () => import('#pages/result-page.tsx').then((m) => m.ResultPage)),
    PUBLIC,
  ),
  page('/forgot', 'Reset your password', forgot, PUBLIC),
  page('/reset', 'Reset your password', forgot, { ...PUBLIC, canonical: '/forgot' }),
  page(
    '/reset/:token',
    'Choose a new password',
    lazyPage('reset', () => import('#pages/reset-page.tsx').then((m) => m.ResetPage)),
  ),
  page(
    '/reset-success',
    'Password updated',
    lazyPage('reset-success', () => import('#pages/reset-success-page.tsx').then((m) => m.ResetSuccessPage)),
    PUBLIC,
  ),
  page(
    '/reset-failed',
    'Password reset failed',
    lazyPage('reset-failed', () => import('#pages/reset-failed-page.tsx').then((m) => m.ResetFailedPage)),
    PUBLIC,
  ),
  page(
    '/profile',
    'Your account',
    lazyPage('profile', () => import('#pages/profile-page.tsx').then((m) => m.ProfilePage)),
    GUARDED,
  ),
  page(
    '/shared',
    'A connection for you',
    lazyPage('shared-connection', () =>
      import('#pages/shared-connection-page.tsx').then((m) => m.SharedConnectionPage),
    ),
    PUBLIC,
  ),
  page(
    '/checkout/:orderId',
    'Checkout',
    lazyPage('checkout', () => import('#pages/checkout-page.tsx').then((m) => m.CheckoutPage)),
    GUARDED,
  ),
  page(
    '/payment/checkout/:itemId',
    'Checkout',
    lazyPage('plan-checkout', () => import('#pages/plan-checkout-page.tsx').then((m) => m.PlanCheckoutPage)),
    GUARDED,
  ),
  page(
    '/payment/result/:paymentId',
    'Processing your payment',
    lazyPage('payment-result', () =>
      import('#pages/payment-result-page.tsx').then((m) => m.PaymentResultPage),
    ),
  ),
  page(
    '/payment/success',
    'Payment successful',
    lazyPage('payment-success', () =>
      import('#pages/payment-success-page.tsx').then((m) => m.PaymentSuccessPage),
    ),
    PUBLIC,
  ),
  page(
    '/payment/reject',
    'Payment rejected',
    lazyPage('payment-reject', () =>
      import('#pages/payment-reject-page.tsx').then((m) => m.PaymentRejectPage),
    ),
    PUBLIC,
  ),
  page('/partnership', 'Referral programme', referral, { ...PUBLIC, canonical: '/partnership/referral' }),
  page('/partnership/referral', 'Referral programme', referral, PUBLIC),
  page(
    '/partnership/promocode',
    'Promocode programme',
    lazyPage('promocode', () => import('#pages/promocode-page.tsx').then((m) => m.PromocodePage)),
    PUBLIC,
  ),
  page(
    '/partnership/resell',
    'White label programme',
    lazyPage('resell', () => import('#pages/resell-page.tsx').then((m) => m.ResellPage)),
    PUBLIC,
  ),
  page(
    '/submit',
    'White label application',
    lazyPage('submit', () => import('#pages/submit-page.tsx').then((m) => m.SubmitPage)),
    GUARDED,
  ),
  page(
    '/support',
    'Support and feedback',
    lazyPage('support', () => import('#pages/support-page.tsx').then((m) => m.SupportPage)),
    GUARDED,
  ),
  page(
    '/terms',
    'Terms and privacy',
    lazyPage('terms', () => import('#pages/terms-page.tsx').then((m) => m.TermsPage)),
    PUBLIC,
  ),
  page(
    '/invoice',
    'Invoice generator',
    lazyPage('invoice', () => import('#pages/invoice-page.tsx').then((m) => m.InvoicePage)),
    PUBLIC,
  ),
  // Vite replaces both values, so that a production build holds neither the page nor this entry.
  ...(import.meta.env.DEV || import.meta.env.VITE_DEV_PAGES === '1'
    ? [
        page(
          '/dev/components',
          'Components',
          lazyPage('dev-components', () =>
            import('#pages/dev-components-page.tsx').then((m) => m.DevComponentsPage),
          ),
        ),
      ]
    : []),
]

export const notFound: PageRoute = page(
  '*',
  'Page not found',
  lazyPage('not-found', () => import('#pages/not-found-page.tsx').then((m) => m.NotFoundPage)),
)
