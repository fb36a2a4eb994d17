import { type ParseArgsConfig, type ParseArgsOptionsConfig, parseArgs } from 'node:util'

type Read<T extends ParseArgsConfig> = ReturnType<typeof parseArgs<T>>

/** The result of parsing a program's arguments: run with these options, print the help, or refuse invalid arguments. */
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

/** Returns the error's message without Node's advice about option terminators. */
const errorMessage = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('. ')[0] ?? ''

/**
 * Returns a message if an option whose default is a number has another kind of value. Otherwise the value would become NaN somewhere in the
 * middle of a run.
 */
const noNumber = (options: ParseArgsOptionsConfig, values: Readonly<Record<string, unknown>>): string | undefined =>
  Object.entries(options)
    .filter(([name, { default: standard }]) => isNumber(standard) && !isNumber(values[name]))
    .map(([name]) => `--${name} ${String(values[name])}: give a number`)[0]

/** Parses the arguments without side effects. `what` describes the program in its help. */
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
    return { kind: 'wrong', text: `${errorMessage(error)}\n\n${text}` }
  }
}

/** Prints what is wrong with the arguments and ends the program with exit code 2. */
export const refuseOptions = (text: string): never => {
  process.stderr.write(text.endsWith('\n') ? text : `${text}\n`)
  process.exit(2)
}

/**
 * Returns the options of a benchmark, a simulation or another program of this repository. For `--help`, prints the help and ends the
 * process. If the arguments are invalid, ends it with exit code 2.
 */
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
