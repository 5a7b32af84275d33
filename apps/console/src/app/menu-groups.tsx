import { ChevronDown } from '@hedgerow/ui/icons.tsx'
import { useId, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { PLACES, type Place } from '#app/places.ts'
import { useMay } from '#shared/session.tsx'

const KEY = 'folded groups'

/** In pixels: an entry, a group’s head, and what stands above all. */
const HEIGHTS = { entry: 25, head: 28, above: 42 } as const

const isAt = (here: string, path: string) => (path === '/' ? here === '/' : `${here}/`.startsWith(`${path}/`))

type Folds = Readonly<Record<string, boolean>>

const readFolds = (): Folds => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '')
    return typeof kept === 'object' && kept !== null ? (kept as Folds) : {}
  } catch {
    return {}
  }
}

/** Which groups an operator has folded in this browser. */
const useFolds = () => {
  const [folds, setFolds] = useState(readFolds)
  const fold = (group: string, isFolded: boolean) => {
    const next = { ...folds, [group]: isFolded }
    localStorage.setItem(KEY, JSON.stringify(next))
    setFolds(next)
  }
  return { folds, fold }
}

const groupsOf = (places: readonly Place[]) => {
  const groups = new Map<string, Place[]>()
  for (const place of places)
    if (place.menu) groups.set(place.menu.group, [...(groups.get(place.menu.group) ?? []), place])
  return [...groups]
}

const useGroups = () => {
  const may = useMay()
  return groupsOf(PLACES.filter((place) => may(place.may)))
}

const ITEM =
  'flex items-center gap-3 rounded-field px-3 text-quiet-ink hover:bg-hedge-tint hover:text-hedge aria-[current=page]:bg-hedge-tint aria-[current=page]:font-semibold aria-[current=page]:text-hedge'
const HEAD =
  'flex w-full items-center justify-between rounded-field px-3 text-left text-sm text-quiet-ink hover:text-hedge'
/** With a mouse all entries fit below one another at 900 px; a finger wants more, and one group at a time. */
const SIZES = {
  mouse: { item: 'min-h-6.25', head: 'min-h-6' },
  finger: { item: 'min-h-11', head: 'min-h-11' },
} as const

type GroupProps = {
  group: string
  places: readonly Place[]
  size: keyof typeof SIZES
  isOpen: boolean
  onTurn: (isOpen: boolean) => void
}

/** Folded, it shows the page that one is on, and no other. */
const Group = ({ group, places, size, isOpen, onTurn }: GroupProps) => {
  const [here] = useLocation()
  const id = useId()
  const shown = places.filter(({ path }) => isOpen || !group || isAt(here, path))
  return (
    <div className="mb-1">
      {group && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          // A press closes the menu of a phone where it is a link that leads elsewhere.
          onClick={(event) => {
            event.stopPropagation()
            onTurn(!isOpen)
          }}
          className={`${HEAD} ${SIZES[size].head}`}
        >
          {group}
          <ChevronDown className={`size-4 ${isOpen ? '' : '-rotate-90'}`} />
        </button>
      )}
      <div id={id}>
        {shown.map(({ path, menu }) => {
          const Icon = menu?.icon
          return (
            <Link
              key={path}
              to={path}
              aria-current={isAt(here, path) ? 'page' : undefined}
              className={`${ITEM} ${SIZES[size].item}`}
            >
              {Icon && <Icon className="size-4.5 shrink-0" />}
              {menu?.label}
            </Link>
          )
        })}
      </div>
    </div>
  )
}

/** Beside the page. Where not all groups fit below one another, only the one that one is in begins open. */
export const SideMenu = () => {
  const [here] = useLocation()
  const { folds, fold } = useFolds()
  const groups = useGroups()
  const entries = groups.flatMap(([, places]) => places).length
  const { entry, head, above } = HEIGHTS
  const isLow = window.innerHeight < entries * entry + groups.length * head + above
  return groups.map(([group, places]) => (
    <Group
      key={group}
      group={group}
      places={places}
      size="mouse"
      isOpen={!(folds[group] ?? (isLow && !places.some(({ path }) => isAt(here, path))))}
      onTurn={(isOpen) => fold(group, !isOpen)}
    />
  ))
}

/** On a phone, behind a button: one group at a time, so that the last ones are in view, too. */
export const PhoneMenu = () => {
  const [here] = useLocation()
  const [opened, setOpened] = useState<string>()
  const groups = useGroups()
  const own = groups.find(([, places]) => places.some(({ path }) => isAt(here, path)))?.[0]
  return groups.map(([group, places]) => (
    <Group
      key={group}
      group={group}
      places={places}
      size="finger"
      isOpen={(opened ?? own) === group}
      onTurn={(isOpen) => setOpened(isOpen ? group : '')}
    />
  ))
}
