import type { MigrationSources } from '@kerf/provider-contract'

/** The sources of `kerf migrate cas` for Oracle Cloud. */
export const migrationSources: MigrationSources = {
  exports: {
    name: 'OKE',
    commands: [
      'oci ce cluster get --cluster-id CLUSTER_OCID',
      'oci ce node-pool list --cluster-id CLUSTER_OCID --compartment-id COMPARTMENT_OCID --all',
      'oci ce node-pool get --node-pool-id NODE_POOL_OCID',
    ],
    example: 'oci ce node-pool get --node-pool-id NODE_POOL_OCID',
  },
  documents: [{ help: 'terraform show -json', tool: 'Terraform' }],
  load: async () => (await import('./migration-source.ts')).migrationSource,
}
