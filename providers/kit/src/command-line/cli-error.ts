import { defineErrors, type ErrorFactory, entry, KerfError } from '@kerf/runtime/errors'

interface Message {
  /** One line with the problem, the affected object and the remedy. */
  readonly message: string
}

/** The codes of errors that a command reports. Their messages include the remedy. */
export const commandErrors = defineErrors('command line', {
  WrongUsage: entry({
    when: 'A flag, an argument or a file of the command line cannot be used.',
    text: (e: Message) => e.message,
    next: '',
    exitCode: 2,
    example: { message: '--for 3x: not a duration such as 30m or 2h' },
  }),
  WrongManifest: entry({
    when: 'A manifest that the command reads cannot be used.',
    text: (e: Message) => e.message,
    next: '',
    exitCode: 2,
    example: {
      message: 'pools.yaml:12: NodePool general: spec.limits.cpu must be a quantity, for example "100" or "500m"',
    },
  }),
  CommandFailed: entry({
    when: 'The command line was correct, and the command failed.',
    text: (e: Message) => e.message,
    next: '',
    example: { message: 'the cluster has no node general-x7k2p; kubectl get nodes lists them' },
  }),
})

/** An error in the command line. The exit code is 2. The message is one line with the flag and the remedy. */
export class UsageError extends KerfError {
  override readonly name: string = 'UsageError'

  constructor(message: string, options?: ErrorOptions, code: ErrorFactory<Message> = commandErrors.WrongUsage) {
    super(code({ message }), options)
  }
}

/** The failure of a valid command. The exit code is 1. The message is one line with the failure, the affected object and the remedy. */
export class CliError extends KerfError {
  override readonly name = 'CliError'

  constructor(message: string, options?: ErrorOptions) {
    super(commandErrors.CommandFailed({ message }), options)
  }
}
