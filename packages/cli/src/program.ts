import { Command, CommanderError } from 'commander'
import { buildInfo, versionLine } from './build-info.ts'
import { errorExitCode } from './exit-code.ts'
import { PermissionsAsked } from './permissions-option.ts'
import type { Verb } from './verb.ts'

/** The streams to which the program writes its output. Except in tests, these are the streams of the process. */
export interface Streams {
  out(text: string): void
  err(text: string): void
}

const HELPED: ReadonlySet<string> = new Set(['commander.helpDisplayed', 'commander.help', 'commander.version'])

/** Returns commander's message on one line, without its prefix. */
const usageMessage = (error: CommanderError): string =>
  error.message
    .replace(/^error: /, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')

const wantsDebug = (args: readonly string[], environment: Readonly<Record<string, string | undefined>>): boolean =>
  args.includes('--log-level=debug') ||
  args.some((arg, index) => arg === '--log-level' && args[index + 1] === 'debug') ||
  environment['LOG_LEVEL'] === 'debug'

/**
 * Returns the error to show. If the API server is unreachable or refuses the account, the result is an error with the text and the remedy
 * of the reference page. Any other error is returned unchanged.
 */
const explained = async (error: unknown): Promise<unknown> => {
  // Imported dynamically because loading this module takes longer than all of `kerf --help`.
  const { explainApiError } = await import('@kerf/runtime')
  return explainApiError(error) ?? error
}

/** Makes a command and its subcommands write to `streams`, and throw instead of ending the process. */
const harness = (command: Command, streams: Streams): void => {
  command
    .exitOverride()
    .configureOutput({ writeOut: streams.out, writeErr: () => {}, outputError: () => {} })
    .showSuggestionAfterError()
  for (const child of command.commands) harness(child, streams)
}

/**
 * Runs one command line and returns the exit code: 0 success, 1 failure, 2 wrong usage. Every failure is one line on the error stream;
 * a stack trace appears only with `--log-level debug`.
 * @param name the name of the program as the user types it, for the help text
 */
export const runProgram = async (
  verbs: readonly Verb[],
  args: readonly string[],
  streams: Streams,
  environment: Readonly<Record<string, string | undefined>> = {},
  name = 'kerf',
): Promise<number> => {
  const program = new Command(name)
    .description("A node autoscaler for Kubernetes that speaks Karpenter's API.")
    .usage('VERB [FLAGS]')
    .helpCommand(false)
    // If a command and its subcommand declare a flag with the same name, the subcommand gets the flag.
    .enablePositionalOptions()
    .helpOption('-h, --help', 'print the help of the command')
    .version(versionLine(buildInfo(environment), process.version), '-V, --version', 'print the version of Kerf')
    .configureHelp({ subcommandTerm: (command) => command.name(), showGlobalOptions: false })
  const typed = args.find((arg) => !arg.startsWith('-'))
  for (const verb of verbs) {
    // Help and suggestions need only the names of the other commands, so only the typed command is loaded.
    if (verb.name === typed) await verb.register(program)
    else program.command(verb.name)
  }
  for (const command of program.commands) {
    command.summary(verbs.find(({ name }) => name === command.name())?.summary ?? '')
  }
  harness(program, streams)
  if (args.length === 0) {
    streams.out(program.helpInformation())
    return 0
  }
  try {
    await program.parseAsync([...args], { from: 'user' })
    return typeof process.exitCode === 'number' ? process.exitCode : 0
  } catch (error) {
    if (error instanceof PermissionsAsked) {
      streams.out(await error.role())
      return 0
    }
    if (error instanceof CommanderError) {
      if (HELPED.has(error.code) && error.exitCode === 0) return 0
      const verb = verbs.find((candidate) => args.includes(candidate.name))
      const help = verb === undefined ? `${name} --help` : `${name} ${verb.name} --help`
      if (HELPED.has(error.code)) {
        const parts = program.commands.find((command) => command.name() === verb?.name)?.commands ?? []
        streams.err(
          `kerf: ${verb?.name ?? 'kerf'} needs one of: ${parts.map((part) => part.name()).join(', ')}; see: ${help}\n`,
        )
        return 2
      }
      streams.err(`kerf: ${usageMessage(error)}; see: ${help}\n`)
      return 2
    }
    const isDebug = wantsDebug(args, environment)
    const [{ harmless }, { describeError }] = await Promise.all([
      import('@kerf/provider-kit/terminal'),
      import('@kerf/provider-kit/command-line'),
    ])
    streams.err(`kerf: ${harmless(describeError(isDebug ? error : await explained(error), isDebug))}\n`)
    return errorExitCode(error)
  }
}
