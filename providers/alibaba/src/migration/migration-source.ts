import type { MigrationSource, SourceGroup } from '@kerf/provider-contract'
import { groupReader } from './group-reader.ts'
import type { AckLaunch } from './read-node-pool.ts'

const poolPath = ({ name, launch }: SourceGroup<AckLaunch>, clusterName: string): string =>
  `/clusters/${clusterName === '' ? 'CLUSTER_ID' : clusterName}/nodepools/${launch?.poolId ?? name}`

/** Returns a command that resizes a node pool. The path contains only the pool's ID, so a comment contains its name. */
const resizeCommand = (
  group: SourceGroup<AckLaunch>,
  { min, max }: { readonly min: number; readonly max: number },
  clusterName: string,
): string =>
  `aliyun cs PUT ${poolPath(group, clusterName)} --header Content-Type=application/json --body '{"auto_scaling":{"enable":true,"min_instances":${min},"max_instances":${max}}}' # ${group.name}`

/** Node pools of ACK. */
export const migrationSource: MigrationSource<AckLaunch> = {
  cloudProviders: ['alicloud'],
  decidedBy: 'one group',
  capacityLabels: {
    'node.alibabacloud.com/spot-strategy': {
      NoSpot: 'on-demand',
      SpotAsPriceGo: 'spot',
      SpotWithPriceLimit: 'spot',
    },
  },
  reader: groupReader,
  // Cluster Autoscaler uses the name of the scaling group for a node pool.
  autoscalerNames: ({ name, scalingGroups = [] }) => [...scalingGroups, name],
  /** For a node group from another source, the draft has the defaults of the node class, and a question asks the user for the export. */
  draftNodeClass: ({ name, launch }) => ({
    spec: launch?.spec ?? {},
    conversions: [],
    questions:
      launch === undefined
        ? [{ object: `node group ${name}`, message: 'give its export: aliyun cs GET /clusters/CLUSTER_ID/nodepools' }]
        : [],
  }),
  resize: (group, sizes, clusterName) => ({
    commands: [resizeCommand(group, { max: group.max, ...sizes }, clusterName)],
    back: [resizeCommand(group, group, clusterName)],
  }),
  readResize: (command) => {
    const [, min, group] = /^aliyun cs PUT \/clusters\/.*"min_instances":(\d+).* # (\S+)$/.exec(command) ?? []
    return group === undefined || min === undefined ? undefined : { group, min: Number(min) }
  },
  deletion: (group, clusterName) => `aliyun cs DELETE ${poolPath(group, clusterName)}`,
}
