import type { MigrationSource, SourceGroup } from '@kerf/provider-contract'
import { groupReader } from './group-reader.ts'
import type { AksLaunch } from './read-node-pool.ts'

const poolFlags = ({ name, launch }: SourceGroup<AksLaunch>, clusterName: string): string =>
  `--resource-group ${launch?.resourceGroup ?? 'RESOURCE_GROUP'} --cluster-name ${launch?.name ?? clusterName} --name ${name}`

/** Node pools of AKS. */
export const migrationSource: MigrationSource<AksLaunch> = {
  cloudProviders: ['azure'],
  decidedBy: 'one group',
  capacityLabels: {
    'kubernetes.azure.com/scalesetpriority': { spot: 'spot', Spot: 'spot', regular: 'on-demand', Regular: 'on-demand' },
  },
  reader: groupReader,
  // AKS generates scale set names of this form.
  autoscalerNames: ({ name }) => [`aks-${name}-00000000-vmss`],
  /** A node group from another source gets a node class with default values, and a question for the user. */
  draftNodeClass: ({ name, launch }) => ({
    spec: launch?.spec ?? {},
    conversions: [],
    questions:
      launch === undefined
        ? [{ object: `node group ${name}`, message: 'give its export: az aks nodepool list --output json' }]
        : [],
  }),
  resize: (group, sizes, clusterName) => {
    // Azure requires both minimum and maximum.
    const [command, back] = [{ max: group.max, ...sizes }, group].map(
      ({ min, max }) =>
        `az aks nodepool update ${poolFlags(group, clusterName)} --update-cluster-autoscaler --min-count ${min} --max-count ${max}`,
    )
    return command === undefined || back === undefined ? undefined : { commands: [command], back: [back] }
  },
  readResize: (command) => {
    const [, group, min] = /^az aks nodepool update .*--name (\S+) .*--min-count (\d+)/.exec(command) ?? []
    return group === undefined || min === undefined ? undefined : { group, min: Number(min) }
  },
  deletion: (group, clusterName) => `az aks nodepool delete ${poolFlags(group, clusterName)}`,
}
