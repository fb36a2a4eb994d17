import type { MigrationSource, SourceGroup } from '@kerf/provider-contract'
import { groupReader } from './group-reader.ts'
import { whyNotScaled } from './node-group-discovery.ts'
import type { OkeLaunch } from './read-node-pool.ts'

const poolId = ({ name, launch }: SourceGroup<OkeLaunch>): string => launch?.poolId ?? name

/** OKE node pools. Cluster Autoscaler reads their sizes from its flags, so no command changes them. */
export const migrationSource: MigrationSource<OkeLaunch> = {
  cloudProviders: ['oci', 'oci-oke'],
  decidedBy: 'one group',
  capacityLabels: { 'oci.oraclecloud.com/oke-is-preemptible': { true: 'spot' } },
  reader: groupReader,
  // Cluster Autoscaler identifies a node pool by its OCID.
  autoscalerNames: ({ name, scalingGroups = [] }) => [...scalingGroups, name],
  whyNotScaled,
  /** For a node group from another source, the draft has the defaults of the node class, and a question asks the user for the export. */
  draftNodeClass: ({ name, launch }) => ({
    spec: launch?.spec ?? {},
    conversions: [],
    questions:
      launch === undefined
        ? [
            {
              object: `node group ${name}`,
              message: 'give its export: oci ce node-pool get --node-pool-id NODE_POOL_OCID',
            },
          ]
        : [],
  }),
  deletion: (group) => `oci ce node-pool delete --node-pool-id ${poolId(group)} --force # ${group.name}`,
}
