import type { MigrationSource } from '@kerf/provider-contract'
import { groupReader } from './group-reader.ts'

/** Reads templates of Cluster Autoscaler's KWOK provider. */
export const migrationSource: MigrationSource<never> = {
  cloudProviders: ['kwok'],
  decidedBy: 'all groups',
  capacityLabels: {},
  reader: groupReader,
  draftNodeClass: () => ({ spec: {}, conversions: [], questions: [] }),
}
