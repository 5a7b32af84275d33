import { type Kysely, sql } from 'kysely'

/**
 * The options of orders and connections become masks: 1 is priority bandwidth, 2 the advertisement filter, 4 the malicious
 * content filter, 8 the family content filter. Further bits are the shop's to give, so no check names the highest one.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const options = sql`priority_bandwidth::integer + 2 * ad_filter::integer + 4 * malware_filter::integer
    + 8 * family_filter::integer`
  await sql`alter table orders add column options integer check (options >= 0)`.execute(db)
  await sql`update orders set options = ${options}`.execute(db)
  await sql`
    alter table orders
      alter column options set not null,
      drop column priority_bandwidth,
      drop column ad_filter,
      drop column malware_filter,
      drop column family_filter`.execute(db)

  await sql`
    alter table connections
      drop constraint filters_are_bought,
      add column options integer check (options >= 0),
      add column filters_on integer`.execute(db)
  await sql`
    update connections set options = ${options},
      filters_on = 2 * ad_filter_on::integer + 4 * malware_filter_on::integer + 8 * family_filter_on::integer`.execute(
    db,
  )
  await sql`
    alter table connections
      alter column options set not null,
      alter column filters_on set not null,
      add constraint filters_are_bought check (filters_on & ~ options = 0),
      drop column priority_bandwidth,
      drop column ad_filter,
      drop column malware_filter,
      drop column family_filter,
      drop column ad_filter_on,
      drop column malware_filter_on,
      drop column family_filter_on`.execute(db)
}
