import type { MigrationSources } from '@kerf/provider-contract'

/** The sources of `kerf migrate cas` for Alibaba Cloud. */
export const migrationSources: MigrationSources = {
  exports: {
    name: 'ACK',
    commands: ['aliyun cs GET /clusters/CLUSTER_ID', 'aliyun cs GET /clusters/CLUSTER_ID/nodepools'],
    example: 'aliyun cs GET /clusters/CLUSTER_ID/nodepools',
  },
  documents: [{ help: 'terraform show -json', tool: 'Terraform' }],
  load: async () => (await import('./migration-source.ts')).migrationSource,
}
