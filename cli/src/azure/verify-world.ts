import { connectAzure } from '@kerf/provider-azure'
import { SystemClock, SystemRandom, silentLogger } from '@kerf/runtime'
import { type ClusterChoice, type ConnectedCluster, connect } from '../cluster/connect.ts'
import type { AzureVerifyWorld } from './run-verify.ts'

/** A cluster that somebody named must be there; the usual one may be missing. */
const clusterOf = (choice: ClusterChoice): ConnectedCluster | undefined => {
  try {
    return connect(choice)
  } catch (error) {
    if (choice.kubeconfig !== undefined || choice.context !== undefined) throw error
    return undefined
  }
}

/** The process's own clock, Azure through its SDK, and the cluster that kubectl would speak to. */
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
