import type { KubeObject, NodePool } from '@kerf/apis'
import { UsageError } from '../cli-error.ts'
import { defaultProvider, knownProviders, offlineProviders } from '../providers.ts'
import type { OpenedTypes } from './opened-types.ts'

const isNodePool = (object: KubeObject): object is NodePool => object.kind === 'NodePool'

/**
 * NodePools whose instances another provider launches than the one that the instance types are of: a plan for them would be made of
 * types that they can never have. Types of a file fit every pool, because whoever wrote it says so; and pools of the provider that
 * only rehearses take the types of any.
 */
export const otherProvider = (
  objects: readonly KubeObject[],
  { source }: Pick<OpenedTypes, 'source'>,
): UsageError | undefined => {
  if (!offlineProviders.includes(source)) return undefined
  for (const pool of objects.filter(isNodePool)) {
    const kind = pool.spec?.template?.spec?.nodeClassRef?.kind
    if (kind === undefined) continue
    const provider = knownProviders.find(({ nodeClasses }) =>
      nodeClasses.some(({ resource }) => resource.kind.kind === kind),
    )
    if (provider?.name === source || provider?.name === defaultProvider) continue
    const remedy =
      provider !== undefined && offlineProviders.includes(provider.name)
        ? `--instance-types ${provider.name}`
        : '--instance-types FILE, with what its provider offers'
    return new UsageError(
      `NodePool ${pool.metadata.name} launches by its ${kind}, and the instance types are those of ${source}: ${remedy}`,
    )
  }
  return undefined
}
