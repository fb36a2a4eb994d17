import type { HandWork, SourceGroup } from '@kerf/provider-contract'
import { describingSource, type ProviderSource } from '../groups/provider-sources.ts'
import type { GroupNodes, KeptGroup } from './migration-plan.ts'

/**
 * Functions that return the commands that the user must run in the cloud, one function for each kind of change. Kerf itself changes only
 * the cluster. A function returns undefined if no command is needed.
 */
export interface CloudCommands {
  readonly withoutMinimum: (group: GroupNodes) => HandWork | undefined
  /** Sets a fixed size, so that Cluster Autoscaler neither adds nor removes nodes of the group. */
  readonly withFixedSize: (group: KeptGroup) => HandWork | undefined
  readonly deleted: (group: GroupNodes) => HandWork | undefined
}

/** Returns the functions for the groups' clouds. A group without a cloud needs no commands. */
export const cloudCommands = (
  groups: readonly SourceGroup[],
  sources: readonly ProviderSource[],
  clusterName = 'CLUSTER_NAME',
): CloudCommands => {
  const withSource = <T>(
    name: string,
    command: (source: ProviderSource, group: SourceGroup) => T | undefined,
  ): T | undefined => {
    const group = groups.find((each) => each.name === name)
    const source = group === undefined ? undefined : describingSource(group, sources)
    return group === undefined || source === undefined ? undefined : command(source, group)
  }
  const resize = (name: string, sizes: { readonly min: number; readonly max?: number }): HandWork | undefined =>
    withSource(name, (source, group) => source.resize?.(group, sizes, clusterName))
  return {
    withoutMinimum: ({ name, min }) => (min === 0 ? undefined : resize(name, { min: 0 })),
    withFixedSize: ({ name, min, max, size }) =>
      min === size && max === size ? undefined : resize(name, { min: size, max: size }),
    deleted: ({ name }) => {
      const command = withSource(name, (source, group) => source.deletion?.(group, clusterName))
      return command === undefined ? undefined : { commands: [command], back: [] }
    },
  }
}
