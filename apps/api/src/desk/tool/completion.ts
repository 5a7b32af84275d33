import { Argument, type Command } from 'commander'
import { pathOf } from '#desk/tool/acting.ts'
import { reads } from '#desk/tool/classes.ts'
import { toolRun } from '#desk/tool/run.ts'

/** A command of the tree: what may be typed after its words, and what an option or an argument may be. */
type Place = {
  /** The words that lead there, without the program's name. */
  path: string
  commands: { word: string; says: string }[]
  options: { words: string[]; says: string; takesValue: boolean; values: readonly string[] }[]
  /** What its arguments may be, where only a few words are. */
  values: readonly string[]
  /** How many arguments it takes, and whether one is a file. */
  takes: number
  takesFile: boolean
}

const placesOf = (command: Command): Place[] => {
  const help = command.createHelp()
  const place = {
    path: command.parent ? pathOf(command) : '',
    commands: command.commands.map((one) => ({ word: one.name(), says: help.subcommandDescription(one) })),
    options: help.visibleOptions(command).map((option) => ({
      words: [option.short, option.long].filter((word) => word !== undefined),
      says: option.description,
      takesValue: option.required || option.optional,
      values: option.argChoices ?? [],
    })),
    values: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    takes: command.registeredArguments.length,
    takesFile: command.registeredArguments.some((argument) => argument.name() === 'file'),
  }
  return [place, ...command.commands.flatMap(placesOf)]
}

/** Descriptions go into scripts between single quotes. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

const optionsOf = ({ options }: Place): string => options.flatMap(({ words }) => words).join(' ')

/** Options are offered where nothing else can follow: Tab is not to write a '-' where an id is expected. */
const wordsOf = (place: Place): string =>
  [...place.commands.map(({ word }) => word), ...place.values].join(' ') ||
  (place.takes === 0 ? optionsOf(place) : '')

const shellOptions = (places: readonly Place[], wanted: (option: Place['options'][number]) => boolean) => [
  ...new Set(places.flatMap(({ options }) => options.filter(wanted).flatMap(({ words }) => words))),
]

/**
 * The words before the cursor lead to a place of the tree; options, their values and arguments lead nowhere. Works in zsh
 * too, by what it has for such functions.
 */
const bashLike = (program: string, places: readonly Place[]): string => {
  const casesOf = (words: (place: Place) => string) =>
    places.map((place) => `      ${quoted(place.path)}) words=${quoted(words(place))} ;;`).join('\n')
  const filed = places.filter(({ takesFile }) => takesFile).map(({ path }) => quoted(path))
  const valued = places.flatMap(({ path, options }) =>
    options
      .filter(({ values }) => values.length > 0)
      .flatMap(({ words, values }) =>
        words.map((word) => `    ${quoted(`${path} ${word}`)}) words=${quoted(values.join(' '))} ;;`),
      ),
  )
  const taking = shellOptions(places, ({ takesValue }) => takesValue)
  const paths = places.map(({ path }) => quoted(path)).join('|')
  return `_${program}_complete() {
  local path='' next word words='' at=1 skip=''
  while [ "$at" -lt "$COMP_CWORD" ]; do
    word="\${COMP_WORDS[$at]}"
    at=$((at + 1))
    if [ -n "$skip" ]; then skip=''; continue; fi
    case "$word" in
      ${taking.join('|')}) skip=yes ;;
      -*) ;;
      *)
        next="\${path:+$path }$word"
        case "$next" in ${paths}) path="$next" ;; esac
        ;;
    esac
  done
  COMPREPLY=()
  if [ -n "$skip" ]; then
    case "$path \${COMP_WORDS[$((COMP_CWORD - 1))]}" in
${valued.join('\n')}
    *) COMPREPLY=($(compgen -f -- "\${COMP_WORDS[$COMP_CWORD]}")); return ;;
    esac
  else
    case "\${COMP_WORDS[$COMP_CWORD]}" in
    -*)
      case "$path" in
${casesOf(optionsOf)}
      esac ;;
    *)
      case "$path" in
      ${filed.join('|')}) COMPREPLY=($(compgen -f -- "\${COMP_WORDS[$COMP_CWORD]}")); return ;;
${casesOf(wordsOf)}
      esac ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[$COMP_CWORD]}"))
}
`
}

const bash = (program: string, places: readonly Place[]): string =>
  `${bashLike(program, places)}complete -F _${program}_complete ${program}\n`

const zsh = (program: string, places: readonly Place[]): string =>
  `autoload -Uz compinit bashcompinit
(( $+functions[compdef] )) || compinit
bashcompinit
${bashLike(program, places)}complete -F _${program}_complete ${program}\n`

const fish = (program: string, places: readonly Place[]): string => {
  const taking = shellOptions(places, ({ takesValue }) => takesValue)
  const lines = places.flatMap((place) => {
    const here = `complete -c ${program} -n ${quoted(`__${program}_at ${quoted(place.path)}`)}`
    return [
      ...place.commands.map(({ word, says }) => `${here} -f -a ${word} -d ${quoted(says)}`),
      ...(place.takesFile ? [`${here} -F`] : []),
      ...(place.values.length > 0 ? [`${here} -f -a ${quoted(place.values.join(' '))}`] : []),
      ...place.options.map(({ words, says, takesValue, values }) => {
        const names = words.map((word) =>
          word.startsWith('--') ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`,
        )
        const value = values.length > 0 ? ` -x -a ${quoted(values.join(' '))}` : takesValue ? ' -r' : ' -f'
        return `${here} ${names.join(' ')}${value} -d ${quoted(says)}`
      }),
    ]
  })
  return `function __${program}_at
  set -l place ''
  set -l skip ''
  for word in (commandline -opc)[2..-1]
    if test -n "$skip"
      set skip ''
    else if contains -- $word ${taking.join(' ')}
      set skip yes
    else if not string match -q -- '-*' $word
      set -l next (string trim -- "$place $word")
      if contains -- $next ${places.map(({ path }) => quoted(path)).join(' ')}
        set place $next
      end
    end
  end
  test "$place" = "$argv[1]"
end
complete -c ${program} -f
${lines.join('\n')}
`
}

const SHELLS = { bash, zsh, fish } as const

export const addCompletion = (program: Command): void => {
  const completion = reads(program.command('completion'))
  completion
    .summary('shell completion')
    .description(
      `Print the script that lets a shell complete the commands of this tool, which must be called ${program.name()} there. See docs/operating.md.`,
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SHELLS)))
    .action((shell: keyof typeof SHELLS) => {
      toolRun().stdout.write(SHELLS[shell](program.name(), placesOf(program)))
    })
}
