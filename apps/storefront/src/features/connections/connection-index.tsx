import type { Connection } from '@hedgerow/contract/connections'

/** Links to each of many tickets. */
export const ConnectionIndex = ({ connections }: { connections: readonly Connection[] }) => (
  <nav aria-label="Connections" className="mb-6">
    <ul className="flex flex-wrap gap-2">
      {connections.map(({ _id, name }) => (
        <li key={_id} className="min-w-0 max-w-full">
          <a
            href={`#${_id}`}
            className="flex min-h-11 items-center rounded-field border border-line bg-surface px-3 hover:border-hedge hover:text-hedge"
          >
            <span className="py-2 wrap-anywhere">{name}</span>
          </a>
        </li>
      ))}
    </ul>
  </nav>
)
