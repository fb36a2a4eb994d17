import type { NamedCluster, VerbCluster, VerbStreams, VerbTools } from '@kerf/provider-contract'
import type { Clock, KubeClient, Random } from '@kerf/runtime'
import type { Command } from 'commander'

/** The access of `kerf NAME verify` to the process and the cluster. */
export interface VerifyProcess {
  readonly clock: Clock
  readonly random: Random
  readonly env: VerbStreams['env']
  /** Kerf's version. */
  readonly version: string
  /** The client of the cluster. Undefined if the user specifies no cluster and there is no default one. */
  readonly client: KubeClient | undefined
  readonly signal: AbortSignal
}

/** Adds the flags that every `verify` command has. */
export const addVerifyFlags = (command: Command): Command =>
  command
    .option('--kubeconfig <file>', 'kubeconfig file of the cluster of the controller')
    .option('--context <name>', 'context of the kubeconfig')
    .addOption(command.createOption('-o, --output <format>', 'format').choices(['table', 'json']).default('table'))

/** Returns the cluster. If the user specifies a cluster, it must exist. The default cluster may be missing. */
const clusterFor = async (choice: NamedCluster, tools: VerbTools): Promise<VerbCluster | undefined> => {
  try {
    return await tools.connect(choice)
  } catch (error) {
    if (choice.kubeconfig !== undefined || choice.context !== undefined) throw error
    return undefined
  }
}

/**
 * Returns the action of a `verify` command. It calls `run` with the cluster that the flags select, and sets the exit code that `run`
 * returns. If the process receives a termination signal, the action aborts the calls of `run`.
 */
export const verifyAction =
  <Options extends object>(tools: VerbTools, run: (options: Options, process: VerifyProcess) => Promise<number>) =>
  async ({ kubeconfig, context, ...options }: Options & NamedCluster): Promise<void> => {
    const stop = tools.stopSignals()
    let cluster: VerbCluster | undefined
    try {
      const system = await tools.system()
      cluster = await clusterFor({ kubeconfig, context }, tools)
      const { version, streams } = tools
      const process = { ...system, env: streams.env, version, client: cluster?.client, signal: stop.signal }
      tools.setExitCode(await run(options as unknown as Options, process))
    } finally {
      await cluster?.close()
      stop.dispose()
    }
  }
