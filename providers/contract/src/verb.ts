import type { Clock, KubeClient, Random } from '@kerf/runtime'
import type { Command } from 'commander'

/** A command that a provider adds to `kerf`. The provider's package exports its verbs as `./verbs`, from a module that imports nothing. */
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
   * A placeholder that styles use instead of the escape character. `write` replaces it with the escape character. It is secret, so that
   * text from a cluster cannot contain it. Absent if styles use the escape character itself.
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

/** The cluster that a verb uses. Default: the cluster of the current kubectl context. */
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

/** The functions that the command line passes to the verbs of providers, so that verbs do not access the process directly. */
export interface VerbTools {
  readonly streams: VerbStreams
  /** Kerf's version. */
  readonly version: string
  /** Returns the clock and the random source of the process. Loading them takes long, so only the action of a verb should call this. */
  system(): Promise<{ readonly clock: Clock; readonly random: Random }>
  /**
   * Returns a client for the chosen cluster. Sends no request to the server.
   * @throws KerfError if there is no kubeconfig, or no such context
   */
  connect(choice: NamedCluster): Promise<VerbCluster>
  /** Returns an AbortSignal that is aborted when the process receives a termination signal. Stops listening when `dispose` is called. */
  stopSignals(): { readonly signal: AbortSignal; dispose(): void }
  /** Asks the user a question, and returns whether the answer is `yes`. Undefined if there is no terminal. */
  readonly confirm: ((question: string, signal: AbortSignal) => Promise<boolean>) | undefined
  /** Sets the exit code of the process. For verbs that fail without throwing. */
  setExitCode(code: number): void
}
