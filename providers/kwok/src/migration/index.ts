import type { MigrationSources } from '@kerf/provider-contract'

/** The migration source of KWOK for `kerf migrate cas`. */
export const migrationSources: MigrationSources = {
  documents: [{ help: "the templates of Cluster Autoscaler's KWOK provider" }],
  load: async () => (await import('./migration-source.ts')).migrationSource,
}
