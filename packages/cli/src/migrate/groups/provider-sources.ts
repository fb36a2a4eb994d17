import { InvariantError, meansGroup, type ResourceKind } from '@kerf/apis'
import type { MigrationSource, MigrationSources, ProviderDescriptor, SourceGroup } from '@kerf/provider-contract'
import { nodeGroupLabels } from '../../node-group-labels.ts'
import { providers } from '../../providers.ts'

const all: readonly ProviderDescriptor[] = providers

/** A migration source, with its provider's name, the kind of its node classes, and its texts. */
export interface ProviderSource extends MigrationSource {
  readonly provider: string
  readonly nodeClass: ResourceKind
  readonly texts: MigrationSources
}

const listed = all
  .flatMap(({ name, nodeClasses: [{ resource }], migrationSources: texts }) =>
    texts === undefined ? [] : [{ provider: name, nodeClass: resource.kind, texts }],
  )
  .toSorted((a, b) => (a.provider < b.provider ? -1 : 1))

/** The texts of all migration sources, ordered by provider name. */
export const sourceTexts: readonly MigrationSources[] = listed.map(({ texts }) => texts)

/** Loads the migration sources, ordered by provider name. */
export const providerSources = (): Promise<readonly ProviderSource[]> =>
  Promise.all(listed.map(async (each) => ({ ...(await each.texts.load()), ...each })))

/** Returns the source that described the group, or undefined if no source did. */
export const describingSource = (group: SourceGroup, sources: readonly ProviderSource[]): ProviderSource | undefined =>
  sources.find(({ provider }) => provider === group.provider)

/** Returns the group in a form that this source can convert. If another provider described the group, its `launch` settings are removed. */
export const ownGroup = (group: SourceGroup, { provider }: ProviderSource): SourceGroup => {
  if (group.provider === provider) return group
  const { launch: _, ...others } = group
  return others
}

/** Returns whether Cluster Autoscaler may use this name for the group. */
export const isNamed = ({ name: own, scalingGroups = [] }: SourceGroup, name: string): boolean =>
  scalingGroups.includes(name) || nodeGroupLabels.some((each) => meansGroup(each, own, name))

/** Returns the source whose node classes replace the groups' launch settings. `flag` is the value of `--cloud-provider`. */
export const decidedSource = (
  groups: readonly SourceGroup[],
  flag: string | undefined,
  sources: readonly ProviderSource[],
): ProviderSource => {
  const isOwn =
    ({ provider }: ProviderSource) =>
    (group: SourceGroup): boolean =>
      group.provider === provider
  const found =
    sources.find((each) => each.decidedBy === 'one group' && groups.some(isOwn(each))) ??
    sources.find(({ cloudProviders }) => flag !== undefined && cloudProviders.includes(flag)) ??
    sources.find((each) => each.decidedBy === 'all groups' && groups.every(isOwn(each))) ??
    sources.find(({ decidedBy }) => decidedBy === 'nothing else')
  if (found === undefined) throw new InvariantError("no migration source has decidedBy 'nothing else'")
  return found
}
