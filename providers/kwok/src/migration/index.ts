import type { MigrationSources } from '@kerf/provider-contract'

const templates = "templates of Cluster Autoscaler's KWOK provider"

/** The migration source of KWOK for `kerf migrate cas`. */
export const migrationSources: MigrationSources = {
  groups: templates,
  documents: [{ help: `the ${templates}` }],
  load: async () => (await import('./migration-source.ts')).migrationSource,
}
