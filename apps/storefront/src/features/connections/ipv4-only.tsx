import { Checkbox } from '@hedgerow/ui/form/checkbox.tsx'

type Ipv4OnlyProps = {
  isChosen: boolean
  onChange: (isChosen: boolean) => void
  /** The connection's. */
  name: string
}

/** Changes the code, the file and the email: wg-quick takes the tunnel down where it cannot set an IPv6 address. */
export const Ipv4Only = ({ isChosen, onChange, name }: Ipv4OnlyProps) => (
  <Checkbox
    label={
      <>
        IPv4 only <span className="sr-only">{`for ${name}`}</span>
        <span className="block max-w-measure text-sm text-quiet-ink">
          For a device without IPv6, such as many containers. On any other device, IPv6 would not go through
          the tunnel.
        </span>
      </>
    }
    checked={isChosen}
    onChange={({ target }) => onChange(target.checked)}
  />
)
