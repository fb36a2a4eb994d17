import type { MigrationSources } from '@kerf/provider-contract'

/** The sources of `kerf migrate cas` for Azure. */
export const migrationSources: MigrationSources = {
  exports: { name: 'AKS', commands: ['az aks show'], example: 'az aks show' },
  documents: [{ help: 'terraform show -json', tool: 'Terraform' }],
  load: async () => (await import('./migration-source.ts')).migrationSource,
}
