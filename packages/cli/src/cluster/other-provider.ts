import type { KubeObject, NodePool } from '@kerf/apis'
import { UsageError } from '@kerf/provider-kit/command-line'
import { defaultProvider, knownProviders, offlineProviders } from '../providers.ts'
import { hasNodeClassFrom } from './inferred-provider.ts'
import type { OpenedTypes } from './opened-types.ts'

const isNodePool = (object: KubeObject): object is NodePool => object.kind === 'NodePool'

/**
 * Returns the NodePools whose provider is not the provider of the instance types. A plan for them would use instance types that they can
 * never launch. If the types come from a file, returns none, because the user chose the file. KWOK pools accept the types of any provider.
 */
export const otherProvider = (
  objects: readonly KubeObject[],
  { source }: Pick<OpenedTypes, 'source'>,
): UsageError | undefined => {
  if (!offlineProviders.includes(source)) return undefined
  for (const pool of objects.filter(isNodePool)) {
    const kind = pool.spec?.template?.spec?.nodeClassRef?.kind
    if (kind === undefined) continue
    const provider = knownProviders.find((known) => hasNodeClassFrom(pool, known))
    if (provider?.name === source || provider?.name === defaultProvider) continue
    const remedy =
      provider !== undefined && offlineProviders.includes(provider.name)
        ? `use --instance-types ${provider.name}`
        : 'use --instance-types FILE with the types of its provider'
    return new UsageError(
      `NodePool ${pool.metadata.name} uses node class kind ${kind}, but the instance types are those of ${source}: ${remedy}`,
    )
  }
  return undefined
}
