import type { NamedCluster, VerbCluster, VerbTools } from '@kerf/provider-contract'
import { silentLogger } from '@kerf/runtime'
import { connectOci } from '../../api/connect-oci.ts'
import { connectPriceList } from '../../prices/connect-price-list.ts'
import { ociAccess } from '../../settings/oci-options.ts'
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

/** Returns the process's clock, calls with the credentials of the environment, and the cluster of the current kubectl context. */
export const verifySurroundings = async (
  choice: NamedCluster,
  tools: VerbTools,
  signal: AbortSignal,
): Promise<VerifySurroundings & { close(): Promise<void> }> => {
  const { clock, random } = await tools.system()
  const cluster = await clusterFor(choice, tools)
  const { env } = tools.streams
  const deps = { clock, random, env, version: tools.version }
  return {
    ...{ clock, signal, client: cluster?.client },
    connect: async (settings) => ({
      ...(await connectOci(await ociAccess(settings), { ...deps, log: silentLogger })),
      readPrices: connectPriceList(settings, deps),
    }),
    close: async () => cluster?.close(),
  }
}
