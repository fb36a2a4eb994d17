import type { MigrationSources } from '@kerf/provider-contract'

/** The sources of `kerf migrate cas` for Google Cloud. */
export const migrationSources: MigrationSources = {
  exports: {
    name: 'GKE',
    commands: ['gcloud container clusters describe', 'gcloud container node-pools list'],
    example: 'gcloud container clusters describe CLUSTER --location LOCATION --format json',
  },
  documents: [{ help: 'terraform show -json', tool: 'Terraform' }],
  load: async () => (await import('./migration-source.ts')).migrationSource,
}
