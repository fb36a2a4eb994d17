import type { NamedCluster, VerbCluster, VerbTools } from '@kerf/provider-contract'
import type { Clock, KubeClient } from '@kerf/runtime'
import { connectGcp, type GcpConnection } from '../../api/connect-gcp.ts'
import type { GcpSettings } from '../../settings/gcp-settings.ts'

/** The external dependencies of `kerf gcp verify`. */
export interface VerifyDeps {
  readonly clock: Clock
  connect(settings: GcpSettings): Pick<GcpConnection, 'api' | 'iam' | 'billing'>
  /** The client of the cluster. Undefined if the user names no cluster and there is no default one. */
  readonly client: KubeClient | undefined
  readonly signal: AbortSignal
}

/** Returns the cluster. A named cluster must exist. The default one may be missing. */
const clusterFor = async (choice: NamedCluster, tools: VerbTools): Promise<VerbCluster | undefined> => {
  try {
    return await tools.connect(choice)
  } catch (error) {
    if (choice.kubeconfig !== undefined || choice.context !== undefined) throw error
    return undefined
  }
}

/** Returns the process's clock, calls with the credentials of the environment, and the cluster of the current kubectl context. */
export const verifyDeps = async (
  choice: NamedCluster,
  tools: VerbTools,
  signal: AbortSignal,
): Promise<VerifyDeps & { close(): Promise<void> }> => {
  const { clock, random } = await tools.system()
  const cluster = await clusterFor(choice, tools)
  const { env } = tools.streams
  return {
    ...{ clock, signal, client: cluster?.client },
    connect: (settings) => connectGcp(settings, { clock, random, env, version: tools.version }),
    close: async () => cluster?.close(),
  }
}
