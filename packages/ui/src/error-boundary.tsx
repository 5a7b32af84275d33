import { Component, type ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import { isMissingFile, reloadOnce } from '#ui/missing-files.ts'
import { Notice } from '#ui/page/notice.tsx'

type ErrorBoundaryProps = {
  children: ReactNode
  /** Around a part beside which something is being typed: the page stays, and is never reloaded by itself. */
  isPart?: true
  /** What stands where such a part did not load; left out, a word about it. */
  instead?: ReactNode
}

type State = { failed: 'no' | 'reloading' | 'yes' }

/** A page that broke, or whose code could not be fetched: a new version was published meanwhile, or the line was cut. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { failed: 'no' }

  static getDerivedStateFromError(error: unknown): State {
    return { failed: isMissingFile(error) ? 'reloading' : 'yes' }
  }

  override componentDidCatch(error: unknown) {
    if (!isMissingFile(error)) return
    const reloads = this.props.isPart ? Promise.resolve(false) : reloadOnce()
    void reloads.then((does) => does || this.setState({ failed: 'yes' }))
  }

  override render() {
    const { children, isPart, instead } = this.props
    const { failed } = this.state
    if (failed === 'no') return children
    if (failed === 'reloading') return null
    if (instead !== undefined) return instead
    return (
      <Notice kind="problem" title={isPart ? 'A part of this page did not load' : 'This page did not load'}>
        <p>The connection was lost, or something went wrong on our side.</p>
        <Button variant="outline" className="mt-3" onClick={() => window.location.reload()}>
          Reload the page
        </Button>
      </Notice>
    )
  }
}
