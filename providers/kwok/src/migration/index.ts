import type { MigrationSources } from '@kerf/provider-contract'

const templates = "templates of Cluster Autoscaler's KWOK provider"

/** What `kerf migrate cas` knows of KWOK. */
export const migrationSources: MigrationSources = {
  groups: templates,
  documents: [{ help: `the ${templates}` }],
  load: async () => (await import('./migration-source.ts')).migrationSource,
}
