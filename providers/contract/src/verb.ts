import type { Clock, KubeClient, Random } from '@kerf/runtime'
import type { Command } from 'commander'

/**
 * A command of `kerf` that a provider adds. The provider's package exports its verbs as `./verbs`, from a module that imports nothing.
 */
export interface ProviderVerb {
  readonly name: string
  /** One line for `kerf --help`. It is also the description in the help text of the command. */
  readonly summary: string
  /**
   * Loads the command from its own module.
   * @returns a function that adds flags, subcommands and actions to the command
   */
  load(tools: VerbTools): Promise<(command: Command) => void>
}

/** An output stream of a command, with the properties of its terminal. */
export interface Output {
  write(text: string): unknown
  /** Writes text that may contain control sequences for the terminal. Absent if `write` already accepts them. */
  control?(text: string): unknown
  /**
   * A placeholder that styles write in place of the escape character, and that `write` replaces. It is secret, so that text from a
   * cluster cannot contain it. Absent if styles write the escape character itself.
   */
  readonly styleMark?: string
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
}

/** The streams and the environment of the process. */
export interface VerbStreams {
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The cluster that a verb uses: by default that of the current kubectl context. */
export interface NamedCluster {
  readonly kubeconfig?: string | undefined
  readonly context?: string | undefined
}

/** A cluster that a verb reads. */
export interface VerbCluster {
  readonly client: KubeClient
  /** The URL of the API server, for messages. */
  readonly address: string
  close(): Promise<void>
}

/** What the command line passes to the verbs of providers, so that they do not access the process themselves. */
export interface VerbTools {
  readonly streams: VerbStreams
  /** Kerf's version. */
  readonly version: string
  /** Returns the clock and the randomness of the process. Loading them takes long, so only the action of a verb calls this. */
  system(): Promise<{ readonly clock: Clock; readonly random: Random }>
  /**
   * Returns a client for the chosen cluster. Sends no request to the server.
   * @throws KerfError if there is no kubeconfig, or no such context
   */
  connect(choice: NamedCluster): Promise<VerbCluster>
  /** Returns a signal that is aborted when a signal asks the process to end, until `dispose` is called. */
  stopSignals(): { readonly signal: AbortSignal; dispose(): void }
  /** Asks the user a question, and returns whether the answer is `yes`. Undefined if there is no terminal. */
  readonly confirm: ((question: string, signal: AbortSignal) => Promise<boolean>) | undefined
  /** Sets the exit code of the process. For verbs that fail without throwing. */
  setExitCode(code: number): void
}
