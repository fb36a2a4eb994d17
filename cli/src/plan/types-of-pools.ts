import { apiVersionOf, type KubeObject, type NodePool } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { OfflineClassTypes, ProviderDescriptor } from '@kerf/provider-contract'
import { type InstanceTypesChoice, sourceOf } from '../cluster/instance-types.ts'
import { providers } from '../providers.ts'

/** The instance types of each NodePool, with what a person should know about them. */
export interface TypesOfPools {
  readonly typesOf: (pool: NodePool) => readonly InstanceType[]
  /** A line each. */
  readonly notes: readonly string[]
  /** What could not be known, as parts of a sentence. */
  readonly notLookedAt: readonly string[]
}

const all: readonly ProviderDescriptor[] = providers

const isNodePool = (object: KubeObject): object is NodePool => object.kind === 'NodePool'

const refOf = (pool: NodePool): { readonly kind: string; readonly name: string } | undefined =>
  pool.spec?.template?.spec?.nodeClassRef

const nameOf = ({ kind, name }: { readonly kind: string; readonly name: string }): string => `${kind} ${name}`

/**
 * The types as each NodePool would be offered them by its node class: the class says how many pods a node takes, what the kubelet
 * keeps, how large the disk is, which system runs and in which zones. Types of a file are taken as they stand.
 */
export const typesOfPools = async (
  objects: readonly KubeObject[],
  choice: InstanceTypesChoice,
  types: readonly InstanceType[],
): Promise<TypesOfPools> => {
  const source = sourceOf(choice)
  const byClass = new Map<string, readonly InstanceType[]>()
  const notes: string[] = []
  const notLookedAt: string[] = []
  const asked = new Map(
    objects
      .filter(isNodePool)
      .flatMap((pool) => refOf(pool) ?? [])
      .map((ref) => [nameOf(ref), ref]),
  )
  for (const [name, ref] of asked) {
    const provider = all.find(({ nodeClasses }) => nodeClasses.some(({ resource }) => resource.kind.kind === ref.kind))
    const forNodeClass = provider?.instanceTypes?.forNodeClass
    if (provider === undefined || forNodeClass === undefined) continue
    if (provider.name !== source) {
      notLookedAt.push(`${name} (the types of ${source} are taken as they stand)`)
      continue
    }
    // A later object replaces an earlier one of its name, as when both are applied.
    const nodeClass = objects.findLast(
      ({ kind, apiVersion, metadata }) =>
        kind === ref.kind &&
        metadata.name === ref.name &&
        provider.nodeClasses.some(({ resource }) => apiVersionOf(resource.kind) === apiVersion),
    )
    if (nodeClass === undefined) {
      notLookedAt.push(`${name} (not there; defaults count)`)
      continue
    }
    const found: OfflineClassTypes = await forNodeClass(nodeClass)
    byClass.set(name, found.types)
    notLookedAt.push(...found.notLookedAt)
    if (found.problems.length > 0) notes.push(`${name} launches nothing: ${found.problems.join('; ')}`)
  }
  return {
    typesOf: (pool) => {
      const ref = refOf(pool)
      return (ref === undefined ? undefined : byClass.get(nameOf(ref))) ?? types
    },
    notes,
    notLookedAt,
  }
}
