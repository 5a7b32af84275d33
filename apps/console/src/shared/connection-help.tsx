import { mailConsoleConnection } from '@hedgerow/contract/console/connections'
import { CallAct } from '#shared/call-act.tsx'
import type { Connection } from '#shared/connection-words.tsx'
import { GiveDaysAct } from '#shared/give-days-act.tsx'

type ConnectionHelpProps = { connection: Pick<Connection, 'id' | 'name' | 'status' | 'expiresAt'> }

/** What support does about a connection most often, where its customer is looked at. */
export const ConnectionHelp = ({ connection }: ConnectionHelpProps) =>
  connection.status !== 'cut-off' && (
    <span className="ml-auto flex flex-wrap">
      {connection.status !== 'expired' && (
        <CallAct
          call="mailConsoleConnection"
          endpoint={mailConsoleConnection}
          label="Email it again"
          params={{ connectionId: connection.id }}
          refreshes={['getCustomer']}
        />
      )}
      <GiveDaysAct connection={connection} />
    </span>
  )
