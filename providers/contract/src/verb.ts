import type { Clock, KubeClient, Random } from '@kerf/runtime'
import type { Command } from 'commander'

/** A `kerf` command of a provider. The provider's package exports the list of its verbs as `./verbs`, from a module that imports nothing. */
export interface ProviderVerb {
  readonly name: string
  /** One line for `kerf --help`, and the description in the help of the command. */
  readonly summary: string
  /**
   * Loads the command from its own module.
   * @returns a function that adds flags, subcommands and actions to the command
   */
  load(tools: VerbTools): Promise<(command: Command) => void>
}

/** A stream to which a command writes, with the properties of the terminal. */
export interface Output {
  write(text: string): unknown
  /** Writes text that may contain control sequences for the terminal. Absent if `write` accepts them. */
  control?(text: string): unknown
  /**
   * Placeholder that styles write instead of the escape character. `write` replaces it. It is secret, so that text from a cluster cannot
   * contain it. Absent if styles write the escape character itself.
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

/** The cluster for a verb: that of the current kubectl context, unless another one is named. */
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

/** What the command line gives to the verbs of providers, so that they need nothing else of the process. */
export interface VerbTools {
  readonly streams: VerbStreams
  /** Kerf's version. */
  readonly version: string
  /** Returns the clock and the randomness of the process. They take long to load, so they are loaded by the action. */
  system(): Promise<{ readonly clock: Clock; readonly random: Random }>
  /**
   * Returns a client for the chosen cluster. Sends no request to the server.
   * @throws KerfError if there is no kubeconfig, or no such context
   */
  connect(choice: NamedCluster): Promise<VerbCluster>
  /** Converts the signals that end the process into an abort, until `dispose` is called. */
  stopSignals(): { readonly signal: AbortSignal; dispose(): void }
  /** Asks a question, and returns whether the answer is `yes`. Undefined without a terminal. */
  readonly confirm: ((question: string, signal: AbortSignal) => Promise<boolean>) | undefined
  /** Sets the exit code of the process for a verb that does not throw. */
  setExitCode(code: number): void
}
