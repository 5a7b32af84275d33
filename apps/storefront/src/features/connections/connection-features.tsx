import type { Connection } from '@hedgerow/contract/connections'
import { FILTERS } from '@hedgerow/domain/filters'
import { FEATURES } from '@hedgerow/domain/pricing'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Switch } from '@hedgerow/ui/switch.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useFilters } from '#features/connections/use-filters.ts'

const ALWAYS_ON = FEATURES.filter(({ filter }) => filter === null)

type ConnectionFeaturesProps = {
  connection: Connection
  isExpired: boolean
  /** The heading that says which connection the switches are of. */
  labelledBy: string
}

/** The bought filters can be switched; what else was bought is said in a line. */
export const ConnectionFeatures = ({ connection, isExpired, labelledBy }: ConnectionFeaturesProps) => {
  const { isOn, press, problem } = useFilters(connection)
  const { features } = connection
  const bought = FILTERS.filter(({ wire }) => features[wire])
  return (
    <div className="lg:-mt-2.5">
      {bought.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what a form sends; these act at once.
        <div role="group" aria-labelledby={labelledBy}>
          {bought.map(({ wire, label }) => (
            <Switch
              key={wire}
              label={label}
              checked={isOn(wire)}
              disabled={isExpired}
              onChange={(wanted) => press(wire, wanted)}
            />
          ))}
        </div>
      )}
      {/* Below the switches, which stay where they were pressed. */}
      {problem && (
        <Notice kind="problem" title="The filter was not changed" className="my-2">
          {messageOf(problem)}
        </Notice>
      )}
      {ALWAYS_ON.filter(({ wire }) => features[wire]).map(({ wire, label }) => (
        <p key={wire} className="py-2">
          {`${label} is included.`}
        </p>
      ))}
    </div>
  )
}
