import { Button } from '@hedgerow/ui/button.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import {
  type App,
  appOf,
  canHandOver,
  downloadConfig,
  handOver,
  isForRouterOs,
  type NamedConfig,
} from '#features/connections/connection-config.ts'
import type { Handheld } from '#features/connections/handheld.ts'

type AddToDeviceProps = {
  config: NamedConfig
  device: Handheld
  /** Called when the file was saved, or given to an app. */
  onSaved?: () => void
  /** All steps from the start on, for a connection that was never used. */
  isFirst: boolean
  /** The heading that says which connection it is. */
  describedBy: string
}

const Step = ({ title, children }: { title: ReactNode; children: ReactNode }) => (
  <li className="pl-1 marker:font-semibold marker:text-hedge">
    <p className="font-semibold">{title}</p>
    {children}
  </li>
)

/** How the file gets into the app, in the words of the app. */
const opensBy = ({ platform }: Handheld, app: App, isHandedOver: boolean, fileName: string): string => {
  if (platform === 'android')
    return `This saves ${fileName}. In ${app} press the plus sign, choose Import from file or archive, and open it.`
  return isHandedOver
    ? `Choose ${app} in the sheet that opens. Allow the VPN configuration when iOS asks.`
    : `This saves ${fileName}. Open it in Files, press Share and choose ${app}.`
}

const TURN_ON = {
  ios: 'VPN appears at the top of the screen.',
  android: 'Allow the connection when Android asks. A key appears at the top.',
} as const

/** Puts the connection into the app of the very device that the page is on, where no code can be scanned. */
export const AddToDevice = ({ config, device, onSaved, isFirst, describedBy }: AddToDeviceProps) => {
  const toast = useToast()
  const [wasPressed, setWasPressed] = useState(false)
  if (isForRouterOs(config)) return null
  const isHandedOver = canHandOver(device.platform, config)
  const { fileName } = config
  const app = appOf(config)
  const add = async () => {
    setWasPressed(true)
    if (!isHandedOver) downloadConfig(config)
    const outcome = isHandedOver ? await handOver(config) : 'saved'
    if (outcome === 'saved') toast(`Saved ${fileName}`)
    if (outcome !== 'closed') onSaved?.()
  }
  const button = (
    <Button
      variant={isFirst ? 'solid' : 'outline'}
      className="w-full"
      aria-describedby={describedBy}
      onClick={() => void add()}
    >
      Add to this {device.kind}
    </Button>
  )
  const how = <p className="text-quiet-ink">{opensBy(device, app, isHandedOver, fileName)}</p>
  const install = (
    <Step title={`Install ${app}`}>
      <p className="text-quiet-ink">
        It is free, from{' '}
        <a href={device.store.urls[app]} target="_blank" rel="noopener noreferrer" className="link">
          {device.store.name}
        </a>
        .
      </p>
    </Step>
  )
  const turnOn = (
    <Step title="Turn it on">
      <p className="text-quiet-ink">{`Turn on the switch in ${app}. ${TURN_ON[device.platform]}`}</p>
    </Step>
  )
  const more = (
    <Link
      to={`/manual/${app === 'WireGuard' ? device.platform : 'amneziawg'}`}
      className="link inline-flex min-h-11 items-center text-sm"
    >
      All steps for {app === 'WireGuard' ? device.system : app}
    </Link>
  )
  if (isFirst)
    return (
      <div>
        <ol className="list-decimal space-y-4 pl-5">
          {install}
          <Step title="Add the connection">
            <div className="mt-2 mb-2">{button}</div>
            {how}
          </Step>
          {turnOn}
        </ol>
        {more}
      </div>
    )
  return (
    <div>
      {button}
      {wasPressed && (
        <div className="mt-4">
          <ol className="list-decimal space-y-4 pl-5">
            {install}
            <Step title="Open the file">{how}</Step>
            {turnOn}
          </ol>
          {more}
        </div>
      )}
    </div>
  )
}
