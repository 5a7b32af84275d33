import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { useLastNavigation } from '#lib/navigation.ts'

let lastPathname: string | undefined

const SECTION_HEADING = 'h2'

const showSection = (section: HTMLElement) => {
  section.scrollIntoView()
  section.querySelector<HTMLElement>(SECTION_HEADING)?.focus({ preventScroll: true })
}

type FocusAfterNavigationProps = {
  /** The id of the part of the page that its address means. */
  section?: string
}

/**
 * Stands behind a page, within its Suspense, so that its effect runs once the page is there. After a navigation the
 * focus goes to the heading, to be read out, and the view to the top; a page that came with the document stays put.
 */
export const FocusAfterNavigation = ({ section }: FocusAfterNavigationProps) => {
  const [pathname] = useLocation()
  const state = useHistoryState<{ keepsFocus?: boolean } | null>()
  const keepsFocus = state?.keepsFocus === true
  const navigation = useLastNavigation()

  useEffect(() => {
    const { cameBack } = navigation
    const isFirst = lastPathname === undefined
    const isSame = lastPathname === pathname
    lastPathname = pathname
    const part = section ? document.getElementById(section) : null
    // Following a link within the page is the browser's own business.
    if (isSame && window.location.hash) return
    if (part) {
      // Coming back or reloading, the browser itself returns to where the page was.
      if (!cameBack || window.scrollY === 0) showSection(part)
      return
    }
    // Tabs of one screen that have an address each: the focus stays on the tab.
    if (isFirst || isSame || (keepsFocus && !cameBack)) return
    const heading = document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main')
    heading?.focus({ preventScroll: true })
    if (!cameBack) window.scrollTo(0, 0)
  }, [pathname, navigation, section, keepsFocus])
  return null
}
