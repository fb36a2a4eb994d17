import type { NamedCluster, VerbCluster, VerbTools } from '@kerf/provider-contract'
import { connectAlibaba } from '../../api/connect-alibaba.ts'
import type { VerifySurroundings } from './run-verify.ts'

/** Returns the cluster. A named cluster must exist. The default one may be missing. */
const clusterFor = async (choice: NamedCluster, tools: VerbTools): Promise<VerbCluster | undefined> => {
  try {
    return await tools.connect(choice)
  } catch (error) {
    if (choice.kubeconfig !== undefined || choice.context !== undefined) throw error
    return undefined
  }
}

/** Returns the process's clock, calls with the keys of the environment, and the cluster of the current kubectl context. */
export const verifySurroundings = async (
  choice: NamedCluster,
  tools: VerbTools,
  signal: AbortSignal,
): Promise<VerifySurroundings & { close(): Promise<void> }> => {
  const { clock, random } = await tools.system()
  const cluster = await clusterFor(choice, tools)
  const { env } = tools.streams
  return {
    ...{ clock, signal, client: cluster?.client },
    connect: (settings) => connectAlibaba(settings, { clock, random, env, version: tools.version }),
    close: async () => cluster?.close(),
  }
}
