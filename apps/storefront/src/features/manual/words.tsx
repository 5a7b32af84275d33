/** The few kinds of words that the manual is made of. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'

type Words = { children: ReactNode }

/** What stands on a button or in a menu, as it stands there. */
export const Press = ({ children }: Words) => <strong className="font-semibold text-ink">{children}</strong>

/** What is typed, or the name of a file. */
export const Typed = ({ children }: Words) => <code className="typed">{children}</code>

/** Lines for a terminal or a file. They may be wider than the page, and are then scrolled, with the keyboard too. */
export const Lines = ({ label, children }: { label: string; children: string }) => (
  <section
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard.
    tabIndex={0}
    aria-label={label}
    className="typed-lines"
  >
    <pre>{children.trim()}</pre>
  </section>
)

/** A page of someone else's, which is not sent where the visitor came from. */
export const Elsewhere = ({ href, children }: Words & { href: string }) => (
  <a href={href} rel="noreferrer" className="link">
    {children}
  </a>
)

export const Page = ({ to, children }: Words & { to: string }) => (
  <Link to={to} className="link">
    {children}
  </Link>
)

export const Paragraphs = ({ children }: Words) => <div className="space-y-3">{children}</div>

/** Which field of a page takes which line of the file, or what else. */
export const Fields = ({ rows }: { rows: readonly (readonly [field: string, value: ReactNode])[] }) => (
  <dl className="my-3 grid gap-x-6 border-t border-line sm:grid-cols-[auto_1fr]">
    {rows.map(([field, value]) => (
      <div key={field} className="col-span-full grid border-b border-line py-2 sm:grid-cols-subgrid">
        <dt>
          <Press>{field}</Press>
        </dt>
        <dd className="min-w-0 wrap-anywhere">{value}</dd>
      </div>
    ))}
  </dl>
)

/** What every guide of a router needs. */
export const RouterConnection = () => (
  <>
    An active connection, in <Page to="/profile">your profile</Page>. It counts as one device, however many
    are behind the router. When its days are over, all of them stop at once, so renew it in time.
  </>
)
