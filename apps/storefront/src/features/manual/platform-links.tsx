import { ChevronRight } from '@hedgerow/ui/icons.tsx'
import { Link } from 'wouter'
import { manualPath, PLATFORMS, type Platform, type PlatformSlug } from '#features/manual/platforms.ts'

const GROUPS = [
  { kind: 'computer', title: 'Computers' },
  { kind: 'phone', title: 'Phones and tablets' },
  { kind: 'router', title: 'Routers' },
  { kind: 'blocked', title: 'Networks that block WireGuard' },
] as const satisfies readonly { kind: Platform['kind']; title: string }[]

type PlatformLinksProps = {
  /** The page that the links stand on, if it is one of them. */
  current?: PlatformSlug
}

/** Every page of the manual, by kind of device. */
export const PlatformLinks = ({ current }: PlatformLinksProps) => (
  <div className="grid gap-6 sm:grid-cols-2 lg:grid-cols-4">
    {GROUPS.map(({ kind, title }) => (
      <div key={kind}>
        <h3 className="font-sans text-sm font-medium tracking-normal text-quiet-ink">{title}</h3>
        <ul className="mt-2 border-t border-line">
          {PLATFORMS.filter((platform) => platform.kind === kind).map(({ slug, name }) => (
            <li key={slug} className="border-b border-line">
              <Link
                to={manualPath(slug)}
                aria-current={slug === current ? 'page' : undefined}
                className="flex min-h-12 items-center justify-between gap-2 font-medium hover:text-hedge aria-[current]:text-hedge"
              >
                {name}
                <ChevronRight className="size-4 shrink-0 text-quiet-ink" />
              </Link>
            </li>
          ))}
        </ul>
      </div>
    ))}
  </div>
)
