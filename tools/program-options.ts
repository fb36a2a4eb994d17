import { type ParseArgsConfig, type ParseArgsOptionsConfig, parseArgs } from 'node:util'

type Read<T extends ParseArgsConfig> = ReturnType<typeof parseArgs<T>>

/** What the words after a program's name ask for: a run with these options, its help, or nothing that it knows. */
export type Asked<T extends ParseArgsConfig> =
  | { readonly kind: 'run'; readonly read: Read<T> }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'wrong'; readonly text: string }

const HELP = { help: { type: 'boolean', short: 'h', default: false } } as const

const isNumber = (value: unknown): boolean => typeof value === 'string' && /^\d+(\.\d+)?$/.test(value)

const optionLine = ([name, { type, short, multiple, default: standard }]: [
  string,
  NonNullable<ParseArgsOptionsConfig[string]>,
]): string => {
  const names = `${short === undefined ? '' : `-${short}, `}--${name}`
  const taken = type === 'boolean' ? '' : isNumber(standard) ? ' N' : ' VALUE'
  const often = multiple === true ? ' (may be repeated)' : ''
  const isTold = type === 'string' && standard !== undefined && String(standard) !== ''
  return `  ${names}${taken}${often}${isTold ? `, default ${String(standard)}` : ''}`
}

const helpText = (what: string, options: ParseArgsOptionsConfig): string =>
  [what, '', 'Options:', ...Object.entries(options).map(optionLine), ''].join('\n')

/** The message without Node's advice about option terminators. */
const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('. ')[0] ?? ''

/** An option whose default is a number takes a number: a word would become "not a number" somewhere in the middle of a run. */
const noNumber = (options: ParseArgsOptionsConfig, values: Readonly<Record<string, unknown>>): string | undefined =>
  Object.entries(options)
    .filter(([name, { default: standard }]) => isNumber(standard) && !isNumber(values[name]))
    .map(([name]) => `--${name} ${String(values[name])}: give a number`)[0]

/** Reads the words, without effect. `what` says what the program does. */
export const readProgramOptions = <const T extends ParseArgsConfig>(
  what: string,
  config: T,
  words: readonly string[],
): Asked<T> => {
  const options = { ...config.options, ...HELP }
  const text = helpText(what, options)
  try {
    const read = parseArgs({ ...config, options, args: [...words] })
    const values: Readonly<Record<string, unknown>> = read.values
    if (values['help'] === true) return { kind: 'help', text }
    const wrong = noNumber(options, values)
    return wrong === undefined ? { kind: 'run', read: read as Read<T> } : { kind: 'wrong', text: `${wrong}\n` }
  } catch (error) {
    return { kind: 'wrong', text: `${messageOf(error)}\n\n${text}` }
  }
}

/** Ends the program with exit code 2 before it did anything: what is wrong with how it was called. */
export const refuseOptions = (text: string): never => {
  process.stderr.write(text.endsWith('\n') ? text : `${text}\n`)
  process.exit(2)
}

/** The options of a bench, of a simulation or another program of this repository. Ends the process for `--help`, and with exit code 2 where it was called wrongly. */
export const programOptions = <const T extends ParseArgsConfig>(what: string, config: T): Read<T> => {
  const asked = readProgramOptions(what, config, process.argv.slice(2))
  switch (asked.kind) {
    case 'run':
      return asked.read
    case 'help':
      process.stdout.write(asked.text)
      return process.exit(0)
    case 'wrong':
      return refuseOptions(asked.text)
  }
}
