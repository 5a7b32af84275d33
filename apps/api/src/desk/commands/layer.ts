import type { Command } from 'commander'
import {
  changeLayer,
  addLayer as insertLayer,
  listLayers,
  removeLayer,
} from '#desk/backoffice/operate-layers.ts'
import { recordSubject } from '#desk/tool/acting.ts'
import { changes, reads } from '#desk/tool/classes.ts'
import { JSON_OPTION, readLine, readLineOf, readPlace } from '#desk/tool/options.ts'
import { say, sayJson, sayTable } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import type { LayerRow } from '#platform/database/tables/plans.table.ts'

type Json = { json?: true }

const LONGEST_DESCRIPTION = 300

const present = ({ id, name, description, position }: LayerRow) => ({
  id,
  name,
  description,
  place: position,
})

const list = ({ json }: Json) =>
  withDatabase(async (db) => {
    const layers = await listLayers({ db })
    if (json) return sayJson({ layers: layers.map(present) })
    sayTable(
      ['layer', 'place', 'name', 'description'],
      layers.map(({ id, position, name, description }) => [id, String(position), name, description]),
    )
  })

type Words = { description?: string; place?: number }

const add = (name: string, { description = '', place, json }: Json & Words) =>
  withDatabase(async (db) => {
    const id = await insertLayer({ db }, name, description, place)
    recordSubject(id)
    if (json) return sayJson({ outcome: 'added', id })
    say(`Layer ${id} is added. The shop shows it once it has a plan. Add one: plan add --layer ${id}`)
  })

const none = (id: string) => new Refusal(`There is no layer ${id}. To list them: layer list`)

const change = (id: string, { json, ...words }: Json & Words & { name?: string }, command: Command) => {
  if (Object.keys(words).length === 0)
    command.error('error: give at least one of --name, --description and --place')
  return withDatabase(async (db) => {
    if (!(await changeLayer({ db }, id, words))) throw none(id)
    if (json) return sayJson({ outcome: 'changed', id })
    say(`Layer ${id} is changed.`)
  })
}

const WHY_NOT = {
  'has-plans':
    'Orders refer to its plans. Retire those still on sale instead: the shop does not show an empty layer.',
  'is-planned': 'A plan is to come in it: take that back in the console first.',
  'has-nodes': 'A node is or was reserved for it.',
} as const

const remove = (id: string, { json }: Json) =>
  withDatabase(async (db) => {
    const outcome = await removeLayer({ db }, id)
    if (outcome === 'none') throw none(id)
    if (outcome !== 'removed') throw new Refusal(`Layer ${id} stays. ${WHY_NOT[outcome]}`)
    if (json) return sayJson({ outcome, id })
    say(`Layer ${id} is removed.`)
  })

const WHICH = 'the id of the layer'
const DESCRIPTION = 'the line under its name'
const readDescription = readLineOf(0, LONGEST_DESCRIPTION)

export const addLayer = (program: Command): void => {
  const layer = program
    .command('layer')
    .summary('groups of price plans')
    .description('The groups that price plans are shown in. Nodes can be reserved for one.')
    .helpCommand(false)
  reads(layer.command('list'))
    .description('All layers, in the order shown.')
    .addOption(JSON_OPTION)
    .action(list)
  changes(layer.command('add'))
    .description('Add a layer. The shop shows it once it has a plan.')
    .argument('<name>', 'its name', readLine)
    .option('--description <line>', DESCRIPTION, readDescription)
    .option('--place <place>', 'its place among the layers; 1 is the first', readPlace)
    .addOption(JSON_OPTION)
    .action(add)
  changes(layer.command('change'))
    .description('Change the name, the description or the place of a layer.')
    .argument('<id>', WHICH)
    .option('--name <name>', 'its name', readLine)
    .option('--description <line>', DESCRIPTION, readDescription)
    .option('--place <place>', 'its place among the layers; 1 is the first', readPlace)
    .addOption(JSON_OPTION)
    .action(change)
  changes(layer.command('remove'))
    .description('Remove a layer that has never had a plan or a node.')
    .argument('<id>', WHICH)
    .addOption(JSON_OPTION)
    .action(remove)
}
