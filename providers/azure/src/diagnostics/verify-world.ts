import { connectAzure } from '@kerf/provider-azure'
import { SystemClock, SystemRandom, silentLogger } from '@kerf/runtime'
import { type ClusterChoice, type ConnectedCluster, connect } from '../cluster/connect.ts'
import type { AzureVerifyWorld } from './run-verify.ts'

/** Returns the cluster. A named cluster must exist; the default one may be missing. */
const clusterOf = (choice: ClusterChoice): ConnectedCluster | undefined => {
  try {
    return connect(choice)
  } catch (error) {
    if (choice.kubeconfig !== undefined || choice.context !== undefined) throw error
    return undefined
  }
}

/** Returns the process's clock, Azure clients of the SDK, and the cluster of the current kubectl context. */
export const azureVerifyWorld = (
  choice: ClusterChoice,
  version: string,
  signal: AbortSignal,
): AzureVerifyWorld & { close(): void } => {
  const clock = new SystemClock()
  const cluster = clusterOf(choice)
  const parts = { clock, random: new SystemRandom(), log: silentLogger, env: choice.env, version }
  return {
    ...{ clock, signal, client: cluster?.client },
    connect: (settings) => connectAzure(settings, parts),
    close: () => cluster?.client.close(),
  }
}
