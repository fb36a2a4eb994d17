import type { MigrationSources } from '@kerf/provider-contract'

/** What `kerf migrate cas` knows of Alibaba Cloud. */
export const migrationSources: MigrationSources = {
  exports: {
    name: 'ACK',
    commands: ['aliyun cs GET /clusters/CLUSTER_ID', 'aliyun cs GET /clusters/CLUSTER_ID/nodepools'],
    example: 'aliyun cs GET /clusters/CLUSTER_ID/nodepools',
  },
  documents: [],
  load: async () => (await import('./migration-source.ts')).migrationSource,
}
