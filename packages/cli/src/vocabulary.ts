import { type KubeObject, type LabelAlias, LabelVocabulary, type NodePool, type UntoldLabel } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { KnownProvider } from '@kerf/provider-contract'
import { wellKnownLabelKeys } from '@kerf/provider-kwok'
import { knownProviders } from './providers.ts'

/** The label aliases of all providers. The labels of a volume driver can occur on the nodes of any provider. */
export const labelAliases: readonly LabelAlias[] = knownProviders.flatMap(({ labels }) => labels.aliases)

const isNodePool = (object: KubeObject): object is NodePool => object.kind === 'NodePool'

/** Returns the providers whose node classes the NodePools refer to. */
const providersOfPools = (objects: readonly KubeObject[]): readonly KnownProvider[] => {
  const refs = objects.filter(isNodePool).flatMap((pool) => pool.spec?.template?.spec?.nodeClassRef ?? [])
  return knownProviders.filter(({ nodeClasses }) =>
    refs.some(({ group, kind }) =>
      nodeClasses.some(({ resource }) => resource.kind.group === group && resource.kind.kind === kind),
    ),
  )
}

/**
 * Returns the label vocabulary for a cluster with these objects and lists of instance types. It contains the labels of the
 * NodePools' providers, the labels of the instance types, and the aliases of every provider.
 */
export const vocabularyFor = (
  objects: readonly KubeObject[],
  ...lists: readonly (readonly InstanceType[])[]
): LabelVocabulary => {
  const inUse = providersOfPools(objects)
  const added = inUse.map(({ labels }) => labels)
  const ofTypes = wellKnownLabelKeys(...lists)
  const isTold = ({ label }: UntoldLabel): boolean =>
    ofTypes.includes(label) ||
    objects.some(({ kind, metadata }) => kind === 'Node' && Object.hasOwn(metadata.labels ?? {}, label))
  const vocabulary = {
    wellKnown: [...new Set([...ofTypes, ...added.flatMap(({ wellKnown }) => wellKnown)])],
    restrictedDomains: added.flatMap(({ restrictedDomains }) => restrictedDomains),
    unrestricted: added.flatMap(({ unrestricted }) => unrestricted),
    aliases: labelAliases,
    knownValues: added.flatMap(({ knownValues }) => knownValues),
    wellKnownResources: added.flatMap(({ wellKnownResources }) => wellKnownResources),
  }
  const untold = inUse.flatMap(({ instanceTypes }) => instanceTypes?.untold ?? []).filter((each) => !isTold(each))
  return new LabelVocabulary(vocabulary, untold)
}

/** Returns the labels in the objects that Kerf could not check, because their values are unknown. Each item is a phrase for a message. */
export const untoldLabels = ({ untold }: LabelVocabulary, objects: readonly KubeObject[]): readonly string[] =>
  untold
    .filter(({ label }) => objects.some((object) => JSON.stringify(object).includes(JSON.stringify(label))))
    .map(
      ({ label, sameDomainsAs }) =>
        `which ${label} is which ${sameDomainsAs} (a requirement on it is not checked, and its topology domains are those of ${sameDomainsAs})`,
    )
