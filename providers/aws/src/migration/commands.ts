import type { SourceGroup } from '../groups/source-group.ts'
import type { GroupNodes, KeptGroup } from './migration-plan.ts'

/** Commands for the user, and the commands that revert them. */
export interface HandWork {
  readonly commands: readonly string[]
  readonly back: readonly string[]
}

interface Sizes {
  readonly min?: number
  readonly max?: number
}

/**
 * Commands that the user must run on a group, because they change the cloud and not the cluster. Each function returns undefined if no
 * command is needed.
 */
export interface CloudCommands {
  readonly withoutMinimum: (group: GroupNodes) => HandWork | undefined
  /** Sets a fixed size, so that Cluster Autoscaler neither adds nor removes nodes of the group. */
  readonly withFixedSize: (group: KeptGroup) => HandWork | undefined
  readonly deleted: (group: GroupNodes) => HandWork | undefined
}

/** Returns the flags that name an AKS node pool. */
const poolFlags = ({ name, aks }: SourceGroup, clusterName: string): string =>
  `--resource-group ${aks?.resourceGroup ?? 'RESOURCE_GROUP'} --cluster-name ${aks?.name ?? clusterName} --name ${name}`

const resized = (group: SourceGroup, clusterName: string, sizes: Sizes): string | undefined => {
  const { origin, name } = group
  const words = (form: (key: 'min' | 'max', value: number) => string): readonly string[] =>
    (['min', 'max'] as const).flatMap((key) => (sizes[key] === undefined ? [] : form(key, sizes[key])))
  switch (origin) {
    case 'managed node group':
      return `aws eks update-nodegroup-config --cluster-name ${clusterName} --nodegroup-name ${name} --scaling-config ${words((key, value) => `${key}Size=${value}`).join(',')}`
    case 'eksctl node group':
      return `eksctl scale nodegroup --cluster ${clusterName} --name ${name} ${words((key, value) => `--nodes-${key} ${value}`).join(' ')}`
    case 'Auto Scaling group':
      return `aws autoscaling update-auto-scaling-group --auto-scaling-group-name ${name} ${words((key, value) => `--${key}-size ${value}`).join(' ')}`
    case 'AKS node pool':
      // Azure requires both minimum and maximum.
      return `az aks nodepool update ${poolFlags(group, clusterName)} --update-cluster-autoscaler --min-count ${sizes.min ?? group.min} --max-count ${sizes.max ?? group.max}`
    default:
      return undefined
  }
}

const deletion = (group: SourceGroup, clusterName: string): string | undefined => {
  const { origin, name } = group
  switch (origin) {
    case 'managed node group':
      return `aws eks delete-nodegroup --cluster-name ${clusterName} --nodegroup-name ${name}`
    case 'eksctl node group':
      return `eksctl delete nodegroup --cluster ${clusterName} --name ${name}`
    case 'Auto Scaling group':
      return `aws autoscaling delete-auto-scaling-group --auto-scaling-group-name ${name}`
    case 'AKS node pool':
      return `az aks nodepool delete ${poolFlags(group, clusterName)}`
    default:
      return undefined
  }
}

/** Returns the commands for the clouds of the groups. A group without a cloud has none. */
export const cloudCommands = (groups: readonly SourceGroup[], clusterName = 'CLUSTER_NAME'): CloudCommands => {
  const resize = ({ name, min, max }: GroupNodes, sizes: Sizes): HandWork | undefined => {
    const group = groups.find((each) => each.name === name)
    const [there, back] = [
      sizes,
      { min, ...(sizes.max === undefined && group?.origin === 'Auto Scaling group' ? {} : { max }) },
    ].map((each) => (group === undefined ? undefined : resized(group, clusterName, each)))
    return there === undefined || back === undefined ? undefined : { commands: [there], back: [back] }
  }
  return {
    withoutMinimum: (group) => (group.min === 0 ? undefined : resize(group, { min: 0 })),
    withFixedSize: (group) =>
      group.min === group.size && group.max === group.size
        ? undefined
        : resize(group, { min: group.size, max: group.size }),
    deleted: ({ name }) => {
      const group = groups.find((each) => each.name === name)
      const command = group === undefined ? undefined : deletion(group, clusterName)
      return command === undefined ? undefined : { commands: [command], back: [] }
    },
  }
}

/** Returns the group and its new minimum from a resize command of this file. Returns undefined for every other command. */
export const sizesIn = (command: string): { readonly group: string; readonly min: number } | undefined => {
  const group = /--(?:nodegroup-name|auto-scaling-group-name|name) (\S+)/.exec(command)?.[1]
  const min = /(?:minSize=|--nodes-min |--min-size |--min-count )(\d+)/.exec(command)?.[1]
  return group === undefined || min === undefined ? undefined : { group, min: Number(min) }
}
