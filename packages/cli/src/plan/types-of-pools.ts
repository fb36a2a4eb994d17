import { groupVersion, type KubeObject, type NodePool } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { OfflineClassTypes } from '@kerf/provider-contract'
import type { OpenedTypes } from '../cluster/opened-types.ts'
import { knownProviders } from '../providers.ts'

/** The instance types of each NodePool, with notes for the user. */
export interface TypesOfPools {
  readonly typesOf: (pool: NodePool) => readonly InstanceType[]
  /**
   * Whether the prices are those of a running controller. They already include the price book, the discounts and the NodeOverlays of its
   * cluster.
   */
  readonly arePriced: boolean
  /**
   * Every list that `typesOf` can return. A node class can add labels to the instance types of its region, so there may be several lists.
   */
  readonly lists: readonly (readonly InstanceType[])[]
  /** Notes for the user, one line each. */
  readonly notes: readonly string[]
  /** The things that could not be checked, as phrases for a message. */
  readonly notLookedAt: readonly string[]
}

const all = knownProviders

const isNodePool = (object: KubeObject): object is NodePool => object.kind === 'NodePool'

const poolRef = (pool: NodePool): { readonly kind: string; readonly name: string } | undefined =>
  pool.spec?.template?.spec?.nodeClassRef

const classKey = ({ kind, name }: { readonly kind: string; readonly name: string }): string => `${kind} ${name}`

/**
 * Returns the instance types that each NodePool can use with its node class. The node class determines the number of pods per node, the
 * reserved resources, the disk size, the operating system and the zones. If a running controller listed the types of a pool, its list is
 * used instead. Types from other files are used unchanged.
 */
export const typesOfPools = (
  objects: readonly KubeObject[],
  { source, types, offer, byPool }: OpenedTypes,
): TypesOfPools => {
  const byClass = new Map<string, readonly InstanceType[]>()
  const notes: string[] = []
  const notLookedAt: string[] = []
  const asked = new Map(
    objects
      .filter(isNodePool)
      .flatMap((pool) => poolRef(pool) ?? [])
      .map((ref) => [classKey(ref), ref]),
  )
  for (const [name, ref] of asked) {
    const provider = all.find(({ nodeClasses }) => nodeClasses.some(({ resource }) => resource.kind.kind === ref.kind))
    if (provider?.instanceTypes?.regions === undefined || byPool !== undefined) continue
    if (provider.name !== offer?.provider) {
      notLookedAt.push(`${name} (the types of ${source} are used unchanged)`)
      continue
    }
    // If two node classes have the same name, the later one applies, as with `kubectl apply`.
    const nodeClass = objects.findLast(
      ({ kind, apiVersion, metadata }) =>
        kind === ref.kind &&
        metadata.name === ref.name &&
        provider.nodeClasses.some(({ resource }) => groupVersion(resource.kind) === apiVersion),
    )
    if (nodeClass === undefined) {
      notLookedAt.push(`${name} (not found; defaults apply)`)
      continue
    }
    const found: OfflineClassTypes = offer.region.forNodeClass(nodeClass)
    byClass.set(name, found.types)
    notLookedAt.push(...found.notLookedAt)
    if (found.problems.length > 0) notes.push(`${name} launches nothing: ${found.problems.join('; ')}`)
  }
  const untold =
    byPool === undefined ? [] : objects.filter(isNodePool).filter(({ metadata }) => !byPool.has(metadata.name))
  for (const { metadata } of untold)
    notLookedAt.push(
      `what NodePool ${metadata.name} may launch (${source} does not name it; every type of the file is used)`,
    )
  return {
    arePriced: byPool !== undefined,
    typesOf: (pool) => {
      const listed = byPool?.get(pool.metadata.name)
      if (listed !== undefined) return listed
      const ref = poolRef(pool)
      return (ref === undefined ? undefined : byClass.get(classKey(ref))) ?? types
    },
    lists: [types, ...byClass.values(), ...(byPool?.values() ?? [])],
    notes,
    notLookedAt,
  }
}
