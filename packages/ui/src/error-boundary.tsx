import { Component, type ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import { Notice } from '#ui/page/notice.tsx'

/** A page that broke, or whose code could not be fetched (often: a new version was published meanwhile). */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <Notice kind="problem" title="This page did not load">
        <p>The connection was lost, or something went wrong on our side.</p>
        <Button variant="outline" className="mt-3" onClick={() => window.location.reload()}>
          Reload the page
        </Button>
      </Notice>
    )
  }
}
