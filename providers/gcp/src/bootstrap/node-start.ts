import { CreateError } from '@kerf/provider-contract'
import { type HttpClient, ReadCache } from '@kerf/provider-kit'
import { type Clock, textOfThrown } from '@kerf/runtime'
import type { ClusterFacts } from '../discovery/cluster-facts.ts'
import type { BootstrapSource } from './bootstrap-source.ts'
import { instanceMetadata, type ServerBinaries } from './instance-metadata.ts'
import { parseKubeEnv } from './kube-env.ts'
import type { NodePlan } from './node-plan.ts'
import { otherBinaries } from './server-binary.ts'

/** The inputs from which the bootstrap metadata of a node is built. */
export interface NodeStartDeps {
  readonly source: Pick<BootstrapSource, 'metadata'>
  readonly cluster: Pick<ClusterFacts, 'kubernetesVersion'>
  /** Sends requests without a token. */
  readonly plain: Pick<HttpClient, 'call'>
  readonly clock: Clock
}

/** Returns the metadata of an instance for a plan. It contains credentials of the cluster: never log it. */
export type MakeMetadata = (plan: NodePlan, signal: AbortSignal) => Promise<Readonly<Record<string, string>>>

/** A release never changes. */
const FOREVER = Number.POSITIVE_INFINITY

/**
 * Returns the function that builds the metadata of instances (`providers/gcp/docs/spec/gcp.md#bootstrap`). It throws CreateError if the
 * source is missing, or if the hash of the binaries for another architecture cannot be read.
 */
export const nodeStart = ({ source, cluster, plain, clock }: NodeStartDeps): MakeMetadata => {
  const hashes = new ReadCache<string>(clock, { ttl: FOREVER })
  const hashAt = (url: string, signal: AbortSignal): Promise<string> =>
    hashes.read(
      url,
      async (inner) => {
        try {
          const { text } = await plain.call({ method: 'GET', url: new URL(url) }, inner)
          return text.trim().split(/\s+/)[0] ?? ''
        } catch (error) {
          inner.throwIfAborted()
          throw new CreateError('ServerBinaryUnknown', `${url} cannot be read: ${textOfThrown(error)}`, {
            cause: error,
          })
        }
      },
      signal,
    )

  return async (plan, signal) => {
    const metadata = await source.metadata(signal)
    const env = parseKubeEnv(metadata['kube-env'] ?? '')
    const other = otherBinaries(env, plan.facts.arch, await cluster.kubernetesVersion(signal))
    const binaries: ServerBinaries | undefined =
      other === undefined ? undefined : { url: other.url, hash: await hashAt(other.hashUrl, signal) }
    return instanceMetadata(metadata, plan, binaries)
  }
}
