import { type Insertable, sql } from 'kysely'
import type { Db } from '#database/client.ts'
import type { NodesTable } from './nodes.table.ts'

export const insertNodeIfNone = (db: Db, row: Insertable<NodesTable>) =>
  sql`
    insert into nodes (id, name, endpoint, public_key, ipv4, ipv6, is_demonstration)
    select ${row.id}, ${row.name}, ${row.endpoint}, ${row.public_key}, ${row.ipv4}::cidr, ${row.ipv6}::cidr, true
    where not exists (select from nodes)
    on conflict do nothing`.execute(db)
