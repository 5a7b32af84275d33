import type { FileForm } from '@hedgerow/domain/file-form'
import { CopyButton } from '@hedgerow/ui/copy-button.tsx'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { appOf, type NamedConfig, vpnText } from '#features/connections/connection-config.ts'

type BlockedNetworksProps = {
  config: NamedConfig
  /** It seems that WireGuard does not get through. */
  isOffered: boolean
  onUse: (forms: readonly FileForm[]) => void
}

/** Which app the file is for, where that is not WireGuard; or that there is such a file, where it may help. */
export const BlockedNetworks = ({ config, isOffered, onUse }: BlockedNetworksProps) => {
  const note = useRef<HTMLParagraphElement>(null)
  const [wasPressed, setWasPressed] = useState(false)
  // The button that was pressed is gone.
  useEffect(() => {
    if (wasPressed) note.current?.focus()
  }, [wasPressed])
  const { fileForm = [], disguiseForApps } = config
  if (appOf(config) === 'AmneziaWG')
    return (
      <div className="mt-2 mb-4 max-w-measure space-y-3">
        <p ref={note} tabIndex={-1} className="text-quiet-ink">
          <span>{config.obfuscation && 'Its location is for networks that block WireGuard. '}</span>
          Code and file are for the AmneziaWG app, 2.0.0 or newer.{' '}
          <Link to="/manual/amneziawg" className="link">
            Where to get it, and how to add the connection
          </Link>
        </p>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <span className="text-quiet-ink">AmneziaVPN, 4.8.12.9 or newer, takes it as a text, too.</span>
          <CopyButton text={vpnText(config)} of={`the text for AmneziaVPN of ${config.name}`} />
        </div>
      </div>
    )
  if (!isOffered || !disguiseForApps || fileForm.includes('routeros')) return null
  return (
    <p className="mt-1 mb-3 max-w-measure text-quiet-ink">
      If it does not connect, your network may block WireGuard. Another app may get through:{' '}
      <button
        type="button"
        className="link"
        onClick={() => {
          setWasPressed(true)
          onUse([...fileForm, 'amneziawg'])
        }}
      >
        use the file for AmneziaWG
      </button>
      .
    </p>
  )
}
