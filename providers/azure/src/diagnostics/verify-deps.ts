import type { NamedCluster, VerbCluster, VerbTools } from '@kerf/provider-contract'
import { silentLogger } from '@kerf/runtime'
import { connectAzure } from '../api/connect-azure.ts'
import type { AzureVerifyDeps } from './run-verify.ts'

/** Returns the cluster. A named cluster must exist. The default one may be missing. */
const clusterOf = async (choice: NamedCluster, tools: VerbTools): Promise<VerbCluster | undefined> => {
  try {
    return await tools.connect(choice)
  } catch (error) {
    if (choice.kubeconfig !== undefined || choice.context !== undefined) throw error
    return undefined
  }
}

/** Returns the process's clock, Azure clients of the SDK, and the cluster of the current kubectl context. */
export const azureVerifyDeps = async (
  choice: NamedCluster,
  tools: VerbTools,
  signal: AbortSignal,
): Promise<AzureVerifyDeps & { close(): Promise<void> }> => {
  const { clock, random } = await tools.system()
  const cluster = await clusterOf(choice, tools)
  const deps = { clock, random, log: silentLogger, env: tools.streams.env, version: tools.version }
  return {
    ...{ clock, signal, client: cluster?.client },
    connect: (settings) => connectAzure(settings, deps),
    close: async () => cluster?.close(),
  }
}
