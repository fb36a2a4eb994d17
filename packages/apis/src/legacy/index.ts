export type { AWSNodeTemplate } from './aws-node-template.ts'
export { convertSettings, type OldSettings } from './convert-settings.ts'
export { type Fate, FieldLedger, type FieldReport } from './field-ledger.ts'
export { KUBELET_ANNOTATION } from './kubelet-annotation.ts'
export { legacyCrdManifests, legacyKinds, legacyResources } from './legacy-kinds.ts'
export {
  type Migration,
  type MigrationOptions,
  type MigrationProblem,
  migrateManifests,
  settingsMaps,
} from './migrate.ts'
export type { Provisioner } from './provisioner.ts'
