import { closingByEscape } from '@hedgerow/ui/dialog.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { PLACES } from '#app/places.ts'
import { api } from '#lib/api.ts'
import { listLooks } from '#lib/looked-at.ts'
import { readDay, shownDay } from '#lib/typed-days.ts'
import { usePlaceOpens } from '#shared/place-opens.tsx'
import { useMay } from '#shared/session.tsx'

type Hit = { group: string; label: string; detail: string; to: string }

const SHORTEST = 2
/** Asked once the typing has paused: each search is recorded, and counts. */
const AFTER_MS = 150

/** Pages of the console by their names. */
const usePages = (words: string): Hit[] => {
  const may = useMay()
  const sought = words.toLowerCase()
  if (sought === '') return []
  return PLACES.flatMap(({ path, menu, may: permission }) =>
    menu && may(permission) && menu.label.toLowerCase().includes(sought)
      ? [{ group: 'Pages', label: menu.label, detail: '', to: path }]
      : [],
  )
}

const SHORT_YEAR = /^(\d{1,2}[/.]\d{1,2}[/.])(\d\d)$/

/** What was bought on a day, as the shop writes days: 07/01/26 or 07/01/2026. */
const useDay = (words: string): Hit[] => {
  const may = useMay()
  const day = readDay(words.replace(SHORT_YEAR, '$120$2'))
  if (!day || !may('payments.see')) return []
  const since = new Date(`${day}T00:00`)
  const until = new Date(since)
  until.setDate(until.getDate() + 1)
  const query = new URLSearchParams({ since: since.toISOString(), until: until.toISOString() })
  return [
    ['Payments', '/payments'],
    ['Orders', '/orders'],
  ].map(([group = '', path]) => ({ group, label: `Of ${shownDay(day)}`, detail: '', to: `${path}?${query}` }))
}

/** The latest pages that were looked at, as far as the role may still open them. */
const useLooks = (): Hit[] => {
  const opens = usePlaceOpens()
  const [looks] = useState(listLooks)
  return looks.filter(({ to }) => opens(to)).map((look) => ({ ...look, detail: '' }))
}

const usePaused = (text: string): string => {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), AFTER_MS)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}

/**
 * Comes with the first page: what is typed at once would be lost while it was fetched. Finds anything by what one knows of it, and leads there: a combobox and its list, as the
 * ARIA practices describe them.
 */
export const Palette = ({ onClose }: { onClose: () => void }) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useId()
  const [, navigate] = useLocation()
  const [words, setWords] = useState('')
  const [at, setAt] = useState(0)
  const [isHurried, setHurried] = useState(false)
  const sought = usePaused(words.trim())
  const isLong = sought.length >= SHORTEST
  const found = useQuery({
    queryKey: ['search', sought],
    queryFn: ({ signal }) => api.call('search', { querystring: { words: sought }, signal }),
    enabled: isLong,
    placeholderData: keepPreviousData,
  })
  const pages = usePages(sought)
  const ofDay = useDay(sought)
  const looks = useLooks()
  const hits: Hit[] =
    words.trim() === '' ? looks : [...ofDay, ...(isLong ? (found.data ?? []) : []), ...pages]
  const chosen = Math.min(at, hits.length - 1)
  useEffect(() => dialog.current?.showModal(), [])

  const go = (hit: Hit | undefined) => {
    if (!hit) return
    onClose()
    navigate(hit.to)
  }
  const isStale =
    words.trim() !== sought || (isLong && !found.isError && (found.isPending || found.isPlaceholderData))
  // Enter came before what was found: it is meant for the first of that, and not of what was found before.
  useEffect(() => {
    if (!isHurried || isStale) return
    setHurried(false)
    go(hits[0])
  })
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && isStale) setHurried(true)
    else if (event.key === 'Enter') go(hits[chosen])
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 || hits.length === 0) return
    event.preventDefault()
    setAt((chosen + step + hits.length) % hits.length)
  }

  return (
    <dialog ref={dialog} aria-label="Search" {...closingByEscape(onClose)} className="palette">
      <input
        autoFocus
        role="combobox"
        aria-label="Search"
        aria-expanded={hits.length > 0}
        aria-controls={list}
        aria-activedescendant={hits.length > 0 ? `${list}-${chosen}` : undefined}
        autoComplete="off"
        placeholder="Name, email, sum, date, payment, invoice, connection, address …"
        value={words}
        onChange={(event) => {
          setWords(event.target.value)
          setAt(0)
          setHurried(false)
        }}
        onKeyDown={press}
        className="block w-full border-b border-line bg-transparent px-4 py-4 text-lg outline-none"
      />
      {words.trim() === '' && hits.length > 0 && (
        <p className="px-5 pt-3 text-sm text-quiet-ink">Looked at lately</p>
      )}
      <div id={list} role="listbox" aria-label="Found" className="p-2">
        {hits.map((hit, position) => (
          <div
            key={`${hit.group} ${hit.to}`}
            id={`${list}-${position}`}
            role="option"
            aria-selected={position === chosen}
            tabIndex={-1}
            onPointerMove={() => setAt(position)}
            onClick={() => go(hit)}
            onKeyDown={press}
            className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-3 rounded-field px-3 aria-selected:bg-hedge-tint aria-selected:text-hedge"
          >
            <span className="w-28 shrink-0 text-sm text-quiet-ink">{hit.group}</span>
            <span className="min-w-0 font-medium wrap-anywhere">{hit.label}</span>
            <span className="ml-auto text-sm text-quiet-ink">{hit.detail}</span>
          </div>
        ))}
      </div>
      <p role="status" className="px-5 pb-4 text-sm text-quiet-ink">
        {found.isError && messageOf(found.error)}
        {!found.isError && isLong && hits.length === 0 && !found.isFetching && 'Nothing was found.'}
        {!isLong &&
          'Type two characters or more. Names and addresses of people are found, and never shown here.'}
      </p>
    </dialog>
  )
}
