import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

type Tab = { value: string; label: ReactNode; content: ReactNode }
type TabsProps = { label: string; value: string; onChange: (value: string) => void; tabs: Tab[] }

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** Tabs as the ARIA practices describe them: one tab stop, arrows move and choose. */
export const Tabs = ({ label, value, onChange, tabs }: TabsProps) => {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const chosen = tabs.find((tab) => tab.value === value)

  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const next = step?.(
      tabs.findIndex((tab) => tab.value === value),
      tabs.length,
    )
    const tab = next === undefined ? undefined : tabs[next]
    if (!tab || next === undefined) return
    event.preventDefault()
    onChange(tab.value)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }

  return (
    <div>
      <div ref={list} role="tablist" aria-label={label} onKeyDown={onKeyDown} className="tabs mb-6">
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={tab.value === value ? `${id}-panel` : undefined}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
            className="tab min-h-12 shrink-0 px-4 font-medium text-quiet-ink sm:whitespace-nowrap -outline-offset-2 hover:text-ink aria-selected:text-ink"
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} key={value}>
        {chosen?.content}
      </div>
    </div>
  )
}
